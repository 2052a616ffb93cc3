//! Checks that every machine of this crate fulfills the contract of machines (`gamewire_sim::contract`).

use crate::support;
use core::time::Duration;

use crate::support::{DIALECTS, capture, client_config, server_config};
use gamewire_machine::{Instant, Machine};
use gamewire_sim::contract::{self, Command, Harness, Lifecycle, PEER, START, SUBJECT};
use gamewire_teeworlds::Dialect;
use gamewire_teeworlds::Text;
use gamewire_teeworlds::browse::{self, Browser, BrowserConfig};
use gamewire_teeworlds::client::{self, Client, MapPolicy};
use gamewire_teeworlds::model::message::{Audience, Input, Profile};
use gamewire_teeworlds::model::{ClientId, Skin};
use gamewire_teeworlds::server::{self, Server, ServerConfig, WalkingGame};
use gamewire_teeworlds::value::{Emoticon, Team};

/// Number of random sequences for each machine, in addition to the sequences of `check`.
const SEQUENCES: u64 = 150;

/// Returns `count` datagrams that `peer` sends in the first seconds of a conversation with `subject`. They are spread
/// over this time, with at most the first three of each length.
fn recorded<A: Machine, B: Machine>(mut subject: A, mut peer: B, count: usize) -> Vec<Vec<u8>> {
    let mut sent: Vec<Vec<u8>> = Vec::new();
    let mut buffer = Vec::new();
    let mut now = START;
    for _ in 0..400 {
        now = now + Duration::from_millis(5);
        subject.handle_timeout(now);
        peer.handle_timeout(now);
        for _ in 0..8 {
            while subject.poll_transmit(now, &mut buffer).is_some() {
                let _ = peer.handle_datagram(now, SUBJECT, &buffer);
            }
            while peer.poll_transmit(now, &mut buffer).is_some() {
                let _ = subject.handle_datagram(now, PEER, &buffer);
                if sent.iter().filter(|known| known.len() == buffer.len()).count() < 3 {
                    sent.push(buffer.clone());
                }
            }
        }
    }
    let step = (sent.len() / count).max(1);
    sent.into_iter().step_by(step).take(count).collect()
}

/// A server under test. `DIALECT` is the number of its client's dialect.
struct Serving<const DIALECT: usize>;

fn serving(seed: u64) -> ServerConfig {
    // The peer may be rejected and return, and unknown addresses fill the slots of one address.
    ServerConfig { max_clients: 8, ..server_config(seed) }
}

impl<const DIALECT: usize> Harness for Serving<DIALECT> {
    type Machine = Server<WalkingGame>;
    type Peer = Client;

    /// Four connections of one address: this server accepts clients without a token.
    const MAX_UNVERIFIED_BYTES: usize = 4 * 8 * 1024;
    const MAX_SENDS_AFTER_CLOCK_JUMP: usize = 64;
    const IDLE_TIMEOUT: Option<Duration> = Some(Duration::from_secs(25));

    fn make(seed: u64, now: Instant) -> Server<WalkingGame> {
        Server::new(serving(seed), WalkingGame::default(), now)
    }

    fn peer(seed: u64, now: Instant) -> Option<Client> {
        let mut config = client_config(seed, DIALECTS[DIALECT]);
        config.maps = if seed.is_multiple_of(2) { MapPolicy::Ask } else { MapPolicy::Assume };
        Some(Client::connect(SUBJECT, config, now))
    }

    fn samples(seed: u64) -> Vec<Vec<u8>> {
        let mut samples = recorded(Self::make(seed, START), Self::peer(seed, START).unwrap(), 16);
        samples.extend(capture::some(false, 4));
        let browser = Browser::new([SUBJECT], BrowserConfig::new([1; 32]), START);
        samples.extend(recorded(Self::make(seed, START), browser, 4));
        samples
    }

    fn commands() -> &'static [Command<Server<WalkingGame>>] {
        &[
            ("say", |server, _| server.say("hello")),
            ("rcon line", |server, id| server.rcon_line(ClientId(id.to_le_bytes()[0]), "hello")),
            ("kick", |server, id| server.kick(ClientId(id.to_le_bytes()[0] % 8), "enough")),
            ("close", |server, number| {
                if number.is_multiple_of(8) {
                    server.close("over");
                }
            }),
        ]
    }

    fn held_bytes(server: &Server<WalkingGame>) -> usize {
        server.held_bytes()
    }

    fn lifecycle(event: &server::Event) -> Lifecycle {
        match event {
            server::Event::Connected { id, .. } => Lifecycle::Opened(id.0.into()),
            server::Event::Entered { id: from, .. }
            | server::Event::Chat { from, .. }
            | server::Event::RconCommand { from, .. }
            | server::Event::Message { from, .. } => Lifecycle::Active(from.0.into()),
            server::Event::Closed { id, .. } => Lifecycle::Closed(id.0.into()),
            server::Event::Missed { .. } => Lifecycle::Other,
        }
    }
}

/// A client under test. It offers the dialect with this number.
struct Playing<const DIALECT: usize>;

impl<const DIALECT: usize> Harness for Playing<DIALECT> {
    type Machine = Client;
    type Peer = Server<WalkingGame>;

    const MAX_UNVERIFIED_BYTES: usize = 0;
    const IDLE_TIMEOUT: Option<Duration> = Some(Duration::from_secs(110));
    const INITIAL_PEERS: &'static [u64] = &[0];

    fn make(seed: u64, now: Instant) -> Client {
        let mut config = client_config(seed, DIALECTS[DIALECT]);
        config.maps = if seed.is_multiple_of(2) { MapPolicy::Ask } else { MapPolicy::Assume };
        Client::connect(PEER, config, now)
    }

    fn peer(seed: u64, now: Instant) -> Option<Server<WalkingGame>> {
        Some(support::server(seed, now))
    }

    fn samples(seed: u64) -> Vec<Vec<u8>> {
        let mut samples = recorded(Self::make(seed, START), Self::peer(seed, START).unwrap(), 20);
        samples.extend(capture::some(true, 4));
        samples
    }

    fn commands() -> &'static [Command<Client>] {
        fn done<T, E>(_: Result<T, E>) {}
        &[
            ("say", |client, _| done(client.say(Audience::All, "hello"))),
            ("whisper", |client, id| done(client.say(Audience::Whisper(Some(ClientId(id as u8))), "psst"))),
            ("vote", |client, vote| done(client.vote(vote as i32))),
            ("call vote", |client, _| done(client.call_vote("kick", "1", "why not"))),
            ("emoticon", |client, number| done(client.emoticon(Emoticon(number as i32)))),
            ("kill", |client, _| done(client.kill())),
            ("set team", |client, team| done(client.set_team(Team(team as i32)))),
            ("spectate", |client, id| done(client.spectate(Some(ClientId(id as u8))))),
            ("rcon login", |client, right| {
                done(client.rcon_login(if right.is_multiple_of(2) { "secret" } else { "wrong" }));
            }),
            ("rcon", |client, _| done(client.rcon("status"))),
            ("change info", |client, country| {
                let text = Text::new("other");
                let country = country as i32;
                done(client.change_info(Profile {
                    name: text,
                    clan: text,
                    country,
                    skin: Skin::named(text),
                }));
            }),
            ("input", |client, keys| {
                client.set_input(Input { direction: (keys as i32).signum(), ..Input::default() });
            }),
            ("have map", |client, _| done(client.map_ready())),
            ("download map", |client, _| done(client.download_map())),
            ("disconnect", |client, number| {
                if number.is_multiple_of(8) {
                    client.disconnect("bye");
                }
            }),
            ("reconnect", |client, number| {
                if number.is_multiple_of(8) {
                    done(client.reconnect((number.is_multiple_of(16)).then_some(PEER.port())));
                }
            }),
        ]
    }

    fn held_bytes(_: &Client) -> usize {
        0
    }

    fn lifecycle(event: &client::Event) -> Lifecycle {
        match event {
            client::Event::Closed(_) => Lifecycle::Closed(0),
            _ => Lifecycle::Active(0),
        }
    }
}

/// A browser under test.
struct Browsing;

impl Harness for Browsing {
    type Machine = Browser;
    type Peer = Server<WalkingGame>;

    const MAX_UNVERIFIED_BYTES: usize = 0;
    const IDLE_TIMEOUT: Option<Duration> = Some(Duration::from_secs(10));
    const INITIAL_PEERS: &'static [u64] = &[0];

    fn make(seed: u64, now: Instant) -> Browser {
        Browser::new([PEER, contract::unknown_addr(1)], BrowserConfig::new(support::seed(seed)), now)
    }

    fn peer(seed: u64, now: Instant) -> Option<Server<WalkingGame>> {
        Some(support::server(seed, now))
    }

    fn samples(seed: u64) -> Vec<Vec<u8>> {
        let mut samples = recorded(Self::make(seed, START), Self::peer(seed, START).unwrap(), 16);
        samples.extend(capture::some(true, 4));
        samples
    }

    fn held_bytes(_: &Browser) -> usize {
        0
    }

    fn lifecycle(event: &browse::Event) -> Lifecycle {
        match event {
            browse::Event::Finished => Lifecycle::Closed(0),
            _ => Lifecycle::Active(0),
        }
    }
}

fn check<S: Harness>(first: u64) {
    contract::check::<S>();
    contract::check_sequences::<S>(SEQUENCES, first);
}

#[test]
fn a_server_keeps_the_contract_with_a_client_of_plain_0_6() {
    check::<Serving<0>>(10_000);
}

#[test]
fn a_server_keeps_the_contract_with_a_client_of_0_6_5() {
    check::<Serving<1>>(20_000);
}

#[test]
fn a_server_keeps_the_contract_with_a_client_of_ddnet() {
    check::<Serving<2>>(30_000);
}

#[test]
fn a_server_keeps_the_contract_with_a_client_of_0_7() {
    check::<Serving<3>>(40_000);
}

#[test]
fn a_client_of_plain_0_6_keeps_the_contract() {
    check::<Playing<0>>(50_000);
}

#[test]
fn a_client_of_0_6_5_keeps_the_contract() {
    check::<Playing<1>>(60_000);
}

#[test]
fn a_client_of_ddnet_keeps_the_contract() {
    check::<Playing<2>>(70_000);
}

#[test]
fn a_client_of_0_7_keeps_the_contract() {
    check::<Playing<3>>(80_000);
}

#[test]
fn a_browser_keeps_the_contract() {
    check::<Browsing>(90_000);
}

#[test]
fn the_other_roles_of_the_contract_get_into_the_game() {
    for (number, dialect) in DIALECTS.into_iter().enumerate() {
        let mut client = Client::connect(SUBJECT, client_config(1, dialect), START);
        let mut server = Serving::<0>::make(1, START);
        let mut buffer = Vec::new();
        for millis in (0..2_000).step_by(5) {
            let now = START + Duration::from_millis(millis);
            client.handle_timeout(now);
            server.handle_timeout(now);
            for _ in 0..8 {
                while client.poll_transmit(now, &mut buffer).is_some() {
                    let _ = server.handle_datagram(now, PEER, &buffer);
                }
                while server.poll_transmit(now, &mut buffer).is_some() {
                    let _ = client.handle_datagram(now, SUBJECT, &buffer);
                }
            }
        }
        assert_eq!(client.state(), "playing", "{number}");
        assert_eq!(client.dialect(), Some(dialect));
        assert!(Dialect::V06 == dialect || client.stats().link.vital_in > 0);
    }
}
