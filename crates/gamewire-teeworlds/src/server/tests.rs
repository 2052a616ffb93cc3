//! Scenarios of a server with clients that misbehave.

use core::time::Duration;
use std::net::SocketAddr;

use gamewire_machine::{Instant, Machine as _};
use gamewire_wire::Writer;

use super::ServerState;
use super::peer_state::PeerState;
use super::{Event, Map, Server, ServerConfig, WalkingGame};
use crate::Dialect;
use crate::handshake::{AcceptorConfig, SeededRng, TokenlessPolicy};
use crate::link::{CloseReason, Link, LinkConfig, LinkInput, LinkTokens, OverflowPolicy, Scratch};
use crate::model::Skin;
use crate::model::message::{Audience, ClientId, ClientMessage, Profile, ServerMessage};
use crate::shared::data::Token;
use crate::shared::pack::Text;
use crate::shared::value::Emoticon;

const START: Instant = Instant::from_micros(1_000_000_000);
const CONFIG: LinkConfig = LinkConfig::vanilla(Dialect::V06);

fn server() -> Server<WalkingGame> {
    server_of(CONFIG)
}

/// Returns a server of plain 0.6 with a link configuration.
fn server_of(link: LinkConfig) -> Server<WalkingGame> {
    let mut config = ServerConfig::new([1; 32], "server", Map::new("dm1", vec![7; 100]));
    config.acceptor =
        AcceptorConfig { tokenless: TokenlessPolicy::Accept(link), ..AcceptorConfig::vanilla() };
    Server::new(config, WalkingGame::default(), START)
}

/// A scripted client of plain 0.6.
struct Thin {
    address: SocketAddr,
    link: Link,
}

impl Thin {
    /// Returns a client in the game.
    fn playing(number: u8, server: &mut Server<WalkingGame>) -> Self {
        Self::playing_at(SocketAddr::from(([10, 0, 0, number], 5000)), server)
    }

    fn playing_at(address: SocketAddr, server: &mut Server<WalkingGame>) -> Self {
        let mut thin = Self::connected(address, server);
        thin.login(4);
        thin.speak(START, server);
        thin
    }

    /// Returns a client with a slot.
    fn connected(address: SocketAddr, server: &mut Server<WalkingGame>) -> Self {
        server.handle_datagram(START, address, &[0x10, 0, 0, 1]).unwrap();
        // The send buffer is large, so that the client need not wait for acknowledgements.
        let config = LinkConfig { resend_buffer: 1 << 20, ..CONFIG };
        let link = Link::new(LinkTokens::V06, address, config, START);
        Self { address, link }
    }

    /// Sends the first `count` messages of the login.
    fn login(&mut self, count: usize) {
        let info = ClientMessage::Info {
            version: Text::new(Dialect::V06.net_version()),
            password: Text::new(""),
            client_version: None,
        };
        let text = Text::new;
        let profile = Profile { name: text("name"), clan: text(""), country: -1, skin: Skin::default() };
        let all = [info, ClientMessage::Ready, ClientMessage::StartInfo(profile), ClientMessage::EnterGame];
        all.iter().take(count).for_each(|message| self.say(message));
    }

    fn say(&mut self, message: &ClientMessage<'_>) {
        let mut buffer = [0; 1400];
        let mut to = Writer::new(&mut buffer);
        Dialect::V06.encode_client_message(message, &mut to).unwrap();
        let vital = !matches!(message, ClientMessage::Ping);
        self.link.send(vital, to.written()).unwrap();
    }

    /// Sends the queued messages. Returns the number of accepted datagrams.
    fn speak(&mut self, now: Instant, server: &mut Server<WalkingGame>) -> usize {
        self.link.advance(now);
        self.link.flush();
        let mut buffer = Vec::new();
        core::iter::from_fn(|| {
            self.link.poll_transmit(&mut buffer)?;
            server.handle_datagram(now, self.address, &buffer).ok()
        })
        .count()
    }
}

/// Returns the number of datagrams that the server sends.
fn sent(server: &mut Server<WalkingGame>, now: Instant) -> usize {
    let mut buffer = Vec::new();
    core::iter::from_fn(|| server.poll_transmit(now, &mut buffer)).count()
}

fn chats(server: &mut Server<WalkingGame>) -> usize {
    let events = core::iter::from_fn(|| server.poll_event());
    events.filter(|event| matches!(event, Event::Chat { .. })).count()
}

#[test]
fn a_flood_of_relayed_messages_is_limited_and_disconnects_no_client() {
    let mut server = server();
    let (mut loud, _quiet) = (Thin::playing(1, &mut server), Thin::playing(2, &mut server));
    let line = ClientMessage::Say { audience: Audience::All, text: Text::new("x") };
    let words = [line, ClientMessage::Emoticon(Emoticon::HEARTS), ClientMessage::Kill];
    words.iter().cycle().take(500).for_each(|message| loud.say(message));
    loud.speak(START, &mut server);
    server.handle_timeout(START);
    assert_eq!(server.client_count(), 2, "both are still connected");
    assert_eq!(chats(&mut server), 11, "of 32 messages");

    let (later, long) = (START + Duration::from_secs(2), "\u{e4}".repeat(400));
    let line = ClientMessage::Say { audience: Audience::All, text: Text::new(&long) };
    let mut loud = Thin::playing(3, &mut server);
    (0..4).for_each(|_| loud.say(&line));
    loud.speak(later, &mut server);
    let heard = core::iter::from_fn(|| server.poll_event()).filter_map(|event| match event {
        Event::Chat { text, .. } => Some(text.as_bytes().len()),
        _ => None,
    });
    assert_eq!(heard.collect::<Vec<_>>(), [256; 4], "a few lines are relayed and truncated");
}

#[test]
fn a_datagram_full_of_pings_is_answered_by_one_datagram() {
    let mut server = server();
    let mut thin = Thin::playing(1, &mut server);
    sent(&mut server, START);
    (0..255).for_each(|_| thin.say(&ClientMessage::Ping));
    assert_eq!(thin.speak(START, &mut server), 1);
    assert_eq!(sent(&mut server, START), 1);
}

#[test]
fn a_client_that_reconnects_repeatedly_is_rejected_and_disconnects_no_other() {
    let mut server = server();
    let _quiet = Thin::playing(1, &mut server);
    for _ in 0..500 {
        let mut hasty = Thin::playing(2, &mut server);
        hasty.link.close(None);
        hasty.speak(START, &mut server);
    }
    server.handle_timeout(START);
    assert_eq!(server.client_count(), 1);
    sent(&mut server, START);
    Thin::playing(2, &mut server);
    assert_eq!(server.client_count(), 1, "not yet");
}

#[test]
fn the_info_for_0_6_has_a_version_that_clients_of_0_6_show() {
    let mut server = server();
    let mut buffer = Vec::new();
    for question in
        [b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xffgie3\x05", b"xe\0\0\0\0\xff\xff\xff\xffgie3\x05"]
    {
        server.handle_datagram(START, SocketAddr::from(([10, 0, 0, 9], 5)), question).unwrap();
        server.poll_transmit(START, &mut buffer).unwrap();
        assert!(buffer.windows(8).any(|window| window == b"\x000.6\0ser"), "{}", buffer.escape_ascii());
    }
}

#[test]
fn a_client_with_a_full_send_buffer_is_disconnected() {
    let mut server = server_of(LinkConfig { overflow: OverflowPolicy::Refuse, ..CONFIG });
    let _mute = Thin::playing(1, &mut server);
    for _ in 0..600 {
        server.say("x");
    }
    server.handle_timeout(START);
    let events = core::iter::from_fn(|| server.poll_event());
    let weak = events.filter(|event| matches!(event, Event::Closed { reason: CloseReason::OutOfBuffer, .. }));
    assert_eq!(weak.count(), 1);
    assert_eq!(server.client_count(), 0);
}

#[test]
fn a_download_in_0_7_continues_with_the_first_chunk_that_did_not_fit() {
    let bytes: Vec<u8> = (0..60_000_u32).map(|number| number.to_be_bytes()[2]).collect();
    let config = ServerConfig::new([1; 32], "server", Map::new("dm1", bytes.clone()));
    let map = config.map.clone();
    let mut state = ServerState::new(config, &mut SeededRng::new([1; 32]), START);
    let (ours, theirs) = (Token(1), Token(2));
    let (address, link) = (SocketAddr::from(([10, 0, 0, 1], 5000)), LinkConfig::ddnet(Dialect::V07));
    let slot = state.accept(Link::new(LinkTokens::V07 { ours, theirs }, address, link, START), true).unwrap();
    let peers = &mut state.peers;
    peers.update(slot, |peer| peer.send_map_change(&map));

    let tokens = LinkTokens::V07 { ours: theirs, theirs: ours };
    let mut client = Link::new(tokens, address, link, START);
    let (mut scratch, mut buffer, mut pieces) = (Scratch::new(), Vec::new(), Vec::new());
    for _ in 0..3 {
        // These requests overflow the send buffer, because nothing is acknowledged.
        peers.update(slot, |peer| {
            (0..3).for_each(|_| peer.on_request_map_data(None, &map));
            peer.flush_urgent();
        });
        while peers.transmits.pop(&mut buffer).is_some() {
            let LinkInput::Chunks(chunks) = client.receive(START, &buffer, &mut scratch).unwrap() else {
                continue;
            };
            for chunk in chunks {
                if let Ok(ServerMessage::MapData { data, .. }) =
                    Dialect::V07.decode_server_message(chunk.content)
                {
                    pieces.extend_from_slice(data);
                }
            }
        }
        client.send(true, &[0]).unwrap();
        client.flush();
        while client.poll_transmit(&mut buffer).is_some() {
            peers
                .update(slot, |peer| peer.link.receive(START, &buffer, &mut scratch).map(drop))
                .unwrap()
                .unwrap();
        }
    }
    assert!(matches!(peers.get(slot).unwrap().state, PeerState::AwaitReady { .. }));
    assert!(pieces == bytes, "{} bytes of {}", pieces.len(), bytes.len());
}

#[test]
fn one_prefix_of_ipv6_gets_as_many_slots_as_one_address_of_ipv4() {
    let mut server = server();
    for number in 1..=9 {
        for address in [format!("[2001:db8:0:{number}::1]:5000"), format!("10.0.0.{number}:5000")] {
            Thin::playing_at(address.parse().unwrap(), &mut server);
        }
    }
    assert_eq!(server.client_count(), 4 + 9, "4 from 2001:db8::/56, and all from IPv4");
    Thin::playing_at("[2001:db8:0:100::1]:5000".parse().unwrap(), &mut server);
    assert_eq!(server.client_count(), 14, "another prefix has its own slots");
}

#[test]
fn keepalives_do_not_extend_the_login_timeouts() {
    let mut server = server_of(LinkConfig { unacked_timeout: Duration::from_secs(200), ..CONFIG });
    let mut thins: Vec<_> = (0..=4_u8)
        .map(|count| {
            let mut thin = Thin::connected(SocketAddr::from(([10, 0, 0, count], 5000)), &mut server);
            thin.login(count.into());
            thin.speak(START, &mut server);
            thin
        })
        .collect();
    let taken = (1..=125).map(|second| {
        let now = START + Duration::from_secs(second);
        for thin in &mut thins {
            thin.link.advance(now);
            thin.link.send_control(0, &[]);
            thin.speak(now, &mut server);
        }
        server.handle_timeout(now);
        server.client_count()
    });
    let taken = taken.collect::<Vec<_>>();
    assert_eq!([taken[8], taken[9], taken[118], taken[119], taken[124]], [5, 4, 4, 1, 1]);
}

#[test]
fn clients_of_0_7_get_no_slot_over_63() {
    let mut config = ServerConfig::new([1; 32], "server", Map::new("dm1", vec![7; 100]));
    (config.max_clients, config.max_clients_per_address) = (128, 255);
    let mut state = ServerState::new(config, &mut SeededRng::new([1; 32]), START);
    let mut accepted = |tokens: LinkTokens| {
        let slots = (0..70).filter_map(|number| {
            // All addresses are in different networks. Each network has its own rate limit.
            let address =
                SocketAddr::from(([10, number, 0, 1], if tokens == LinkTokens::V06 { 6 } else { 7 }));
            state.accept(Link::new(tokens, address, CONFIG, START), true)
        });
        slots.collect::<Vec<_>>()
    };
    let v07 = LinkTokens::V07 { ours: Token(1), theirs: Token(2) };
    assert_eq!(accepted(v07), (0..64).collect::<Vec<_>>());
    assert_eq!(accepted(LinkTokens::V06), (64..128).collect::<Vec<_>>());
}

#[test]
fn messages_wait_for_the_next_one_that_is_sent_now() {
    let mut server = server();
    Thin::connected(SocketAddr::from(([10, 0, 0, 1], 5000)), &mut server);
    let (id, mut buffer) = (ClientId(0), Vec::new());
    let mut sent = |server: &mut Server<WalkingGame>| {
        core::iter::from_fn(|| server.poll_transmit(START, &mut buffer)).count()
    };
    sent(&mut server);
    let motd = ServerMessage::Motd(Text::new("hello"));
    server.messages().send(id, &motd).unwrap();
    server.messages().send(id, &ServerMessage::VoteClearOptions).unwrap();
    assert_eq!(sent(&mut server), 0);
    server.messages().send_now(id, &ServerMessage::ConReady).unwrap();
    assert_eq!(sent(&mut server), 1, "all three in one datagram");
    server.messages().send(id, &motd).unwrap();
    server.messages().flush(id);
    assert_eq!(sent(&mut server), 1);
}
