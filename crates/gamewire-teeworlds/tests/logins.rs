//! A thousand logins in every dialect over a network that loses 30 % of all datagrams and reorders the others.
//!
//! The limit is the same as in the games. After 10 s without a datagram, or if a message is not acknowledged for 10 s,
//! either side closes the connection, and the login has failed.

use std::net::SocketAddr;
use std::time::Duration;

use gamewire_machine::Instant;
use gamewire_sim::{Conditions, Network, NodeId};
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
/// Maximum time of a login. No login takes nearly as long.
const PATIENCE: Duration = Duration::from_secs(60);

fn address(host: u8) -> SocketAddr {
    SocketAddr::from(([10, 0, 0, host], 8303))
}

/// A client and a server on a lossy network.
struct Play {
    network: Network,
    client: NodeId<Client>,
}

impl Play {
    fn new(offer: Offer, acceptor: AcceptorConfig, number: u64) -> Self {
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
        Self { network, client }
    }

    /// Plays until the client has entered the game. Returns the time that this took, or the reason for the failure.
    fn enter(&mut self) -> Result<Duration, String> {
        let (client, start) = (self.client, self.network.now());
        let is_decided = |network: &Network| {
            let mut events = network.events(client).iter();
            events.any(|event| matches!(event, Event::Entered | Event::Closed(_)))
        };
        self.network.run_until(PATIENCE, is_decided).unwrap();
        let state = self.network.machine(client).state();
        let events = self.network.take_events(client);
        if state == "playing" { Ok(self.network.now() - start) } else { Err(format!("{state} {events:?}")) }
    }
}

/// Plays one login, and then `reconnections` reconnections from the same address.
fn login(
    offer: Offer,
    acceptor: AcceptorConfig,
    number: u64,
    reconnections: usize,
) -> Result<Duration, String> {
    let mut play = Play::new(offer, acceptor, number);
    let mut longest = play.enter().map_err(|error| format!("login {number}: {error}"))?;
    for again in 0..reconnections {
        play.network.machine_mut(play.client).reconnect(None).unwrap();
        let time = play.enter().map_err(|error| format!("login {number}, again {again}: {error}"))?;
        longest = longest.max(time);
    }
    Ok(longest)
}

fn all_enter(offer: Offer, acceptor: AcceptorConfig) {
    check((0..LOGINS).map(|number| login(offer, acceptor, number, 0)).collect());
}

fn all_reconnect(offer: Offer, acceptor: AcceptorConfig) {
    check((0..LOGINS / 5).map(|number| login(offer, acceptor, number, 4)).collect());
}

fn check(results: Vec<Result<Duration, String>>) {
    let failed: Vec<_> = results.iter().filter_map(|result| result.as_ref().err()).collect();
    let mut times: Vec<_> = results.iter().filter_map(|result| result.as_ref().ok()).collect();
    times.sort();
    println!("{} in; median {:?}, longest {:?}", times.len(), times.get(times.len() / 2), times.last());
    assert!(failed.is_empty(), "{} of {}: {failed:#?}", failed.len(), results.len());
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

#[test]
fn every_dialect_reconnects() {
    for dialect in [Dialect::V065, Dialect::Tken, Dialect::V07] {
        all_reconnect(dialect.into(), AcceptorConfig::vanilla());
    }
    let v06 = LinkConfig::vanilla(Dialect::V06);
    all_reconnect(Dialect::V06.into(), tokenless(TokenlessPolicy::Accept(v06)));
    all_reconnect(Dialect::V06.into(), tokenless(TokenlessPolicy::Antispoof(v06)));
}
