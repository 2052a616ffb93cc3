//! A client and a scripted server without a delay between them.

use core::net::{IpAddr, Ipv4Addr};
use core::time::Duration;
use std::net::SocketAddr;

use gamewire_machine::{Instant, Machine};
use gamewire_wire::Writer;

use crate::Dialect;
use crate::client::{Client, ClientConfig, Event, MapPolicy};
use crate::handshake::{
    AcceptOutcome, Acceptor, AcceptorConfig, FirstPacket, Offer, SeededRng, TokenlessPolicy,
};
use crate::link::{Link, LinkConfig, LinkInput, Outbox, OverflowPolicy, Scratch, SendError};
use crate::model::message::{MapChunking, MapId, ServerMessage};
use crate::shared::pack::Text;
use crate::shared::system::SnapEmpty;
use crate::shared::version::SnapshotMessage;

pub(super) const SERVER: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8303);
pub(super) const CLIENT: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 50_000);
pub(super) const START: Instant = Instant::from_micros(1_000_000);
pub(super) const DIALECTS: [Dialect; 4] = [Dialect::V06, Dialect::V065, Dialect::Tken, Dialect::V07];
/// The map of the test's server.
pub(super) const MAP: &[u8] = b"a map of seventeen bytes or so";

pub(super) struct Table {
    pub(super) dialect: Dialect,
    pub(super) now: Instant,
    pub(super) client: Client,
    acceptor: Acceptor,
    pub(super) link: Option<Link>,
    scratch: Scratch,
    out: Outbox,
    /// Number of the server's next datagrams that are lost.
    pub(super) losses: u32,
    /// The client's messages since the last call. The flag shows whether the message was vital.
    said: Vec<(String, bool)>,
    /// Number of datagrams of the client since the last call.
    pub(super) datagrams: u64,
}

pub(super) fn config(dialect: Dialect) -> ClientConfig {
    ClientConfig::new(dialect, "anna", [7; 32])
}

/// A link that does not close when the send buffer is full.
pub(super) const fn patient(dialect: Dialect) -> LinkConfig {
    LinkConfig { overflow: OverflowPolicy::Refuse, ..LinkConfig::vanilla(dialect) }
}

impl Table {
    /// Creates both sides, before the first datagram.
    pub(super) fn with(config: ClientConfig) -> Self {
        Self::at_gate(config, TokenlessPolicy::Accept(patient(Dialect::V06)))
    }

    /// Creates both sides with a policy for clients without tokens.
    pub(super) fn at_gate(config: ClientConfig, tokenless: TokenlessPolicy) -> Self {
        let acceptor_config = AcceptorConfig {
            tken: Some(patient(Dialect::Tken)),
            v065: Some(patient(Dialect::V065)),
            v07: Some(patient(Dialect::V07)),
            tokenless,
            ..AcceptorConfig::vanilla()
        };
        Self {
            dialect: match config.offer {
                Offer::Any06 => Dialect::Tken,
                Offer::Only(dialect) => dialect,
            },
            now: START,
            client: Client::connect(SERVER, config, START),
            acceptor: Acceptor::new(acceptor_config, &mut SeededRng::new([9; 32])),
            link: None,
            scratch: Scratch::new(),
            out: Outbox::new(),
            losses: 0,
            said: Vec::new(),
            datagrams: 0,
        }
    }

    /// Creates both sides with a connection, after INFO.
    pub(super) fn connected(config: ClientConfig) -> Self {
        let mut table = Self::with(config);
        table.settle();
        assert_eq!(table.client.state(), "logging in");
        table.said.clear();
        table
    }

    /// Creates both sides in the game.
    pub(super) fn playing(dialect: Dialect) -> Self {
        let mut table = Self::connected(config(dialect));
        table.say(&map_change(dialect));
        table.say(&ServerMessage::ConReady);
        table.say(&ServerMessage::ReadyToEnter);
        for tick in [100, 102] {
            table.say(&empty_snapshot(tick));
        }
        assert_eq!(table.client.state(), "playing");
        table.said.clear();
        table.events();
        table
    }

    /// Sends a message of the server. It is vital if the games send it as vital.
    pub(super) fn say(&mut self, word: &ServerMessage<'_>) {
        let vital = !matches!(
            word,
            ServerMessage::Snapshot(_)
                | ServerMessage::InputTiming { .. }
                | ServerMessage::Ping
                | ServerMessage::PingEx(_)
        );
        self.say_as(vital, word);
    }

    /// Sends a message of the server.
    pub(super) fn say_as(&mut self, vital: bool, word: &ServerMessage<'_>) {
        let mut buffer = [0; 2048];
        let mut to = Writer::new(&mut buffer);
        self.dialect.encode_server_message(word, &mut to).unwrap();
        self.say_bytes(vital, to.written());
    }

    /// Sends any bytes as a message of the server.
    pub(super) fn say_bytes(&mut self, vital: bool, message: &[u8]) {
        let mut sent = self.send(vital, message);
        if sent == Err(SendError::Full) {
            // The client's next input or KEEPALIVE acknowledges the earlier messages.
            self.pass(Duration::from_millis(1100));
            sent = self.send(vital, message);
        }
        sent.unwrap();
        self.settle();
    }

    fn send(&mut self, vital: bool, message: &[u8]) -> Result<(), SendError> {
        let link = self.link.as_mut().unwrap();
        link.advance(self.now);
        link.send(vital, message)?;
        link.flush();
        Ok(())
    }

    /// Exchanges datagrams until there are none.
    pub(super) fn settle(&mut self) {
        let mut buffer = Vec::new();
        loop {
            let mut is_quiet = true;
            while self.client.poll_transmit(self.now, &mut buffer).is_some() {
                is_quiet = false;
                self.datagrams += 1;
                self.take(&buffer);
            }
            while self.poll_server(&mut buffer) {
                is_quiet = false;
                if self.losses > 0 {
                    self.losses -= 1;
                    continue;
                }
                self.client.handle_datagram(self.now, SERVER, &buffer).unwrap();
            }
            if is_quiet {
                return;
            }
        }
    }

    /// Takes the next datagram of the server.
    fn poll_server(&mut self, buffer: &mut Vec<u8>) -> bool {
        let from_link = |link: &mut Link| link.poll_transmit(buffer).is_some();
        self.link.as_mut().is_some_and(from_link) || self.out.pop(buffer).is_some()
    }

    /// Advances the time and fires the client's timers. The server only maintains the connection.
    pub(super) fn pass(&mut self, span: Duration) {
        let end = self.now + span;
        while let Some(wake) = self.client.poll_timeout().filter(|wake| wake.at <= end) {
            self.now = self.now.max(wake.at);
            self.client.handle_timeout(self.now);
            assert!(self.client.poll_timeout().is_none_or(|wake| wake.at > self.now));
            if let Some(link) = &mut self.link {
                let _ = link.handle_timeout(self.now);
            }
            self.settle();
        }
        self.now = end;
    }

    /// Returns the names of the client's messages since the last call, with `~` before non-vital ones.
    pub(super) fn said(&mut self) -> Vec<String> {
        let name = |(word, vital): (String, bool)| {
            let end = word.find(|c: char| !c.is_alphanumeric()).unwrap_or(word.len());
            format!("{}{}", if vital { "" } else { "~" }, &word[..end])
        };
        self.said.drain(..).map(name).collect()
    }

    /// Returns the client's messages since the last call in full.
    pub(super) fn said_in_full(&mut self) -> Vec<String> {
        self.said.drain(..).map(|(word, _)| word).collect()
    }

    /// Returns the events since the last call.
    pub(super) fn events(&mut self) -> Vec<Event> {
        core::iter::from_fn(|| self.client.poll_event()).collect()
    }

    fn take(&mut self, datagram: &[u8]) {
        if self.link.is_none() {
            let outcome = self.acceptor.receive(self.now, CLIENT, datagram, &mut self.out);
            let Ok(AcceptOutcome::Accepted { link, first_packet }) = outcome else { return };
            self.link = Some(link);
            if first_packet != FirstPacket::WithMessages {
                return;
            }
        }
        let Some(link) = &mut self.link else { return };
        match link.receive(self.now, datagram, &mut self.scratch) {
            Ok(LinkInput::Chunks(chunks)) => {
                for chunk in chunks {
                    let word = self.dialect.decode_client_message(chunk.content).unwrap();
                    self.said.push((format!("{word:?}"), chunk.vital));
                }
            }
            Ok(LinkInput::Close { reason }) => {
                self.said.push((format!("Close {:?}", reason.map(|reason| reason.to_string())), false));
                self.link = None;
            }
            _ => {}
        }
    }
}

/// Returns the MAP_CHANGE of the test's server.
pub(super) fn map_change(dialect: Dialect) -> ServerMessage<'static> {
    let pieces = MapChunking { per_request: 2, size: 10 };
    ServerMessage::MapChange { map: map_id(dialect), chunking: (dialect == Dialect::V07).then_some(pieces) }
}

pub(super) fn map_id(dialect: Dialect) -> MapId<'static> {
    use sha2::Digest as _;
    let sha256 = (dialect == Dialect::V07).then(|| sha2::Sha256::digest(MAP).into());
    MapId { name: Text::new("dm1"), crc: crc32fast::hash(MAP), size: 30, sha256 }
}

/// Returns a configuration that asks about the map.
pub(super) fn asking(dialect: Dialect) -> ClientConfig {
    ClientConfig { maps: MapPolicy::Ask, ..config(dialect) }
}

/// Returns a snapshot of an empty world without a base.
pub(super) fn empty_snapshot(tick: i32) -> ServerMessage<'static> {
    ServerMessage::Snapshot(SnapshotMessage::Empty(SnapEmpty { tick, delta: tick.wrapping_add(1) }))
}
