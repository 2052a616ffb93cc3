//! Players of every dialect on one server, over a network in virtual time.

use std::net::SocketAddr;
use std::time::Duration;

use gamewire_machine::Instant;
use gamewire_sim::{Conditions, Network, NodeId};
use gamewire_teeworlds::Dialect;
use gamewire_teeworlds::client::{Client, ClientConfig, Event, MapPolicy};
use gamewire_teeworlds::model::message::{Audience, Input};
use gamewire_teeworlds::server::{self, Map, Server, ServerConfig, WalkingGame};
use gamewire_teeworlds::{AcceptorConfig, TokenlessPolicy};
use gamewire_teeworlds::{CloseReason, LinkConfig};

const DIALECTS: [Dialect; 4] = [Dialect::V06, Dialect::V065, Dialect::Tken, Dialect::V07];

fn address(host: u8) -> SocketAddr {
    SocketAddr::from(([10, 0, 0, host], 8303))
}

fn config() -> ServerConfig {
    let mut config = ServerConfig::new([1; 32], "test", Map::new("dm1", vec![7; 10_000]));
    config.acceptor = AcceptorConfig {
        tokenless: TokenlessPolicy::Accept(LinkConfig::vanilla(Dialect::V06)),
        ..AcceptorConfig::vanilla()
    };
    config
}

struct Play {
    network: Network,
    server: NodeId<Server<WalkingGame>>,
}

impl Play {
    fn new(config: ServerConfig) -> Self {
        let mut network = Network::new(1);
        let server = network.add(address(1), Server::new(config, WalkingGame::default(), Instant::ZERO));
        Self { network, server }
    }

    fn join(&mut self, host: u8, dialect: Dialect, maps: MapPolicy) -> NodeId<Client> {
        let mut config = ClientConfig::new(dialect, &format!("{}-{host}", dialect.name()), [host; 32]);
        config.maps = maps;
        self.network.add(address(host), Client::connect(address(1), config, Instant::ZERO))
    }

    fn run(&mut self, seconds: u64) {
        self.network.run_for(Duration::from_secs(seconds)).unwrap();
    }

    fn closings(&self, client: NodeId<Client>) -> Vec<CloseReason> {
        let events = self.network.events(client).iter();
        events
            .filter_map(|event| if let Event::Closed(reason) = event { Some(reason.clone()) } else { None })
            .collect()
    }
}

#[test]
fn every_dialect_enters_and_sees_the_others() {
    let mut play = Play::new(config());
    let clients = DIALECTS.map(|dialect| {
        let host = 10 + u8::try_from(DIALECTS.iter().position(|other| *other == dialect).unwrap()).unwrap();
        play.join(host, dialect, MapPolicy::Assume)
    });
    play.run(5);
    for (client, dialect) in clients.into_iter().zip(DIALECTS) {
        let events = play.network.events(client);
        assert!(events.contains(&Event::Connected { dialect }), "{dialect:?} {events:?}");
        assert!(events.contains(&Event::Entered), "{dialect:?} {:?}", play.network.machine(client).state());
        let machine = play.network.machine(client);
        assert_eq!(machine.players().len(), 4, "{dialect:?} {:?}", machine.players());
        assert_eq!(machine.world().characters.len(), 4, "{dialect:?}");
        let snapshots = machine.stats().snapshots;
        assert!(snapshots.good + snapshots.empty > 100 && snapshots.bad == 0, "{dialect:?} {snapshots:?}");
        assert_eq!(machine.stats().undecodable, 0, "{dialect:?}");
    }
    assert_eq!(play.network.machine(play.server).undecodable(), 0);
}

#[test]
fn the_map_is_downloaded_in_every_dialect() {
    for dialect in DIALECTS {
        let mut play = Play::new(config());
        let client = play.join(10, dialect, MapPolicy::Ask);
        play.run(1);
        play.network.machine_mut(client).download_map().unwrap();
        play.run(5);
        let loaded = play.network.events(client).iter().find_map(|event| match event {
            Event::MapLoaded { bytes: Some(bytes) } => Some(bytes.len()),
            _ => None,
        });
        assert_eq!(loaded, Some(10_000), "{dialect:?}");
        assert!(play.network.events(client).contains(&Event::Entered), "{dialect:?}");
    }
}

#[test]
fn chat_crosses_dialects_and_a_walk_is_seen() {
    let mut play = Play::new(config());
    let clients = [Dialect::Tken, Dialect::V07]
        .map(|dialect| play.join(dialect as u8 + 10, dialect, MapPolicy::Assume));
    play.run(2);
    let before = play.network.machine(clients[1]).world().characters[0].x;
    play.network.machine_mut(clients[0]).say(Audience::All, "across").unwrap();
    play.network.machine_mut(clients[0]).set_input(Input { direction: 1, ..Input::default() });
    play.run(1);
    let heard = play.network.events(clients[1]).iter().any(|event| match event {
        Event::Chat { text, from: Some(from), .. } => text.as_bytes() == b"across" && from.0 == 0,
        _ => false,
    });
    assert!(heard, "{:?}", play.network.events(clients[1]));
    assert!(play.network.machine(clients[1]).world().characters[0].x > before);
}

#[test]
fn a_client_that_leaves_is_removed_everywhere_and_the_server_has_the_reason() {
    let mut play = Play::new(config());
    let clients = DIALECTS.map(|dialect| play.join(dialect as u8 + 10, dialect, MapPolicy::Assume));
    play.run(3);
    for client in clients {
        play.network.machine_mut(client).disconnect("had enough");
    }
    play.run(1);
    for client in clients {
        assert_eq!(play.closings(client), [CloseReason::Left]);
    }
    let left = play.network.events(play.server).iter().filter(|event| {
        matches!(event, server::Event::Closed { reason: CloseReason::PeerClosed { reason }, .. } if reason == "had enough")
    });
    assert_eq!(left.count(), 4);
    assert_eq!(play.network.machine(play.server).client_count(), 0);
}

#[test]
fn a_wrong_password_a_full_server_and_a_kick_have_their_sentences() {
    let mut closed = config();
    closed.password = "right".into();
    let mut play = Play::new(closed);
    let clients = DIALECTS.map(|dialect| play.join(dialect as u8 + 10, dialect, MapPolicy::Assume));
    play.run(3);
    for client in clients {
        let reasons = play.closings(client);
        assert!(reasons.len() == 1 && reasons[0].to_string() == "Wrong password", "{reasons:?}");
    }
    let mut small = config();
    small.max_clients = 1;
    let mut play = Play::new(small);
    let first = play.join(10, Dialect::V07, MapPolicy::Assume);
    play.run(2);
    let second = play.join(11, Dialect::Tken, MapPolicy::Assume);
    play.run(2);
    assert_eq!(play.closings(second)[0].to_string(), "This server is full");
    play.network.machine_mut(play.server).kick(gamewire_teeworlds::model::ClientId(0), "enough");
    play.run(1);
    assert_eq!(play.closings(first)[0].to_string(), "enough");
}

#[test]
fn the_remote_console_opens_for_its_password_only() {
    for dialect in DIALECTS {
        let mut config = config();
        config.rcon_password = "secret".into();
        let mut play = Play::new(config);
        let client = play.join(10, dialect, MapPolicy::Assume);
        play.run(2);
        play.network.machine_mut(client).rcon("status").unwrap();
        play.network.machine_mut(client).rcon_login("wrong").unwrap();
        play.run(1);
        play.network.machine_mut(client).rcon_login("secret").unwrap();
        play.run(1);
        play.network.machine_mut(client).rcon("status").unwrap();
        play.run(1);
        let lines: Vec<_> = play
            .network
            .events(play.server)
            .iter()
            .filter(|event| matches!(event, server::Event::RconCommand { .. }))
            .collect();
        assert_eq!(lines.len(), 1, "{dialect:?}");
        assert!(play.network.events(client).contains(&Event::RconAuth { granted: true }), "{dialect:?}");
    }
}

#[test]
fn a_bad_link_changes_nothing_but_the_time_it_takes() {
    let mut play = Play::new(config());
    let clients = DIALECTS.map(|dialect| {
        let client = play.join(dialect as u8 + 10, dialect, MapPolicy::Assume);
        let bad = Conditions { corrupt: 0.0, ..Conditions::POOR };
        play.network.set_conditions(client, bad, bad);
        client
    });
    play.run(60);
    for (client, dialect) in clients.into_iter().zip(DIALECTS) {
        let stats = play.network.machine(client).stats();
        let events = play.network.events(client);
        assert!(
            events.contains(&Event::Entered),
            "{dialect:?} {:?} {stats:?}",
            play.network.machine(client).state()
        );
        assert_eq!(stats.snapshots.bad, 0, "{dialect:?}");
    }
}
