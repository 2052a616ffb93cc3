//! Helpers of the attacks.

use std::net::{Ipv4Addr, SocketAddr};

use gamewire_machine::{Instant, Machine};
use gamewire_teeworlds::AcceptorConfig;
use gamewire_teeworlds::Dialect;
use gamewire_teeworlds::client::Client;
use gamewire_teeworlds::server::{Server, ServerConfig, WalkingGame};

use crate::support::{client_config, host, server_config};

/// The dialects in which a token verifies an address.
pub(crate) const WITH_TOKENS: [Dialect; 3] = [Dialect::V065, Dialect::Tken, Dialect::V07];

/// Time at which an attack begins. It is many hours after zero, so that clocks can go back.
pub(crate) const START: Instant = Instant::from_micros(100_000_000_000);

/// Returns the configuration of a server with the default policy: an unverified address gets no connection.
pub(crate) fn strict() -> ServerConfig {
    ServerConfig { acceptor: AcceptorConfig::vanilla(), ..server_config(1) }
}

pub(crate) fn serve(config: ServerConfig) -> Server<WalkingGame> {
    Server::new(config, WalkingGame::default(), START)
}

/// Returns the first datagram of a client.
pub(crate) fn first_datagram(dialect: Dialect) -> Vec<u8> {
    let mut client = Client::connect(host(1), client_config(1, dialect), START);
    sent(&mut client, START).remove(0)
}

/// Returns the queued datagrams of a machine.
pub(crate) fn sent<M: Machine>(machine: &mut M, now: Instant) -> Vec<Vec<u8>> {
    let mut buffer = Vec::new();
    core::iter::from_fn(|| machine.poll_transmit(now, &mut buffer).map(|_| buffer.clone())).collect()
}

/// Returns the queued events of a machine.
pub(crate) fn events<M: Machine>(machine: &mut M) -> Vec<M::Event> {
    core::iter::from_fn(|| machine.poll_event()).collect()
}

/// Returns an address that cannot be derived from the previous one.
pub(crate) fn forged(number: u32) -> SocketAddr {
    let mixed = number.wrapping_mul(0x9e37_79b9);
    SocketAddr::from((Ipv4Addr::from(mixed), (mixed >> 7) as u16))
}
