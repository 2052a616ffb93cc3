//! Clients of both formats, for the tests of the machine contract.

use gamewire_machine::Role;

use core::time::Duration;
use std::sync::OnceLock;

use gamewire_machine::Instant;
use gamewire_riptide::ConnectionSettings;
use gamewire_riptide::client::{Client, ClientConfig, Event};
use gamewire_riptide::raw::Version;
use gamewire_riptide::{Format, Message, MessageSendMode, PacketMachine};
use gamewire_sim::contract::{Command, Harness, Lifecycle, PEER};

use super::echo::EchoServer;
use super::vectors::packets_of;

pub fn format<V: Version>() -> Format {
    if V::HEADER_BITS == 8 { Format::V20 } else { Format::V21 }
}

pub fn config(format: Format) -> ClientConfig {
    ClientConfig { delivery_events: true, ..ClientConfig::new(format) }
}

/// Returns the packets that C# servers of a format sent.
pub fn of_servers(format: Format) -> &'static [Vec<u8>] {
    static PACKETS: OnceLock<[Vec<Vec<u8>>; 2]> = OnceLock::new();
    let packets =
        PACKETS.get_or_init(|| [Format::V20, Format::V21].map(|format| packets_of(Role::Server, format)));
    &packets[usize::from(format != Format::V20)]
}

/// The harness of a client for the machine contract. `MAX_SENT` is the maximum of datagrams that it may send after a
/// jump of the clock, `RECONNECT` the seconds in which it tries to join again after a loss; 0 for not at all.
pub struct Connecting<V, const MAX_SENT: usize = 32, const RECONNECT: u64 = 0>(core::marker::PhantomData<V>);

impl<V: Version, const MAX_SENT: usize, const RECONNECT: u64> Harness for Connecting<V, MAX_SENT, RECONNECT> {
    type Machine = Client;
    type Peer = EchoServer;

    const MAX_UNVERIFIED_BYTES: usize = 0;
    const MAX_SENDS_AFTER_CLOCK_JUMP: usize = MAX_SENT;
    const IDLE_TIMEOUT: Option<Duration> = Some(Duration::from_secs(12 + 2 * RECONNECT));
    const INITIAL_PEERS: &'static [u64] = &[0];

    fn make(_: u64, now: Instant) -> Client {
        let reconnect = (RECONNECT > 0).then_some(Duration::from_secs(RECONNECT));
        let config = ClientConfig { reconnect, ..config(format::<V>()) };
        Client::connect(&config, PEER, now).unwrap()
    }

    fn peer(seed: u64, now: Instant) -> Option<EchoServer> {
        (!seed.is_multiple_of(4)).then(|| EchoServer::new(now))
    }

    fn samples(seed: u64) -> Vec<Vec<u8>> {
        let packets = of_servers(format::<V>());
        let step = packets.len().div_ceil(24);
        packets.iter().skip(seed as usize % step).step_by(step).cloned().collect()
    }

    fn commands() -> &'static [Command<Client>] {
        fn send(client: &mut Client, mode: MessageSendMode, number: u64) {
            let mut message = Message::create(mode, number as u16);
            let _ = client.send(message.add_ulong(number));
        }
        &[
            ("unreliable", |client, number| send(client, MessageSendMode::Unreliable, number)),
            ("reliable", |client, number| send(client, MessageSendMode::Reliable, number)),
            ("notify", |client, number| send(client, MessageSendMode::Notify, number)),
            ("settings", |client, number| {
                let can_quality_disconnect = number.is_multiple_of(2);
                client.set_settings(ConnectionSettings {
                    can_quality_disconnect,
                    ..ConnectionSettings::csharp()
                });
            }),
            ("disconnect", |client, number| {
                if number.is_multiple_of(8) {
                    client.disconnect();
                }
            }),
            ("transport end", |client, number| {
                if number.is_multiple_of(16) {
                    client.handle_transport_end(Instant::ZERO, ());
                }
            }),
        ]
    }

    fn held_bytes(_: &Client) -> usize {
        0
    }

    fn lifecycle(event: &Event) -> Lifecycle {
        match event {
            Event::ConnectionFailed { .. } | Event::Disconnected { .. } => Lifecycle::Closed(0),
            _ => Lifecycle::Active(0),
        }
    }
}
