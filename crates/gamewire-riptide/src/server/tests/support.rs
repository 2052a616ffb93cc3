//! A server in a test harness, and the packets of its clients.

use core::time::Duration;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use gamewire_machine::{Instant, Machine, StreamId, StreamOutput};

use crate::message::{Message, MessageSendMode};
use crate::server::{Event, Server, ServerConfig, ServerPacketError};
use crate::{ConnectionId, Endpoint, Format, PacketMachine};

/// Returns the time `millis` milliseconds after the start.
pub(super) const fn at(millis: u64) -> Instant {
    Instant::from_micros(millis * 1000)
}

/// Returns the address of a client.
pub(super) const fn host(number: u16) -> SocketAddr {
    SocketAddr::new(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)), 1000 + number)
}

pub(super) const fn stream(number: u64) -> StreamId {
    StreamId::new(number)
}

/// Parses bytes in hexadecimal, with or without spaces.
pub(super) fn bytes(text: &str) -> Vec<u8> {
    let digits: Vec<_> = text.chars().filter(|c| !c.is_whitespace()).collect();
    let byte = |pair: &[char]| u8::from_str_radix(&String::from_iter(pair), 16).unwrap();
    digits.chunks(2).map(byte).collect()
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}

/// The packets of a handshake and of messages, in one format.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wire {
    pub(super) format: Format,
    pub(super) connect: &'static str,
    /// A connect request with the bytes 1 2 3.
    pub(super) connect_with_data: &'static str,
    pub(super) pending: &'static str,
    /// The Welcome of client 1, and its echo: each is the first reliable packet of its sender.
    pub(super) welcome: &'static str,
    pub(super) welcome_2: &'static str,
    /// Ack of the first reliable packet, in either direction.
    pub(super) ack: &'static str,
    pub(super) heartbeat: &'static str,
    pub(super) reply: &'static str,
    /// The second reliable packet: client 2 connected, or client 2 disconnected.
    pub(super) came: &'static str,
    pub(super) left: &'static str,
    /// Reliable message 10 (the second reliable packet) and unreliable message 11, each with the number 0x11223344.
    pub(super) reliable: &'static str,
    pub(super) unreliable: &'static str,
    pub(super) leave: &'static str,
    /// A Disconnect without data, and with the byte 7.
    pub(super) kick: &'static str,
    pub(super) kick_with_data: &'static str,
    pub(super) stop: &'static str,
    /// A Reject because the server is full, a Reject by the application, and a Reject with the byte 7.
    pub(super) full: &'static str,
    pub(super) reject: &'static str,
    pub(super) reject_with_data: &'static str,
}

pub(super) const V21: Wire = Wire {
    format: Format::V21,
    connect: "02",
    connect_with_data: "12 20 30 00",
    pending: "02",
    welcome: "18 00 10 00 00",
    welcome_2: "18 00 20 00 00",
    ack: "11 00 10 00 00",
    heartbeat: "04 f0 ff 0f",
    reply: "04 00",
    came: "29 00 20 00 00",
    left: "2a 00 20 00 00",
    reliable: "27 00 a0 40 34 23 12 01",
    unreliable: "b0 40 34 23 12 01",
    leave: "05",
    kick: "45 00",
    kick_with_data: "45 70 00",
    stop: "55 00",
    full: "23 00",
    reject: "33 00",
    reject_with_data: "43 70 00",
};

pub(super) const V20: Wire = Wire {
    format: Format::V20,
    connect: "03",
    connect_with_data: "03 01 02 03",
    pending: "03",
    welcome: "08 01 00 01 00",
    welcome_2: "08 01 00 02 00",
    ack: "01 01 00 01 00",
    heartbeat: "05 00 ff ff",
    reply: "05 00",
    came: "09 02 00 02 00",
    left: "0a 02 00 02 00",
    reliable: "07 02 00 0a 00 44 33 22 11",
    unreliable: "00 0b 00 44 33 22 11",
    leave: "06",
    kick: "06 04",
    kick_with_data: "06 04 07",
    stop: "06 05",
    full: "04 03",
    reject: "04 04",
    reject_with_data: "04 05 07",
};

/// The packets of both formats.
pub(super) const WIRES: [Wire; 2] = [V20, V21];

impl Wire {
    /// Returns the frame of a packet.
    pub(super) fn frame(&self, packet: &str) -> Vec<u8> {
        let packet = bytes(packet);
        let length = (packet.len() as u32).to_le_bytes();
        let prefix = if self.format == Format::V20 { &length[..2] } else { &length };
        [prefix, &packet].concat()
    }
}

/// A server in a test harness.
#[derive(Debug)]
pub(super) struct Harness {
    pub(super) server: Server,
    pub(super) now: Instant,
    /// Outputs of streams in [`Harness::wait`], with their times.
    stream_outputs: Vec<(u64, String)>,
}

impl Harness {
    pub(super) fn new(max_client_count: u16) -> Self {
        Self::with(ServerConfig::new(max_client_count))
    }

    pub(super) fn with(config: ServerConfig) -> Self {
        Self { server: Server::new(config, at(0)), now: at(0), stream_outputs: Vec::new() }
    }

    /// Handles a datagram of a client.
    pub(super) fn receive(&mut self, from: u16, packet: &str) -> Result<(), ServerPacketError> {
        self.server.handle_datagram(self.now, host(from), &bytes(packet))
    }

    /// Creates a server with these connected clients, numbered from 1 on.
    pub(super) fn connected(config: ServerConfig, clients: &[Wire]) -> Self {
        let mut harness = Self::with(config);
        for (number, wire) in (1..).zip(clients) {
            harness.connect(number, wire);
        }
        harness.drain();
        harness
    }

    /// Connects a client. Notices to the other clients are polled, but not acknowledged.
    pub(super) fn connect(&mut self, number: u16, wire: &Wire) {
        self.receive(number, wire.connect).unwrap();
        let welcome = self.sent_to(number).pop().unwrap();
        self.receive(number, &welcome).unwrap();
        self.receive(number, wire.ack).unwrap();
    }

    /// Discards all packets and events.
    pub(super) fn drain(&mut self) {
        self.sent();
        self.poll_events();
    }

    /// Returns all datagrams that the server sends now.
    pub(super) fn sent(&mut self) -> Vec<(u16, String)> {
        let mut buffer = Vec::new();
        core::iter::from_fn(|| {
            let transmit = self.server.poll_transmit(self.now, &mut buffer)?;
            Some((transmit.to.port().wrapping_sub(1000), hex(&buffer)))
        })
        .collect()
    }

    /// Returns the datagrams that the server sends to one client now.
    pub(super) fn sent_to(&mut self, number: u16) -> Vec<String> {
        self.sent().into_iter().filter(|(to, _)| *to == number).map(|(_, packet)| packet).collect()
    }

    /// Lets time pass, fires timers, and returns the datagrams.
    pub(super) fn wait(&mut self, millis: u64) -> Vec<(u16, String)> {
        let end = self.now + Duration::from_millis(millis);
        let mut sent = self.sent();
        while let Some(wake) = self.server.poll_timeout().filter(|wake| wake.at <= end) {
            self.now = self.now.max(wake.at);
            self.server.handle_timeout(self.now);
            let next = self.server.poll_timeout();
            assert!(next.is_none_or(|wake| wake.at > self.now), "woken for nothing: {next:?}");
            sent.extend(self.sent());
            self.stream_outputs = self.stream_outputs();
        }
        self.now = end;
        sent
    }

    /// Returns a description of each event.
    pub(super) fn poll_events(&mut self) -> Vec<String> {
        core::iter::from_fn(|| self.server.poll_event()).map(describe).collect()
    }

    /// Returns the number of the last connection request, and discards all events.
    pub(super) fn requested(&mut self) -> Option<ConnectionId> {
        let events = core::iter::from_fn(|| self.server.poll_event());
        events
            .filter_map(|event| match event {
                Event::ConnectionRequested { connection, .. } => Some(connection),
                _ => None,
            })
            .last()
    }

    pub(super) fn open(&mut self, number: u64) {
        self.server.handle_open(self.now, stream(number), host(number as u16));
    }

    /// Handles bytes of a stream.
    pub(super) fn receive_bytes(&mut self, number: u64, data: &[u8]) {
        self.server.handle_bytes(self.now, stream(number), data);
    }

    /// Returns the outputs of streams: bytes or `closed`.
    pub(super) fn stream_outputs(&mut self) -> Vec<(u64, String)> {
        let mut all = core::mem::take(&mut self.stream_outputs);
        loop {
            let mut buffer = Vec::new();
            match self.server.poll_stream(self.now, &mut buffer) {
                Some(StreamOutput::Write(stream)) => all.push((stream.number(), hex(&buffer))),
                Some(StreamOutput::Close(stream)) => {
                    assert!(buffer.is_empty());
                    all.push((stream.number(), "closed".into()));
                }
                None => return all,
            }
        }
    }

    /// Returns the packets that the server sends over the application's own transports now.
    pub(super) fn sent_to_others(&mut self) -> Vec<(Endpoint, String)> {
        let mut buffer = Vec::new();
        core::iter::from_fn(|| self.server.poll_packet(self.now, &mut buffer).map(|to| (to, hex(&buffer))))
            .collect()
    }
}

/// Returns a message with one number.
pub(super) fn message(mode: MessageSendMode, id: u16) -> Message {
    let mut message = Message::create(mode, id);
    message.add_int(0x1122_3344);
    message
}

/// Returns user data with one byte.
pub(super) fn data(byte: u8) -> Message {
    let mut data = Message::create_data();
    data.add_byte(byte);
    data
}

/// Returns the whole bytes of a message in hexadecimal.
pub(super) fn content(mut message: Message) -> String {
    let bytes = core::iter::from_fn(|| message.get_byte().ok()).map(|byte| format!("{byte:02x}"));
    bytes.collect()
}

fn describe(event: Event) -> String {
    match event {
        Event::ConnectionRequested { connection, from, format, data, .. } => {
            format!("{connection} of {format} asks from {from}: {}", content(data))
        }
        Event::ConnectionFailed { connection, reason, .. } => format!("{connection} failed: {reason}"),
        Event::ClientConnected { client, format, .. } => format!("{client} came with {format}"),
        Event::MessageReceived { client, message } => {
            let id = message.id().map_or_else(|| "-".to_owned(), |id| id.to_string());
            format!("{client} says {} {id}: {}", message.mode(), content(message))
        }
        Event::ClientDisconnected { client, reason, .. } => format!("{client} left: {reason}"),
        other => format!("{other:?}"),
    }
}
