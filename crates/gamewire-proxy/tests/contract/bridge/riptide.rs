use std::sync::Arc;
use std::time::Duration;

use gamewire_machine::{Instant, Role, Transport};
use gamewire_proxy::riptide::{RiptideBridge, RiptideConfig, RiptideMessages};
use gamewire_riptide::client::{Client, ClientConfig};
use gamewire_riptide::layout::MessageLayouts;
use gamewire_riptide::server::{Server, ServerConfig};
use gamewire_riptide::{Format, Message, MessageSendMode};
use gamewire_sim::contract::{Command, Harness, Lifecycle, PEER, SUBJECT, StreamsAsDatagram};

use super::bridged::{Bridged, Over, hook, lifecycle};
use crate::contract::support::{check, recorded_samples};

/// Returns a bridge that uses the format of the client, or translates to 2.0.
fn bridge(number: u64, transport: Transport, now: Instant) -> RiptideBridge {
    let config = RiptideConfig {
        client: PEER,
        server: PEER,
        transport,
        server_format: number.is_multiple_of(3).then_some(Format::V20),
        layouts: Arc::new(MessageLayouts::default()),
    };
    RiptideBridge::with_hook(config, now, hook(number, RiptideMessages::new(Arc::default())))
}

fn message(number: u64) -> Message {
    let modes = [MessageSendMode::Reliable, MessageSendMode::Unreliable, MessageSendMode::Notify];
    let mut message = Message::create(modes[number as usize % modes.len()], number as u16);
    message.add_ulong(number);
    message
}

fn server(now: Instant) -> Server {
    Server::new(ServerConfig::new(8), now)
}

fn server_over_streams(now: Instant) -> StreamsAsDatagram<Server> {
    StreamsAsDatagram::new(server(now))
}

fn client(now: Instant) -> Client {
    Client::connect(&ClientConfig::new(Format::V21), SUBJECT, now).unwrap()
}

fn client_over_streams(now: Instant) -> StreamsAsDatagram<Client> {
    let client = Client::connect_over_transport(&ClientConfig::new(Format::V21), now).unwrap();
    StreamsAsDatagram::connected(client, now, SUBJECT)
}

fn send_as_client(client: &mut Client, number: u64) {
    let _ = client.send(&message(number));
}

fn disconnect(client: &mut Client, number: u64) {
    if number.is_multiple_of(16) {
        client.disconnect();
    }
}

fn send_as_server(server: &mut Server, number: u64) {
    server.send_to_all(&message(number));
}

fn stop(server: &mut Server, number: u64) {
    if number.is_multiple_of(16) {
        server.stop();
    }
}

/// Declares a harness of a bridge between a peer and the program behind the bridge.
macro_rules! harness {
    ($name:ident: $transport:ident, facing $facing:ident, $behind:ident() -> $behind_type:ty,
     $peer:ident() -> $peer_type:ty, $recording:literal, $commands:expr) => {
        pub(super) struct $name;

        impl Harness for $name {
            type Machine = Bridged<RiptideBridge, $behind_type>;
            type Peer = $peer_type;

            const MAX_UNVERIFIED_BYTES: usize = 0;
            const IDLE_TIMEOUT: Option<Duration> = None;
            const INITIAL_PEERS: &'static [u64] = &[0];

            fn make(number: u64, now: Instant) -> Self::Machine {
                let transport = Transport::$transport;
                Bridged::new(bridge(number, transport, now), transport, Role::$facing, $behind(now))
            }

            fn peer(_: u64, now: Instant) -> Option<$peer_type> {
                Some($peer(now))
            }

            fn samples(_: u64) -> Vec<Vec<u8>> {
                recorded_samples("riptide", concat!("riptide/captures/", $recording), Role::$facing)
            }

            fn commands() -> &'static [Command<Self::Machine>] {
                const COMMANDS: &[Command<Bridged<RiptideBridge, $behind_type>>] = $commands;
                COMMANDS
            }

            fn held_bytes(_: &Self::Machine) -> usize {
                0
            }

            fn lifecycle(event: &Over) -> Lifecycle {
                lifecycle(event)
            }
        }
    };
}

harness!(Datagrams: Udp, facing Client, server() -> Server, client() -> Client, "pytide-2.1.0a0-udp.pcapng", &[
    ("send", |bridged, number| send_as_server(bridged.behind_mut(), number)),
    ("stop", |bridged, number| stop(bridged.behind_mut(), number)),
]);
harness!(DatagramsToServer: Udp, facing Server, client() -> Client, server() -> Server, "pytide-2.1.0a0-udp.pcapng", &[
    ("send", |bridged, number| send_as_client(bridged.behind_mut(), number)),
    ("disconnect", |bridged, number| disconnect(bridged.behind_mut(), number)),
]);
harness!(Streams: Tcp, facing Client, server_over_streams() -> StreamsAsDatagram<Server>,
    client_over_streams() -> StreamsAsDatagram<Client>, "pytide-2.1.0a0-tcp.pcapng", &[
    ("send", |bridged, number| send_as_server(bridged.behind_mut().machine_mut(), number)),
    ("stop", |bridged, number| stop(bridged.behind_mut().machine_mut(), number)),
]);
harness!(StreamsToServer: Tcp, facing Server, client_over_streams() -> StreamsAsDatagram<Client>,
    server_over_streams() -> StreamsAsDatagram<Server>, "pytide-2.1.0a0-tcp.pcapng", &[
    ("send", |bridged, number| send_as_client(bridged.behind_mut().machine_mut(), number)),
    ("disconnect", |bridged, number| disconnect(bridged.behind_mut().machine_mut(), number)),
]);

#[test]
fn a_bridge_of_riptide_keeps_the_contract_with_a_client() {
    check::<Datagrams>(500);
}

#[test]
fn a_bridge_of_riptide_keeps_the_contract_with_a_server() {
    check::<DatagramsToServer>(500);
}

#[test]
fn a_bridge_of_riptide_keeps_the_contract_with_a_client_over_a_stream() {
    check::<Streams>(500);
}

#[test]
fn a_bridge_of_riptide_keeps_the_contract_with_a_server_over_a_stream() {
    check::<StreamsToServer>(500);
}
