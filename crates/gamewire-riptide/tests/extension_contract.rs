//! The machine contract (`gamewire_sim::contract`) for machines with the extension.

use core::time::Duration;

use crate::pair::{extended_client, extended_server};
use gamewire_machine::{Instant, Machine, pump};
use gamewire_riptide::client::{self, Client};
use gamewire_riptide::server::{self, Server, ServerConfig};
use gamewire_riptide::{ClientId, Format, Message, MessageSendMode};
use gamewire_sim::contract::{self, Command, Harness, Lifecycle, PEER, START, SUBJECT};
use gamewire_sim::random::rounds;

/// Returns the number of random sequences for each role and format.
fn sequences() -> u64 {
    rounds(300, 3_000) as u64
}
const FORMATS: [Format; 2] = Format::ALL;

fn client(format: usize, server: core::net::SocketAddr, now: Instant) -> Client {
    let config = extended_client(FORMATS[format]);
    Client::connect(&client::ClientConfig { delivery_events: true, ..config }, server, now).unwrap()
}

fn server(now: Instant) -> Server {
    // Without `require_handshake`, a message may arrive before the event of its client.
    Server::new(ServerConfig { require_handshake: true, delivery_events: true, ..extended_server() }, now)
}

fn message(number: u64) -> Message {
    let size = number as usize % 8_000;
    let mut message = Message::create(MessageSendMode::Reliable, number as u16).with_max_payload_size(8_000);
    message.add_bytes_without_length(&vec![number as u8; size]);
    message
}

/// Returns the packets of a client and a server that exchange some messages.
fn said(format: usize) -> [Vec<Vec<u8>>; 2] {
    let (mut client, mut server) = (client(format, PEER, START), server(START));
    let (mut of_client, mut of_server, mut buffer) = (vec![], vec![], vec![]);
    for turn in 0..8 {
        let now = START + Duration::from_millis(turn);
        let _ = client.send_ordered(&message(turn * 900));
        let _ = server.send_ordered(&message(turn * 900), ClientId(1));
        client.handle_timeout(now);
        while client.poll_transmit(now, &mut buffer).is_some() {
            server.handle_datagram(now, SUBJECT, &buffer).unwrap();
            of_client.push(buffer.clone());
        }
        while server.poll_transmit(now, &mut buffer).is_some() {
            client.handle_datagram(now, PEER, &buffer).unwrap();
            of_server.push(buffer.clone());
        }
        pump(&mut client, now, &mut buffer, |_, data| of_client.push(data.to_vec()), |_| {});
    }
    [of_client, of_server]
}

struct Connecting<const FORMAT: usize>;

impl<const FORMAT: usize> Harness for Connecting<FORMAT> {
    type Machine = Client;
    type Peer = Server;

    const MAX_UNVERIFIED_BYTES: usize = 0;
    const IDLE_TIMEOUT: Option<Duration> = Some(Duration::from_secs(12));
    const INITIAL_PEERS: &'static [u64] = &[0];

    fn make(_: u64, now: Instant) -> Client {
        client(FORMAT, PEER, now)
    }

    fn peer(seed: u64, now: Instant) -> Option<Server> {
        (!seed.is_multiple_of(4)).then(|| server(now))
    }

    fn samples(_: u64) -> Vec<Vec<u8>> {
        let [_, samples] = said(FORMAT);
        samples
    }

    fn commands() -> &'static [Command<Client>] {
        &[
            ("ordered", |client, number| {
                let _ = client.send_ordered(&message(number));
            }),
            ("large", |client, number| {
                let _ = client.send(&message(number));
            }),
            ("disconnect", |client, number| {
                if number.is_multiple_of(8) {
                    client.disconnect();
                }
            }),
        ]
    }

    fn held_bytes(_: &Client) -> usize {
        0
    }

    fn lifecycle(event: &client::Event) -> Lifecycle {
        match event {
            client::Event::ConnectionFailed { .. } | client::Event::Disconnected { .. } => {
                Lifecycle::Closed(0)
            }
            _ => Lifecycle::Active(0),
        }
    }
}

struct Serving<const FORMAT: usize>;

impl<const FORMAT: usize> Harness for Serving<FORMAT> {
    type Machine = Server;
    type Peer = Client;

    const MAX_UNVERIFIED_BYTES: usize = 1 << 20;
    const IDLE_TIMEOUT: Option<Duration> = Some(Duration::from_secs(20));

    fn make(_: u64, now: Instant) -> Server {
        server(now)
    }

    fn peer(_: u64, now: Instant) -> Option<Client> {
        Some(client(FORMAT, SUBJECT, now))
    }

    fn samples(_: u64) -> Vec<Vec<u8>> {
        let [samples, _] = said(FORMAT);
        samples
    }

    fn commands() -> &'static [Command<Server>] {
        &[
            ("ordered", |server, number| {
                let _ = server.send_ordered(&message(number), ClientId(number as u16 % 9));
            }),
            ("large", |server, number| {
                server.send_to_all(&message(number));
            }),
            ("kick", |server, number| {
                let _ = server.disconnect_client(ClientId(number as u16 % 9), None);
            }),
            ("relay", |server, number| server.relay_filter_mut().enable_relay(number as u16)),
        ]
    }

    fn held_bytes(server: &Server) -> usize {
        server.held_bytes()
    }

    fn lifecycle(event: &server::Event) -> Lifecycle {
        match event {
            server::Event::ClientConnected { client, .. } => Lifecycle::Opened(client.0.into()),
            server::Event::ClientDisconnected { client, .. } => Lifecycle::Closed(client.0.into()),
            server::Event::MessageReceived { client, .. } | server::Event::Delivery { client, .. } => {
                Lifecycle::Active(client.0.into())
            }
            _ => Lifecycle::Other,
        }
    }
}

#[test]
fn a_client_with_the_extension_keeps_the_contract_in_2_0() {
    contract::check::<Connecting<0>>();
    contract::check_sequences::<Connecting<0>>(sequences(), 50_000);
}

#[test]
fn a_client_with_the_extension_keeps_the_contract_in_2_1() {
    contract::check::<Connecting<1>>();
    contract::check_sequences::<Connecting<1>>(sequences(), 60_000);
}

#[test]
fn a_server_with_the_extension_keeps_the_contract_in_2_0() {
    contract::check::<Serving<0>>();
    contract::check_sequences::<Serving<0>>(sequences(), 70_000);
}

#[test]
fn a_server_with_the_extension_keeps_the_contract_in_2_1() {
    contract::check::<Serving<1>>();
    contract::check_sequences::<Serving<1>>(sequences(), 80_000);
}
