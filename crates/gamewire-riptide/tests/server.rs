//! The machine contract (`gamewire_sim::contract`) for the server: any packets in any order, over datagrams and
//! streams.

use core::time::Duration;
use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;

use crate::support::recorded;
use crate::support::sequence::{self, MAX_OWED};
use crate::support::serving::{FORMATS, Serving, config, message, of_clients};
use gamewire_machine::{Instant, Machine, Output, StreamId, StreamOutput, pump};
use gamewire_riptide::client::{Client, ClientConfig};
use gamewire_riptide::server::{Event, Server, ServerConfig};
use gamewire_riptide::{ClientId, ConnectionId, Format, MessageSendMode};
use gamewire_sim::contract::{self, PEER, START, SUBJECT};
use gamewire_sim::random::{Random, mutate, rounds};

/// Returns the number of changes to sequences for each format, in addition to those of `check`.
fn changes() -> usize {
    rounds(20_000, 200_000)
}

#[test]
fn a_server_keeps_the_contract_with_a_client_of_2_0() {
    contract::check::<Serving<0>>();
    sequence::check_mutants::<Serving<0, MAX_OWED>>("riptide_server", changes(), 1);
}

#[test]
fn a_server_keeps_the_contract_with_a_client_of_2_1() {
    contract::check::<Serving<1>>();
    sequence::check_mutants::<Serving<1, MAX_OWED>>("riptide_server", changes(), 2);
}

#[test]
fn a_server_survives_every_sequence_of_the_corpus() {
    let sequences = recorded::all::<Serving<0>>();
    sequence::keep("riptide_server", &sequences);
    sequences.iter().for_each(|(_, bytes)| sequence::server(bytes, 1));
    sequence::corpus("riptide_server").iter().for_each(|bytes| sequence::server(bytes, 1));
}

/// The clients that are connected according to the events.
#[derive(Default)]
struct Guests {
    requested: BTreeSet<ConnectionId>,
    ended: BTreeSet<ConnectionId>,
    clients: BTreeMap<ClientId, ConnectionId>,
    connected: usize,
    messages: usize,
}

impl Guests {
    fn note(&mut self, event: Event, is_gated: bool) {
        let about = match event {
            Event::ConnectionRequested { connection, .. } => {
                assert!(self.requested.insert(connection), "{connection} was requested twice");
                return;
            }
            Event::ConnectionFailed { connection, .. } => {
                assert!(self.ended.insert(connection), "{connection} came to be twice");
                return;
            }
            Event::ClientConnected { client, connection, .. } => {
                assert!(self.ended.insert(connection), "{connection} came to be twice");
                assert_eq!(self.clients.insert(client, connection), None, "{client} came twice");
                self.connected += 1;
                return;
            }
            Event::ClientDisconnected { client, .. } => {
                assert!(self.clients.remove(&client).is_some(), "{client} left twice");
                return;
            }
            Event::MessageReceived { client, .. } => {
                self.messages += 1;
                if !is_gated {
                    return;
                }
                client
            }
            Event::Delivery { client, .. } => client,
            _ => return,
        };
        assert!(self.clients.contains_key(&about), "{about} is not there");
    }
}

/// A server that receives random operations.
struct Storm {
    server: Server,
    random: Random,
    now: Instant,
    guests: Guests,
    packets: Vec<(Format, Vec<u8>)>,
    streams: u64,
    is_gated: bool,
    held: usize,
    mutated: usize,
}

impl Storm {
    fn new(seed: u64, packets: Vec<(Format, Vec<u8>)>) -> Self {
        let mut config = config(seed);
        config.require_handshake = seed.is_multiple_of(2);
        let is_gated = config.require_handshake;
        let server = Server::new(config, START);
        let held = server.held_bytes();
        let random = Random::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        Self {
            server,
            random,
            now: START,
            guests: Guests::default(),
            packets,
            streams: 0,
            is_gated,
            held,
            mutated: 0,
        }
    }

    fn packet(&mut self) -> (Format, Vec<u8>) {
        let (format, mut packet) = self.packets[self.random.below(self.packets.len())].clone();
        match self.random.below(8) {
            0..4 => {
                mutate(&mut packet, &mut self.random, 1_300);
                self.mutated += 1;
            }
            // A connect request, or an echo with an id that may be valid.
            4 if format == Format::V20 => packet = vec![3],
            4 => packet = vec![2],
            5 | 6 => {
                let id = self.random.below(4) as u8 + 1;
                packet = match format {
                    Format::V20 => vec![8, 1, 0, id, 0],
                    Format::V21 => vec![0x18, 0, id << 4, 0, 0],
                };
            }
            _ => {}
        }
        (format, packet)
    }

    fn step(&mut self) {
        let number = self.random.number();
        match self.random.below(20) {
            0..8 => {
                let (_, packet) = self.packet();
                let from = SocketAddr::from(([192, 0, 2, 1], 1 + number as u16 % 6));
                let _ = self.server.handle_datagram(self.now, from, &packet);
            }
            8 => {
                self.streams += 1;
                let from = SocketAddr::from(([192, 0, 2, 2], 1 + number as u16 % 6));
                self.server.handle_open(self.now, StreamId::new(self.streams), from);
            }
            9..14 => {
                let (format, packet) = self.packet();
                let mut bytes = (packet.len() as u32).to_le_bytes().to_vec();
                bytes.truncate(if format == Format::V20 { 2 } else { 4 });
                bytes.extend_from_slice(&packet);
                if number.is_multiple_of(32) {
                    mutate(&mut bytes, &mut self.random, 1_300);
                }
                let stream = StreamId::new(self.streams.saturating_sub(number % 4));
                for part in bytes.chunks(1 + self.random.below(40)) {
                    self.server.handle_bytes(self.now, stream, part);
                }
            }
            14 if number.is_multiple_of(2) => {
                self.server.handle_close(self.now, StreamId::new(self.streams.saturating_sub(number % 4)));
            }
            15 => {
                for connection in self.guests.requested.clone() {
                    if number.is_multiple_of(4) {
                        let _ = self.server.reject(connection, None);
                    } else {
                        self.server.accept(connection);
                    }
                }
            }
            16 if number.is_multiple_of(8) => {
                let _ = self.server.disconnect_client(ClientId(number as u16 % 9), None);
            }
            17 => self.now = self.now + Duration::from_millis(number % 1_500),
            _ => {
                let mode = MessageSendMode::ALL[self.random.below(3)];
                self.server.send_to_all(&message(mode, number));
            }
        }
        if self.random.below(3) > 0 {
            self.turn();
        }
    }

    fn turn(&mut self) {
        let mut buffer = Vec::new();
        let mut closed = BTreeSet::new();
        let (guests, is_gated) = (&mut self.guests, self.is_gated);
        for _ in 0..3 {
            let wake = pump(
                &mut self.server,
                self.now,
                &mut buffer,
                |output, bytes| match output {
                    Output::Datagram(_) => assert!((1..=1_231).contains(&bytes.len())),
                    Output::Stream(StreamOutput::Write(stream)) => {
                        assert!((3..=1_235).contains(&bytes.len()));
                        assert!(!closed.contains(&stream), "{stream} is closed");
                    }
                    Output::Stream(StreamOutput::Close(stream)) => {
                        assert!(closed.insert(stream), "{stream} is closed twice");
                    }
                },
                |event| guests.note(event, is_gated),
            );
            if wake.is_none_or(|wake| wake.at > self.now) {
                break;
            }
        }
        assert_eq!(self.server.client_count(), self.guests.clients.len());
        assert!(self.server.half_open_count() <= 32);
    }

    /// Lets all clients leave or time out, and checks that no state is left.
    fn finish(&mut self) {
        for _ in 0..20 {
            self.now = self.now + Duration::from_secs(1);
            self.turn();
            for stream in 0..=self.streams {
                self.server.handle_close(self.now, StreamId::new(stream));
            }
        }
        self.turn();
        assert_eq!((self.server.client_count(), self.server.half_open_count()), (0, 0));
        assert!(self.guests.requested.is_subset(&self.guests.ended));
        // Empty tables and queues keep the memory that they once needed.
        let held = self.server.held_bytes().saturating_sub(self.held);
        assert!(held < 300_000, "{held} bytes");
    }
}

#[test]
fn mutated_operations_in_any_order_never_break_a_server() {
    let of = |format| of_clients(format).iter().map(move |packet| (format, packet.clone()));
    let packets: Vec<_> = FORMATS.into_iter().flat_map(of).collect();
    let (mut connected, mut messages, mut mutated) = (0, 0, 0);
    for seed in 0..6_000 {
        let mut storm = Storm::new(seed, packets.clone());
        for _ in 0..120 {
            storm.step();
        }
        storm.finish();
        connected += storm.guests.connected;
        messages += storm.guests.messages;
        mutated += storm.mutated;
    }
    assert!(mutated >= 200_000, "{mutated}");
    assert!(connected > 900 && messages > 2_000, "{connected} clients, {messages} messages");
}

#[test]
fn the_other_role_of_the_contract_gets_in() {
    for (number, format) in FORMATS.into_iter().enumerate() {
        let mut server = Server::new(ServerConfig::new(4), START);
        let mut client = Client::connect(&ClientConfig::new(format), SUBJECT, START).unwrap();
        let (mut buffer, mut now) = (Vec::new(), START);
        for _ in 0..100 {
            now = now + Duration::from_millis(20);
            pump(
                &mut client,
                now,
                &mut buffer,
                |_, data| server.handle_datagram(now, PEER, data).unwrap(),
                |_| {},
            );
            pump(
                &mut server,
                now,
                &mut buffer,
                |_, data| client.handle_datagram(now, SUBJECT, data).unwrap(),
                |_| {},
            );
        }
        assert!(client.is_connected() && server.client_count() == 1, "{number}");
    }
}
