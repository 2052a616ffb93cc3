//! Code that the tests of live machines share.
#![allow(dead_code, unreachable_pub, reason = "each test binary uses a part of this")]

pub mod capture;
pub mod recorded;
pub mod relay;
pub mod sequence;
pub mod step;
pub mod thin;

use core::time::Duration;
use std::net::SocketAddr;

use gamewire_machine::Instant;
use gamewire_sim::{Conditions, Network, NodeId};
use gamewire_teeworlds::Dialect;
use gamewire_teeworlds::LinkConfig;
use gamewire_teeworlds::client::{Client, ClientConfig};
use gamewire_teeworlds::server::{Map, Server, ServerConfig, WalkingGame};
use gamewire_teeworlds::{AcceptorConfig, TokenlessPolicy};

pub const DIALECTS: [Dialect; 4] = [Dialect::V06, Dialect::V065, Dialect::Tken, Dialect::V07];

/// Returns a configuration with every dialect, including the one without tokens.
pub fn every_dialect() -> AcceptorConfig {
    every_dialect_with(LinkConfig::vanilla)
}

/// Returns a configuration with every dialect, in which `config` configures the connections.
pub fn every_dialect_with(config: impl Fn(Dialect) -> LinkConfig) -> AcceptorConfig {
    AcceptorConfig {
        tken: Some(config(Dialect::Tken)),
        v065: Some(config(Dialect::V065)),
        v07: Some(config(Dialect::V07)),
        tokenless: TokenlessPolicy::Accept(config(Dialect::V06)),
        ..AcceptorConfig::vanilla()
    }
}

/// Returns 32 bytes that depend only on a number.
pub fn seed(number: u64) -> [u8; 32] {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&number.to_le_bytes());
    seed
}

/// Returns the configuration of a server for every dialect, with a small map.
pub fn server_config(number: u64) -> ServerConfig {
    let mut config = ServerConfig::new(seed(number), "test", Map::new("dm1", vec![7; 3_000]));
    config.acceptor = every_dialect();
    config.rcon_password = "secret".into();
    config.motd = "hello".into();
    config
}

pub fn server(number: u64, now: Instant) -> Server<WalkingGame> {
    Server::new(server_config(number), WalkingGame::default(), now)
}

pub fn client_config(number: u64, dialect: Dialect) -> ClientConfig {
    ClientConfig::new(dialect, dialect.name(), seed(number.wrapping_add(1)))
}

/// Returns the conditions of a network that loses datagrams, and delays, reorders and duplicates them.
pub fn losing(loss: f64) -> Conditions {
    Conditions {
        loss,
        delay: Duration::from_millis(30),
        jitter: Duration::from_millis(30),
        reorder: 0.1,
        duplicate: 0.05,
        ..Conditions::PERFECT
    }
}

/// Returns an address of the test's network.
pub fn host(number: u8) -> SocketAddr {
    SocketAddr::from(([10, 0, 0, number], 8303))
}

/// A server of every dialect and clients, in a separate network.
pub struct Play {
    pub network: Network,
    pub server: NodeId<Server<WalkingGame>>,
}

/// Returns the address of the server of a [`Play`].
pub fn server_address() -> SocketAddr {
    host(1)
}

impl Play {
    pub fn new(config: ServerConfig) -> Self {
        let mut network = Network::new(1);
        let server =
            network.add(server_address(), Server::new(config, WalkingGame::default(), Instant::ZERO));
        Self { network, server }
    }

    /// Adds a client at `host(number)`.
    pub fn join(&mut self, number: u8, dialect: Dialect) -> NodeId<Client> {
        let config = client_config(number.into(), dialect);
        let now = self.network.now();
        self.network.add(host(number), Client::connect(server_address(), config, now))
    }

    pub fn run(&mut self, millis: u64) {
        self.network.run_for(Duration::from_millis(millis)).unwrap();
    }
}
