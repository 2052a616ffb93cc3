use std::sync::{Arc, LazyLock};
use std::time::Duration;

use gamewire_freeciv::follow::Definitions;
use gamewire_freeciv::session::client::{Client, ClientConfig};
use gamewire_freeciv::session::codec::Definition;
use gamewire_freeciv::session::server::{Server, ServerConfig};
use gamewire_machine::{Instant, Role, Transport};
use gamewire_proxy::freeciv::{FreecivBridge, FreecivConfig, FreecivMessages};
use gamewire_sim::contract::{Command, Harness, Lifecycle, SUBJECT, StreamsAsDatagram};

use super::bridged::{Bridged, Over, hook, lifecycle};
use crate::contract::support::{check, recorded_samples};

fn bridge(number: u64) -> FreecivBridge {
    static DEFINITIONS: LazyLock<Arc<Definitions>> = LazyLock::new(Arc::default);
    FreecivBridge::with_hook(
        FreecivConfig::default(),
        hook(number, FreecivMessages::new(Arc::clone(&DEFINITIONS))),
    )
}

fn client(now: Instant) -> StreamsAsDatagram<Client> {
    let client = Client::new(ClientConfig::of(Definition::default(), "player"), now).unwrap();
    StreamsAsDatagram::connected(client, now, SUBJECT)
}

fn server(now: Instant) -> StreamsAsDatagram<Server> {
    StreamsAsDatagram::new(Server::new(ServerConfig::new(Definition::default()), now).unwrap())
}

fn recorded(sender: Role) -> Vec<Vec<u8>> {
    let mut samples = recorded_samples("freeciv", "freeciv/captures/game.pcap", sender);
    samples.iter_mut().for_each(|sample| sample.truncate(1_000));
    samples
}

/// A bridge with the client as the peer, and a server behind it.
struct WithClient;

impl Harness for WithClient {
    type Machine = Bridged<FreecivBridge, StreamsAsDatagram<Server>>;
    type Peer = StreamsAsDatagram<Client>;

    const MAX_UNVERIFIED_BYTES: usize = 0;
    const IDLE_TIMEOUT: Option<Duration> = None;
    const INITIAL_PEERS: &'static [u64] = &[0];

    fn make(number: u64, now: Instant) -> Self::Machine {
        Bridged::new(bridge(number), Transport::Tcp, Role::Client, server(now))
    }

    fn peer(_: u64, now: Instant) -> Option<Self::Peer> {
        Some(client(now))
    }

    fn samples(_: u64) -> Vec<Vec<u8>> {
        recorded(Role::Client)
    }

    fn held_bytes(_: &Self::Machine) -> usize {
        0
    }

    fn lifecycle(event: &Over) -> Lifecycle {
        lifecycle(event)
    }
}

/// A bridge with the server as the peer, and a client behind it.
struct WithServer;

impl Harness for WithServer {
    type Machine = Bridged<FreecivBridge, StreamsAsDatagram<Client>>;
    type Peer = StreamsAsDatagram<Server>;

    const MAX_UNVERIFIED_BYTES: usize = 0;
    const IDLE_TIMEOUT: Option<Duration> = None;
    const INITIAL_PEERS: &'static [u64] = &[0];

    fn make(number: u64, now: Instant) -> Self::Machine {
        Bridged::new(bridge(number), Transport::Tcp, Role::Server, client(now))
    }

    fn peer(_: u64, now: Instant) -> Option<Self::Peer> {
        Some(server(now))
    }

    fn samples(_: u64) -> Vec<Vec<u8>> {
        recorded(Role::Server)
    }

    fn commands() -> &'static [Command<Self::Machine>] {
        &[("chat", |bridged, number| {
            let _ = bridged.behind_mut().machine_mut().chat(&format!("line {number}"));
        })]
    }

    fn held_bytes(_: &Self::Machine) -> usize {
        0
    }

    fn lifecycle(event: &Over) -> Lifecycle {
        lifecycle(event)
    }
}

#[test]
fn a_bridge_of_freeciv_keeps_the_contract_with_a_client() {
    check::<WithClient>(500);
}

#[test]
fn a_bridge_of_freeciv_keeps_the_contract_with_a_server() {
    check::<WithServer>(500);
}
