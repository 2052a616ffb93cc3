//! Recorded servers, replayed to our client. The client enters the game and applies every snapshot. A warm client
//! allocates nothing for them.
//!
//! A recorded server acknowledges the messages of its own client. Our client sends fewer messages, so the test replaces
//! two values in each header: the acknowledgement by the last message of our client, and the token by the token of our
//! client. Everything else is unchanged.

use crate::support;
use core::time::Duration;
use std::net::SocketAddr;

use crate::support::{Conversation, Datagram};
use allocation_counter::measure;
use gamewire::machine::{ConversationSide, Instant, Machine as _};
use gamewire::teeworlds::client::{Client, ClientConfig, ClientStats, Event};
use gamewire::teeworlds::{Dialect, Follower};

/// Our client with a recorded server.
struct Replay {
    client: Client,
    dialect: Dialect,
    server: SocketAddr,
    /// The token of the client, as bytes of a header.
    token: Option<[u8; 4]>,
    /// The offset of the current time from the recorded one.
    later: Duration,
    buffer: Vec<u8>,
    events: Vec<Event>,
    rejected: Vec<String>,
}

impl Replay {
    fn new(dialect: Dialect, conversation: &Conversation) -> Self {
        let (server, start) = (conversation.ends[1], conversation.datagrams[0].at);
        let mut replay = Self {
            client: Client::connect(server, ClientConfig::new(dialect, "anna", [3; 32]), start),
            dialect,
            server,
            token: None,
            later: Duration::ZERO,
            buffer: Vec::new(),
            events: Vec::new(),
            rejected: Vec::new(),
        };
        assert!(replay.client.poll_transmit(start, &mut replay.buffer).is_some());
        replay.token = replay.buffer.get(8..12).map(|token| token.try_into().unwrap());
        replay
    }

    /// Connects again, to replay the conversation from its start.
    fn restart(&mut self, conversation: &Conversation) {
        let [first, .., last] = conversation.datagrams.as_slice() else { panic!("a conversation") };
        self.later = last.at - first.at;
        self.client.reconnect(None).unwrap();
        while self.client.poll_transmit(last.at, &mut self.buffer).is_some() {}
        self.token = self.buffer.get(8..12).map(|token| token.try_into().unwrap());
    }

    /// Advances time to a datagram of the server, and delivers it.
    fn take(&mut self, datagram: &Datagram) {
        let at = datagram.at + self.later;
        self.wait(at);
        let mut data = [0; 1500];
        let data = &mut data[..datagram.data.len()];
        data.copy_from_slice(&datagram.data);
        self.adjust(data);
        if let Err(reject) = self.client.handle_datagram(at, self.server, data) {
            self.rejected.push(format!("frame {}: {reject}", datagram.frame));
        }
        self.drain(at);
    }

    fn wait(&mut self, until: Instant) {
        while let Some(wake) = self.client.poll_timeout().filter(|wake| wake.at <= until) {
            self.client.handle_timeout(wake.at);
            self.drain(wake.at);
        }
    }

    fn drain(&mut self, now: Instant) {
        while self.client.poll_transmit(now, &mut self.buffer).is_some() {}
        while let Some(event) = self.client.poll_event() {
            if !matches!(event, Event::Snapshot { .. }) {
                self.events.push(event);
            }
        }
    }

    fn adjust(&self, data: &mut [u8]) {
        // Connless packets contain no acknowledgement.
        if data[0] & 0x20 != 0 {
            return;
        }
        let ack = self.client.stats().link.vital_out % 1024;
        data[0] = data[0] & !3 | (ack >> 8) as u8;
        data[1] = ack as u8;
        let answers_065 = self.dialect == Dialect::V065 && data[0] & 0x18 == 0x18 && data[7] == 2;
        if self.dialect == Dialect::V07 || answers_065 {
            data[3..7].copy_from_slice(&self.token.unwrap());
        }
    }

    fn knows(&self, name: &str) -> bool {
        self.events.iter().any(|event| format!("{event:?}").starts_with(name))
    }
}

/// Replays a conversation that the client began.
fn replay(dialect: Dialect, conversation: &Conversation) -> Replay {
    let mut replay = Replay::new(dialect, conversation);
    for datagram in conversation.datagrams.iter().filter(|datagram| datagram.from == ConversationSide::Second)
    {
        replay.take(datagram);
    }
    replay
}

/// Returns the conversations of a capture, from the first datagram of a connection.
fn sessions(capture: &str) -> Vec<Conversation> {
    support::conversations(capture)
        .into_iter()
        .filter_map(|mut conversation| {
            let first = conversation.datagrams.iter().position(|datagram| datagram.data[0] & 0x20 == 0)?;
            conversation.datagrams.drain(..first);
            Some(conversation)
        })
        .collect()
}

fn is_fine(replay: &Replay, stats: &ClientStats) {
    assert_eq!(replay.rejected, Vec::<String>::new());
    assert!(replay.knows("Entered"), "{:?}", replay.events);
    assert_eq!((stats.snapshots.bad, stats.snapshots.missing_base), (0, 0));
    assert_eq!((stats.undecodable, stats.send_failures, stats.dropped_datagrams), (0, 0, 0));
}

#[test]
fn a_client_joins_a_recorded_ddnet_server() {
    let conversations = sessions("tw-0.6-ddnet-tken");
    let replay = replay(Dialect::Tken, conversations.last().unwrap());
    let stats = replay.client.stats();
    is_fine(&replay, &stats);
    assert_eq!(replay.client.dialect(), Some(Dialect::Tken));
    assert_eq!(stats.snapshots.good, 1092);
    assert!(replay.knows("Capabilities") && replay.knows("Motd") && replay.knows("Joined"));
    assert_eq!(replay.client.players().len(), 1);
    assert!(replay.client.local_player_id().is_some());
}

#[test]
fn two_clients_join_a_recorded_server_of_0_7() {
    let mut good = 0;
    for conversation in sessions("tw-0.7-two-clients") {
        let replay = replay(Dialect::V07, &conversation);
        let stats = replay.client.stats();
        is_fine(&replay, &stats);
        assert!(replay.knows("Motd") && replay.knows("Joined"));
        good += stats.snapshots.good;
    }
    assert_eq!(good, 199);
}

#[test]
fn clients_join_a_recorded_server_of_0_6_5_with_and_without_tokens() {
    let mut good = 0;
    for (conversation, dialect) in sessions("tw-0.6.5-tokens").iter().zip([Dialect::V065, Dialect::V06]) {
        let replay = replay(dialect, conversation);
        let stats = replay.client.stats();
        is_fine(&replay, &stats);
        assert!(replay.knows("Motd") && replay.knows("Joined"));
        good += stats.snapshots.good;
    }
    assert_eq!(good, 57);
}

#[test]
fn once_warm_snapshots_inputs_and_acknowledgements_allocate_nothing() {
    let mut counted = 0;
    for (capture, dialect) in [
        ("tw-0.6-ddnet-tken", Dialect::Tken),
        ("tw-0.7-two-clients", Dialect::V07),
        ("tw-0.6.5-tokens", Dialect::V065),
    ] {
        let conversation = sessions(capture).into_iter().max_by_key(|one| one.datagrams.len()).unwrap();
        let from_server =
            conversation.datagrams.iter().filter(|datagram| datagram.from == ConversationSide::Second);
        let mut replay = Replay::new(dialect, &conversation);
        from_server.clone().for_each(|datagram| replay.take(datagram));
        replay.restart(&conversation);
        for datagram in from_server {
            let (events, is_playing) = (replay.events.len(), replay.client.state() == "playing");
            let allocated = measure(|| replay.take(datagram));
            // Texts in events are allocated.
            if is_playing && replay.events.len() == events {
                assert_eq!(allocated.count_total, 0, "{capture} frame {}", datagram.frame);
                counted += 1;
            }
        }
    }
    assert!(counted > 2500, "{counted}");
}

#[test]
fn the_captures_have_the_expected_dialects() {
    use gamewire::machine::Follow as _;
    for (capture, dialects) in [
        ("tw-0.6-ddnet-tken", vec![Dialect::Tken]),
        ("tw-0.7-two-clients", vec![Dialect::V07; 2]),
        ("tw-0.6.5-tokens", vec![Dialect::V065, Dialect::V06]),
    ] {
        let found: Vec<_> = sessions(capture)
            .iter()
            .map(|conversation| {
                let mut follower = Follower::default();
                for datagram in &conversation.datagrams {
                    follower.follow(datagram.at, datagram.from, &datagram.data, &mut ());
                }
                follower.dialect_kind().unwrap()
            })
            .collect();
        assert_eq!(found, dialects, "{capture}");
    }
}
