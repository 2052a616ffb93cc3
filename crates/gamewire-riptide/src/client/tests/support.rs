//! A client in a test harness, and the packets of its server.

use core::net::{IpAddr, Ipv4Addr, SocketAddr};
use core::time::Duration;

use gamewire_machine::{Instant, Machine};

use crate::PacketError;
use crate::client::{Client, ClientConfig, Event};
use crate::{Format, Message};

pub(super) const SERVER: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 7777);
pub(super) const UNKNOWN: SocketAddr = SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 7778);

/// Returns the time `millis` milliseconds after the start.
pub(super) const fn at(millis: u64) -> Instant {
    Instant::from_micros(millis * 1000)
}

/// Parses bytes in hexadecimal, separated by spaces.
pub(super) fn hex(text: &str) -> Vec<u8> {
    text.split(' ').map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
}

/// Packets of a client and its server, in one format.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wire {
    pub(super) format: Format,
    pub(super) connect: &'static str,
    pub(super) pending: &'static str,
    /// The Welcome of client 1. The client's echo has the same bytes.
    pub(super) welcome: &'static str,
    /// The ack of the first reliable packet.
    pub(super) ack: &'static str,
    pub(super) heartbeat: &'static str,
    pub(super) reply: &'static str,
    /// Client 2 connected and disconnected: reliable packets 2 and 3.
    pub(super) came: &'static str,
    pub(super) left: &'static str,
    /// Reliable packet 2, message 10, the number 0x11223344.
    pub(super) reliable: &'static str,
    /// Unreliable message 11 with the same number.
    pub(super) unreliable: &'static str,
    pub(super) leave: &'static str,
    /// A Disconnect with the byte 7.
    pub(super) kick: &'static str,
    /// A Disconnect without data.
    pub(super) bare_kick: &'static str,
    pub(super) stop: &'static str,
    /// A Reject: the server is full.
    pub(super) full: &'static str,
}

pub(super) const V21: Wire = Wire {
    format: Format::V21,
    connect: "02",
    pending: "02",
    welcome: "18 00 10 00 00",
    ack: "11 00 10 00 00",
    heartbeat: "04 f0 ff 0f",
    reply: "04 00",
    came: "29 00 20 00 00",
    left: "3a 00 20 00 00",
    reliable: "27 00 a0 40 34 23 12 01",
    unreliable: "b0 40 34 23 12 01",
    leave: "05",
    kick: "45 70 00",
    bare_kick: "45 00",
    stop: "55 00",
    full: "23 00",
};

pub(super) const V20: Wire = Wire {
    format: Format::V20,
    connect: "03",
    pending: "03",
    welcome: "08 01 00 01 00",
    ack: "01 01 00 01 00",
    heartbeat: "05 00 ff ff",
    reply: "05 00",
    came: "09 02 00 02 00",
    left: "0a 03 00 02 00",
    reliable: "07 02 00 0a 00 44 33 22 11",
    unreliable: "00 0b 00 44 33 22 11",
    leave: "06",
    kick: "06 04 07",
    bare_kick: "06 04",
    stop: "06 05",
    full: "04 03",
};

/// The packets of both formats.
pub(super) const WIRES: [Wire; 2] = [V20, V21];

/// A client in a test harness.
#[derive(Debug)]
pub(super) struct Harness {
    pub(super) client: Client,
    pub(super) now: Instant,
}

impl Harness {
    pub(super) fn new(format: Format) -> Self {
        Self::with(&ClientConfig::new(format))
    }

    pub(super) fn with(config: &ClientConfig) -> Self {
        Self { client: Client::connect(config, SERVER, at(0)).unwrap(), now: at(0) }
    }

    /// Creates a client that received its Welcome after 10 ms, and echoed it.
    pub(super) fn connected(config: &ClientConfig) -> Self {
        let mut harness = Self::with(config);
        harness.wait(10);
        let wire = if config.format == Format::V20 { V20 } else { V21 };
        harness.receive(wire.welcome).unwrap();
        assert_eq!(harness.poll_events(), ["connected 1"]);
        harness.sent();
        harness
    }

    /// Handles a packet of the server.
    pub(super) fn receive(&mut self, packet: &str) -> Result<(), PacketError> {
        self.client.handle_datagram(self.now, SERVER, &hex(packet))
    }

    /// Returns all packets that the client sends now.
    pub(super) fn sent(&mut self) -> Vec<Vec<u8>> {
        let mut buffer = Vec::new();
        core::iter::from_fn(|| {
            let transmit = self.client.poll_transmit(self.now, &mut buffer)?;
            assert_eq!(transmit.to, SERVER);
            Some(buffer.clone())
        })
        .collect()
    }

    /// Lets time pass, fires timers, and returns the packets.
    pub(super) fn wait(&mut self, millis: u64) -> Vec<Vec<u8>> {
        let end = self.now + Duration::from_millis(millis);
        let mut sent = self.sent();
        while let Some(wake) = self.client.poll_timeout().filter(|wake| wake.at <= end) {
            self.now = self.now.max(wake.at);
            self.client.handle_timeout(self.now);
            sent.extend(self.sent());
        }
        self.now = end;
        sent
    }

    /// Returns a description of each event.
    pub(super) fn poll_events(&mut self) -> Vec<String> {
        core::iter::from_fn(|| self.client.poll_event()).map(describe).collect()
    }
}

/// Returns the whole bytes of a message in hexadecimal.
fn content(mut message: Message) -> String {
    let bytes = core::iter::from_fn(|| message.get_byte().ok()).map(|byte| format!("{byte:02x}"));
    bytes.collect()
}

fn data(message: Option<Message>) -> String {
    message.map_or(String::new(), |message| format!(" with {}", content(message)))
}

pub(super) fn describe(event: Event) -> String {
    match event {
        Event::Connected { id } => format!("connected {id}"),
        Event::ConnectionFailed { reason, data: said } => format!("failed: {reason:?}{}", data(said)),
        Event::MessageReceived { message } => {
            let id = message.id().map_or_else(|| "-".to_owned(), |id| id.to_string());
            format!("{} {id}: {}", message.mode(), content(message))
        }
        Event::Disconnected { reason, data: said, .. } => format!("disconnected: {reason:?}{}", data(said)),
        Event::ClientConnected { id } => format!("{id} came"),
        Event::ClientDisconnected { id } => format!("{id} left"),
        other => format!("{other:?}"),
    }
}
