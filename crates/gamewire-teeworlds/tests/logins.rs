//! A thousand logins in every dialect over a network that loses 30 % of all datagrams and reorders the others.
//!
//! The bound is that of the games: after 10 s without a datagram, or with a message that is not acknowledged for 10 s,
//! either side closes the connection, and the login has failed.

#![allow(clippy::unwrap_used, reason = "a test that fails")]

use std::net::SocketAddr;
use std::time::Duration;

use gamewire_machine::Instant;
use gamewire_sim::{Conditions, Network};
use gamewire_teeworlds::client::{Client, ClientConfig, Event};
use gamewire_teeworlds::server::{Map, Server, ServerConfig, WalkingGame};
use gamewire_teeworlds::{AcceptorConfig, Dialect, LinkConfig, Offer, TokenlessPolicy};

const LOGINS: u64 = 1000;
const LOSSY: Conditions = Conditions {
    loss: 0.3,
    delay: Duration::from_millis(40),
    jitter: Duration::from_millis(30),
    reorder: 0.1,
    duplicate: 0.05,
    ..Conditions::PERFECT
};
/// Maximum time of a login. None takes nearly as long.
const PATIENCE: Duration = Duration::from_secs(60);

fn address(host: u8) -> SocketAddr {
    SocketAddr::from(([10, 0, 0, host], 8303))
}

/// Plays one login. Returns the time that it took, or how it ended.
fn login(offer: Offer, acceptor: AcceptorConfig, number: u64) -> Result<Duration, String> {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&number.to_le_bytes());
    let mut config = ServerConfig::new(seed, "test", Map::new("dm1", vec![7; 5805]));
    config.acceptor = acceptor;
    let mut network = Network::new(number);
    network.add(address(1), Server::new(config, WalkingGame::default(), Instant::ZERO));
    seed[31] = 1;
    let client = ClientConfig::new(offer, "anna", seed);
    let client = network.add(address(2), Client::connect(address(1), client, Instant::ZERO));
    network.set_conditions(client, LOSSY, LOSSY);
    let is_decided = |network: &Network| {
        let events = network.events(client);
        events.iter().any(|event| matches!(event, Event::Entered | Event::Closed(_)))
    };
    network.run_until(PATIENCE, is_decided).unwrap();
    let state = network.machine(client).state();
    if state == "playing" {
        return Ok(network.now() - Instant::ZERO);
    }
    Err(format!("login {number}: {state} {:?}", network.events(client)))
}

fn all_enter(offer: Offer, acceptor: AcceptorConfig) {
    let results: Vec<_> = (0..LOGINS).map(|number| login(offer, acceptor, number)).collect();
    let failed: Vec<_> = results.iter().filter_map(|result| result.as_ref().err()).collect();
    let mut times: Vec<_> = results.iter().filter_map(|result| result.as_ref().ok()).collect();
    times.sort();
    println!("{} in; median {:?}, longest {:?}", times.len(), times.get(times.len() / 2), times.last());
    assert!(failed.is_empty(), "{} of {LOGINS}: {failed:#?}", failed.len());
}

fn tokenless(policy: TokenlessPolicy) -> AcceptorConfig {
    // With the 5 answers of 0.6.5 in 20 seconds, 0.3^5 = 0.24 % of the clients would get none.
    let antispoof_burst = 20;
    AcceptorConfig { tken: None, v065: None, tokenless: policy, antispoof_burst, ..AcceptorConfig::vanilla() }
}

#[test]
fn plain_0_6_accepted_at_once() {
    all_enter(Dialect::V06.into(), tokenless(TokenlessPolicy::Accept(LinkConfig::vanilla(Dialect::V06))));
}

#[test]
fn plain_0_6_through_the_antispoof_handshake() {
    all_enter(Dialect::V06.into(), tokenless(TokenlessPolicy::Antispoof(LinkConfig::vanilla(Dialect::V06))));
}

#[test]
fn tokens_of_0_6_5() {
    all_enter(Dialect::V065.into(), AcceptorConfig::vanilla());
}

#[test]
fn tokens_of_ddnet() {
    all_enter(Dialect::Tken.into(), AcceptorConfig::vanilla());
}

#[test]
fn version_0_7() {
    all_enter(Dialect::V07.into(), AcceptorConfig::vanilla());
}

#[test]
fn an_offer_of_any_0_6_to_every_kind_of_server() {
    let v06 = LinkConfig::vanilla(Dialect::V06);
    for acceptor in [
        AcceptorConfig::vanilla(),
        AcceptorConfig { tken: None, ..AcceptorConfig::vanilla() },
        tokenless(TokenlessPolicy::Accept(v06)),
        tokenless(TokenlessPolicy::Antispoof(v06)),
    ] {
        all_enter(Offer::Any06, acceptor);
    }
}
