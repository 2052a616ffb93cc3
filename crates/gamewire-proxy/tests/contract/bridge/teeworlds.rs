use std::time::Duration;

use gamewire_machine::{Instant, Role, Transport};
use gamewire_proxy::teeworlds::{TeeworldsBridge, TeeworldsConfig, TeeworldsMessages};
use gamewire_sim::contract::{Command, Harness, Lifecycle, PEER, SUBJECT};
use gamewire_teeworlds::client::{Client, ClientConfig};
use gamewire_teeworlds::model::message::Audience;
use gamewire_teeworlds::server::{Map, Server, ServerConfig, WalkingGame};
use gamewire_teeworlds::{Dialect, LinkConfig, TokenlessPolicy};

use super::bridged::{Bridged, Over, hook, lifecycle};
use crate::contract::support::{check, recorded_samples, seed};

/// The dialects of client and server, and a recording of the client's dialect.
const PAIRS: [(Dialect, Dialect, &str); 6] = [
    (Dialect::V06, Dialect::V06, "tw-0.6-ddnet-20.pcap"),
    (Dialect::V065, Dialect::V065, "tw-0.6.5-tokens.pcap"),
    (Dialect::Tken, Dialect::Tken, "tw-0.6-ddnet-tken.pcap"),
    (Dialect::V07, Dialect::V07, "tw-0.7-two-clients.pcap"),
    (Dialect::V07, Dialect::Tken, "tw-0.7-two-clients.pcap"),
    (Dialect::Tken, Dialect::V07, "tw-0.6-ddnet-tken.pcap"),
];

fn bridge(number: u64, to: Dialect, now: Instant) -> TeeworldsBridge {
    let config = TeeworldsConfig { client: PEER, server: PEER, server_dialect: Some(to), seed: seed(number) };
    TeeworldsBridge::with_hook(config, now, hook(number, TeeworldsMessages))
}

fn client(number: u64, dialect: Dialect, now: Instant) -> Client {
    Client::connect(SUBJECT, ClientConfig::new(dialect, "nameless", seed(number)), now)
}

fn server(number: u64, now: Instant) -> Server<WalkingGame> {
    let mut config = ServerConfig::new(seed(number), "a server", Map::new("dm1", vec![7; 2_000]));
    config.acceptor.tokenless = TokenlessPolicy::Accept(LinkConfig::of_games(Dialect::V06));
    Server::new(config, WalkingGame::default(), now)
}

/// A bridge with the client as the peer, and a server behind it.
pub(super) struct WithClient<const PAIR: usize>;

impl<const PAIR: usize> Harness for WithClient<PAIR> {
    type Machine = Bridged<TeeworldsBridge, Server<WalkingGame>>;
    type Peer = Client;

    const MAX_UNVERIFIED_BYTES: usize = 0;
    const MAX_SENDS_AFTER_CLOCK_JUMP: usize = 128;
    const IDLE_TIMEOUT: Option<Duration> = None;
    const INITIAL_PEERS: &'static [u64] = &[0];

    fn make(number: u64, now: Instant) -> Self::Machine {
        let bridge = bridge(number, PAIRS[PAIR].1, now);
        Bridged::new(bridge, Transport::Udp, Role::Client, server(number, now))
    }

    fn peer(number: u64, now: Instant) -> Option<Client> {
        Some(client(number, PAIRS[PAIR].0, now))
    }

    fn samples(_: u64) -> Vec<Vec<u8>> {
        let recording = format!("teeworlds/captures/{}", PAIRS[PAIR].2);
        recorded_samples("teeworlds", &recording, Role::Client)
    }

    fn commands() -> &'static [Command<Self::Machine>] {
        &[("broadcast", |bridged, number| {
            bridged.behind_mut().say(&format!("line {number}"));
        })]
    }

    fn held_bytes(_: &Self::Machine) -> usize {
        0
    }

    fn lifecycle(event: &Over) -> Lifecycle {
        lifecycle(event)
    }
}

/// A bridge with the server as the peer, and a client behind it.
struct WithServer<const PAIR: usize>;

impl<const PAIR: usize> Harness for WithServer<PAIR> {
    type Machine = Bridged<TeeworldsBridge, Client>;
    type Peer = Server<WalkingGame>;

    const MAX_UNVERIFIED_BYTES: usize = 0;
    const MAX_SENDS_AFTER_CLOCK_JUMP: usize = 128;
    const IDLE_TIMEOUT: Option<Duration> = None;
    const INITIAL_PEERS: &'static [u64] = &[0];

    fn make(number: u64, now: Instant) -> Self::Machine {
        let (from, to, _) = PAIRS[PAIR];
        let bridge = bridge(number, to, now);
        Bridged::new(bridge, Transport::Udp, Role::Server, client(number, from, now))
    }

    fn peer(number: u64, now: Instant) -> Option<Server<WalkingGame>> {
        Some(server(number, now))
    }

    fn samples(_: u64) -> Vec<Vec<u8>> {
        let recording = PAIRS.iter().find(|(from, to, _)| from == to && *to == PAIRS[PAIR].1).unwrap().2;
        recorded_samples("teeworlds", &format!("teeworlds/captures/{recording}"), Role::Server)
    }

    fn commands() -> &'static [Command<Self::Machine>] {
        &[
            ("say", |bridged, number| {
                let _ = bridged.behind_mut().say(Audience::All, &format!("line {number}"));
            }),
            ("disconnect", |bridged, number| {
                if number.is_multiple_of(16) {
                    bridged.behind_mut().disconnect("enough");
                }
            }),
        ]
    }

    fn held_bytes(_: &Self::Machine) -> usize {
        0
    }

    fn lifecycle(event: &Over) -> Lifecycle {
        lifecycle(event)
    }
}

#[test]
fn a_bridge_of_each_dialect_keeps_the_contract_with_a_client() {
    check::<WithClient<0>>(50);
    check::<WithClient<1>>(50);
    check::<WithClient<2>>(50);
    check::<WithClient<3>>(50);
}

#[test]
fn a_bridge_of_each_dialect_keeps_the_contract_with_a_server() {
    check::<WithServer<0>>(50);
    check::<WithServer<1>>(50);
    check::<WithServer<2>>(50);
    check::<WithServer<3>>(50);
}

#[test]
fn a_bridge_that_translates_keeps_the_contract_with_a_client() {
    check::<WithClient<4>>(100);
    check::<WithClient<5>>(100);
}

#[test]
fn a_bridge_that_translates_keeps_the_contract_with_a_server() {
    check::<WithServer<4>>(100);
    check::<WithServer<5>>(100);
}
