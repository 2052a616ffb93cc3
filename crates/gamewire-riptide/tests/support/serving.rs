//! The harness of a server for the machine contract.

use gamewire_machine::Role;

use core::time::Duration;
use std::sync::OnceLock;

use gamewire_machine::Instant;
use gamewire_riptide::ConnectionSettings;
use gamewire_riptide::client::{Client, ClientConfig};
use gamewire_riptide::server::{Event, Server, ServerConfig};
use gamewire_riptide::{ClientId, ConnectionId, ExtensionConfig, Format, Message, MessageSendMode};
use gamewire_sim::contract::{Command, Harness, Lifecycle, SUBJECT};

use super::vectors::packets_of;

pub const FORMATS: [Format; 2] = Format::ALL;

pub fn config(seed: u64) -> ServerConfig {
    let config = ServerConfig { delivery_events: true, max_half_open: 32, ..ServerConfig::new(8) };
    let mut config = if seed.is_multiple_of(2) { config.hardened() } else { config };
    config.handle_connection = seed.is_multiple_of(3);
    // Without `require_handshake`, a message may arrive before the event of its client.
    config.require_handshake = true;
    config.relay_filter.enable_relay(300_u16);
    config
}

/// Returns the packets that C# and Python clients of a format sent.
pub fn of_clients(format: Format) -> &'static [Vec<u8>] {
    static PACKETS: OnceLock<[Vec<Vec<u8>>; 2]> = OnceLock::new();
    let packets =
        PACKETS.get_or_init(|| [Format::V20, Format::V21].map(|format| packets_of(Role::Client, format)));
    &packets[usize::from(format != Format::V20)]
}

pub fn message(mode: MessageSendMode, number: u64) -> Message {
    let mut message = Message::create(mode, number as u16);
    message.add_ulong(number);
    message
}

/// Returns the extension of a server and its client; only some seeds have it.
fn extension(seed: u64) -> Option<ExtensionConfig> {
    (seed & 32 != 0).then(ExtensionConfig::default)
}

/// The harness of a server for the machine contract. `FORMAT` is the format of its client, and `MAX_SENT` is the
/// maximum of datagrams that it may send after a jump of the clock.
pub struct Serving<const FORMAT: usize, const MAX_SENT: usize = 32>;

impl<const FORMAT: usize, const MAX_SENT: usize> Harness for Serving<FORMAT, MAX_SENT> {
    type Machine = Server;
    type Peer = Client;

    const MAX_UNVERIFIED_BYTES: usize = 32 * 4_096 + 65_536;
    const MAX_SENDS_AFTER_CLOCK_JUMP: usize = MAX_SENT;
    const IDLE_TIMEOUT: Option<Duration> = Some(Duration::from_secs(20));

    fn make(seed: u64, now: Instant) -> Server {
        Server::new(ServerConfig { extension: extension(seed), ..config(seed) }, now)
    }

    fn peer(seed: u64, now: Instant) -> Option<Client> {
        let config = ClientConfig {
            delivery_events: true,
            extension: extension(seed),
            ..ClientConfig::new(FORMATS[FORMAT])
        };
        Some(Client::connect(&config, SUBJECT, now).unwrap())
    }

    fn samples(seed: u64) -> Vec<Vec<u8>> {
        let packets = of_clients(FORMATS[FORMAT]);
        let step = packets.len().div_ceil(24);
        packets.iter().skip(seed as usize % step).step_by(step).cloned().collect()
    }

    fn commands() -> &'static [Command<Server>] {
        &[
            ("unreliable", |server, id| {
                server.send_to_all(&message(MessageSendMode::Unreliable, id));
            }),
            ("reliable", |server, id| {
                server.send_to_all(&message(MessageSendMode::Reliable, id));
            }),
            ("notify", |server, id| {
                let _ = server.send(&message(MessageSendMode::Notify, id), ClientId(id as u16 % 9));
            }),
            ("except", |server, id| {
                let message = message(MessageSendMode::Reliable, id);
                server.send_to_all_except(&message, ClientId(id as u16 % 9));
            }),
            ("accept", |server, id| {
                let _ = server.accept(ConnectionId(id % 16));
            }),
            ("reject", |server, id| {
                let mut data = Message::create_data();
                data.add_byte(7);
                let _ = server.reject(ConnectionId(id % 32), (id % 3 == 0).then_some(&data));
            }),
            ("kick", |server, id| {
                let mut data = Message::create_data();
                data.add_byte(7);
                let _ = server.disconnect_client(ClientId(id as u16 % 9), (id % 3 == 0).then_some(&data));
            }),
            ("settings", |server, id| {
                let can_quality_disconnect = id.is_multiple_of(2);
                let settings = ConnectionSettings { can_quality_disconnect, ..ConnectionSettings::csharp() };
                let _ = server.set_settings(ClientId(id as u16 % 9), settings);
            }),
            ("relay", |server, id| server.relay_filter_mut().enable_relay(id as u16)),
            ("stop", |server, id| {
                if id.is_multiple_of(16) {
                    server.stop();
                }
            }),
            ("ordered", |server, id| {
                let message = message(MessageSendMode::Reliable, id);
                let _ = server.send_ordered(&message, ClientId(id as u16 % 9));
            }),
        ]
    }

    fn held_bytes(server: &Server) -> usize {
        server.held_bytes()
    }

    fn lifecycle(event: &Event) -> Lifecycle {
        match event {
            Event::ClientConnected { client, .. } => Lifecycle::Opened(client.0.into()),
            Event::ClientDisconnected { client, .. } => Lifecycle::Closed(client.0.into()),
            Event::MessageReceived { client, .. } | Event::Delivery { client, .. } => {
                Lifecycle::Active(client.0.into())
            }
            _ => Lifecycle::Other,
        }
    }
}
