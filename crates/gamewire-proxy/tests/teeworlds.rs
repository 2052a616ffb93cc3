//! Teeworlds clients and a server with bridges between them, in memory and virtual time.
#![cfg(feature = "teeworlds")]
#![allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, reason = "a test that overflows fails")]

use std::net::SocketAddr;
use std::time::Duration;

use gamewire_machine::{Instant, Machine as _, Role};
use gamewire_proxy::rules::Rules;
use gamewire_proxy::teeworlds::{TeeworldsBridge, TeeworldsConfig, TeeworldsMessages};
use gamewire_proxy::{Bridge, MessageHook, Unchanged};
use gamewire_sim::{Conditioner, Conditions};
use gamewire_teeworlds::client::{self, Client, ClientConfig, MapPolicy};
use gamewire_teeworlds::model::message::{Audience, ClientId, ClientMessage, Input};
use gamewire_teeworlds::model::{Skin, SkinColors};
use gamewire_teeworlds::server::{self, Map, Server, ServerConfig, WalkingGame};
use gamewire_teeworlds::{
    AcceptorConfig, CloseReason, Dialect, LinkConfig, MessageBuf, Text, TokenlessPolicy,
};

const STEP: Duration = Duration::from_millis(4);
const DIALECTS: [Dialect; 4] = [Dialect::V06, Dialect::V065, Dialect::Tken, Dialect::V07];

fn address(port: u16) -> SocketAddr {
    ([127, 0, 0, 1], port).into()
}

/// A client and its bridge, and the links between client, bridge and server.
struct Player {
    client: Client,
    bridge: TeeworldsBridge,
    links: [Conditioner<()>; 4],
    events: Vec<client::Event>,
    /// The player's address at the server.
    address: SocketAddr,
}

struct Game {
    now: Instant,
    server: Server<WalkingGame>,
    events: Vec<server::Event>,
    players: Vec<Player>,
}

fn map_bytes() -> Vec<u8> {
    (0..20_000_u32).flat_map(u32::to_be_bytes).collect()
}

impl Game {
    fn new() -> Self {
        let acceptor = AcceptorConfig {
            tokenless: TokenlessPolicy::Accept(LinkConfig::vanilla(Dialect::V06)),
            ..AcceptorConfig::vanilla()
        };
        let mut config = ServerConfig::new([1; 32], "a server", Map::new("dm1", map_bytes()));
        (config.acceptor, config.max_clients_per_address) = (acceptor, 16);
        (config.motd, config.vote_options) =
            ("welcome".into(), (0..40).map(|at| format!("option {at}")).collect());
        config.rcon_password = "secret".into();
        let server = Server::new(config, WalkingGame::default(), Instant::ZERO);
        Self { now: Instant::ZERO, server, events: Vec::new(), players: Vec::new() }
    }

    /// Adds a player, and returns the player's index.
    fn join(
        &mut self,
        (dialect, to): (Dialect, Option<Dialect>),
        name: &str,
        hook: impl MessageHook<MessageBuf> + 'static,
        conditions: Conditions,
    ) -> usize {
        let number = self.players.len();
        let seed = u8::try_from(number).unwrap() + 2;
        let own = address(1_000 + u16::from(seed));
        let config =
            TeeworldsConfig { client: own, server: address(1), server_dialect: to, seed: [seed; 32] };
        let mut client = ClientConfig::new(dialect, name, [seed + 100; 32]);
        client.maps = MapPolicy::Ask;
        self.players.push(Player {
            client: Client::connect(address(2), client, self.now),
            bridge: TeeworldsBridge::with_hook(config, self.now, Box::new(hook)),
            links: [1, 2, 3, 4].map(|link| Conditioner::new(conditions, link * 7 + u64::from(seed))),
            events: Vec::new(),
            address: own,
        });
        number
    }

    fn run(&mut self, time: Duration) {
        let end = self.now + time;
        let mut buffer = Vec::new();
        while self.now < end {
            self.now = self.now + STEP;
            let now = self.now;
            self.server.handle_timeout(now);
            while let Some(transmit) = self.server.poll_transmit(now, &mut buffer) {
                let player = self.players.iter_mut().find(|player| player.address == transmit.to);
                player.unwrap().links[2].push(now, (), &buffer);
            }
            for player in &mut self.players {
                let Player { client, bridge, links: [up, on, back, down], events, address: own } = player;
                client.handle_timeout(now);
                bridge.handle_timeout(now);
                while client.poll_transmit(now, &mut buffer).is_some() {
                    up.push(now, (), &buffer);
                }
                while up.pop(now, &mut buffer).is_some() {
                    bridge.handle(now, Role::Client, &buffer);
                }
                while back.pop(now, &mut buffer).is_some() {
                    bridge.handle(now, Role::Server, &buffer);
                }
                while bridge.poll_transmit(now, Role::Server, &mut buffer) {
                    on.push(now, (), &buffer);
                }
                while bridge.poll_transmit(now, Role::Client, &mut buffer) {
                    down.push(now, (), &buffer);
                }
                while on.pop(now, &mut buffer).is_some() {
                    let _ = self.server.handle_datagram(now, *own, &buffer);
                }
                while down.pop(now, &mut buffer).is_some() {
                    let _ = client.handle_datagram(now, address(2), &buffer);
                }
                while let Some(event) = client.poll_event() {
                    if let client::Event::MapNeeded(_) = event {
                        client.download_map().unwrap();
                    }
                    events.push(event);
                }
            }
            self.events.extend(std::iter::from_fn(|| self.server.poll_event()));
        }
    }

    /// Runs until `is_done` returns true. Panics after one minute.
    fn run_until(&mut self, what: &str, is_done: impl Fn(&Self) -> bool) {
        let end = self.now + Duration::from_secs(60);
        while !is_done(self) {
            let states: Vec<_> = self.players.iter().map(|player| player.client.state()).collect();
            assert!(self.now < end, "never: {what}; {states:?}");
            self.run(STEP);
        }
    }

    fn enter(&mut self, player: usize) {
        self.run_until("in the game", |game| game.players[player].client.state() == "playing");
    }

    /// Returns the chat lines that a player received, with their authors.
    fn lines(&self, player: usize) -> Vec<(Option<String>, Audience, String)> {
        let chat = |event: &client::Event| match event {
            client::Event::Chat { name, audience, text, .. } => {
                Some((name.as_ref().map(ToString::to_string), *audience, text.to_string()))
            }
            _ => None,
        };
        self.players[player].events.iter().filter_map(chat).collect()
    }

    fn saw(&self, player: usize, author: &str, line: &str) -> bool {
        self.lines(player).iter().any(|(from, _, text)| from.as_deref() == Some(author) && text == line)
    }
}

fn lossy() -> Conditions {
    Conditions { loss: 0.05, delay: Duration::from_millis(15), ..Conditions::default() }
}

/// Returns every client dialect with every server version.
fn pairs() -> impl Iterator<Item = (Dialect, Option<Dialect>)> {
    let same = DIALECTS.into_iter().map(|dialect| (dialect, None));
    same.chain(DIALECTS[..3].iter().flat_map(|six| [(*six, Some(Dialect::V07)), (Dialect::V07, Some(*six))]))
}

#[test]
fn players_of_every_dialect_play_on_every_version_over_lossy_links() {
    for pair in pairs() {
        let mut game = Game::new();
        let ann = game.join(pair, "ann", Unchanged, lossy());
        game.enter(ann);
        let bob = game.join(pair, "bob", Unchanged, lossy());
        game.enter(bob);
        let loaded = game.players[ann].events.iter().any(
            |event| matches!(event, client::Event::MapLoaded { bytes: Some(bytes) } if *bytes == map_bytes()),
        );
        assert!(loaded, "{pair:?}: the map");
        let motd = |event: &client::Event| matches!(event, client::Event::Motd(text) if text.as_bytes() == b"welcome");
        assert!(game.players[ann].events.iter().any(motd), "{pair:?}");
        assert_eq!(game.players[ann].client.announced().vote_options.len(), 40, "{pair:?}");

        game.run_until("both see both", |game| {
            game.players.iter().all(|player| {
                let names: Vec<_> = player.client.players().iter().map(|p| p.name.to_string()).collect();
                names == ["ann", "bob"]
            })
        });
        for (at, player) in game.players.iter().enumerate() {
            assert_eq!(
                player.client.local_player_id(),
                Some(ClientId(u8::try_from(at).unwrap())),
                "{pair:?}"
            );
        }

        let start = game.server.world().character(ClientId(0)).unwrap().x;
        game.players[ann].client.set_input(Input { direction: 1, target_x: 5, ..Input::default() });
        game.run(Duration::from_secs(1));
        let walked = game.server.world().character(ClientId(0)).unwrap().x;
        assert!(walked > start + 200, "{pair:?}: {start} {walked}");
        let seen = game.players[bob].client.world().character(ClientId(0)).unwrap().x;
        assert!((walked - seen).abs() < 150, "{pair:?}: {walked} {seen}");

        game.players[ann].client.say(Audience::All, "hello bob").unwrap();
        game.players[bob].client.say(Audience::Team, "hello ann").unwrap();
        game.run_until("chat both ways", |game| {
            game.saw(ann, "bob", "hello ann") && game.saw(bob, "ann", "hello bob")
        });

        // A lost CLOSE is not resent.
        for player in &mut game.players {
            player.links = [1, 2, 3, 4].map(|link| Conditioner::new(Conditions::default(), link));
        }
        game.players[bob].client.disconnect("enough");
        game.run_until("bob has left", |game| game.players[ann].client.players().len() == 1);
        let left = CloseReason::PeerClosed { reason: "enough".into() };
        assert!(game.events.contains(&server::Event::Closed { id: ClientId(1), reason: left }), "{pair:?}");
        assert!(game.players[bob].bridge.is_over());
        game.server.kick(ClientId(0), "no more");
        game.run(Duration::from_secs(1));
        let last = game.players[ann].events.last().unwrap();
        let reason = CloseReason::PeerClosed { reason: "no more".into() };
        assert_eq!(*last, client::Event::Closed(reason), "{pair:?}");
        let snapshots = game.players[ann].client.stats().snapshots;
        assert_eq!((snapshots.bad, game.players[ann].client.stats().undecodable), (0, 0), "{pair:?}");
        assert_eq!(game.players[ann].bridge.stats().undecodable, 0, "{pair:?}");
        assert_eq!(game.server.undecodable(), 0, "{pair:?}");
    }
}

#[test]
fn looks_commands_and_whispers_are_translated() {
    let mut game = Game::new();
    let seven = game.join((Dialect::V07, Some(Dialect::Tken)), "seven", Unchanged, Conditions::default());
    let six = game.join((Dialect::Tken, Some(Dialect::V07)), "six", Unchanged, Conditions::default());
    game.enter(seven);
    game.enter(six);
    game.run(Duration::from_secs(1));

    let colors = Some(SkinColors { body: 100, feet: 200 });
    let skin = Skin::Whole { name: Text::new("bluekitty"), colors };
    let mut profile = game.players[six].client.players()[1].clone();
    profile.skin = (&skin).into();
    game.players[six].client.change_info(profile.profile()).unwrap();
    game.run(Duration::from_secs(1));
    let seen = game.players[seven].client.world().player(ClientId(1)).unwrap().skin.clone();
    assert_eq!(seen.as_skin().colors(), colors, "colors of 0.6 in 0.7");
    let parts = Skin::Parts(Skin::Whole { name: Text::new("x"), colors }.parts());
    game.players[seven].client.send(&ClientMessage::ChangeSkin(parts)).unwrap();
    game.run(Duration::from_secs(1));
    let seen = game.players[six].client.world().player(ClientId(0)).unwrap();
    assert_eq!((seen.skin.as_skin().colors(), seen.name.to_string()), (colors, "seven".into()));

    game.players[six].client.say(Audience::All, "/w seven only you").unwrap();
    game.players[six].client.say(Audience::All, "/w nobody only you").unwrap();
    game.run(Duration::from_secs(1));
    assert!(game.saw(seven, "six", "only you"), "{:?}", game.lines(seven));
    let told = game.lines(six);
    assert!(told.iter().any(|(_, _, text)| text.contains("no player 'nobody'")), "{told:?}");
    game.players[seven].client.say(Audience::Whisper(Some(ClientId(1))), "back to you").unwrap();
    game.run(Duration::from_secs(1));
    let lines: Vec<_> = game.lines(six).into_iter().map(|(_, _, text)| text).collect();
    assert!(lines.contains(&"/w \"six\" back to you".into()), "DDNet reads it as a command: {lines:?}");

    for player in [six, seven] {
        game.players[player].client.rcon_login("secret").unwrap();
        game.run(Duration::from_secs(1));
        let granted = |event: &client::Event| *event == client::Event::RconAuth { granted: true };
        assert!(game.players[player].events.iter().any(granted));
    }
}

#[test]
fn rules_drop_change_and_delay_messages() {
    for pair in pairs() {
        let field = r#"
            [[rule]]
            match = 'teeworlds.say.text contains "spam"'
            action = "drop"

            [[rule]]
            match = 'teeworlds.chat.text == "rude"'
            from = "server"
            action = "set"
            field = "text"
            value = "***"

            [[rule]]
            match = 'teeworlds.say.text == "later"'
            action = "delay"
            milliseconds = 700
        "#;
        let rules = Rules::parse(field, TeeworldsMessages).unwrap();
        let mut game = Game::new();
        let ann = game.join(pair, "ann", rules, Conditions::default());
        game.enter(ann);
        for line in ["later", "buy spam", "rude", "fine"] {
            game.players[ann].client.say(Audience::All, line).unwrap();
        }
        game.run(Duration::from_millis(500));
        let texts = |game: &Game| -> Vec<String> {
            let own = game.lines(ann).into_iter().filter(|(from, ..)| from.is_some());
            own.map(|(_, _, text)| text).collect()
        };
        assert_eq!(texts(&game), ["***", "fine"], "{pair:?}");
        game.run(Duration::from_millis(500));
        assert_eq!(texts(&game), ["***", "fine", "later"], "{pair:?}");
    }
}

#[test]
fn p1_noise_at_both_sides_of_a_bridge_does_no_harm() {
    let mut random = gamewire_sim::random::Random::new(0x2545_f491_4f6c_dd1d);
    for pair in pairs() {
        let mut game = Game::new();
        let ann = game.join(pair, "ann", Unchanged, Conditions::default());
        game.enter(ann);
        for _ in 0..2_000 {
            let length = random.below(256) * 6;
            let noise = random.bytes(length);
            let now = game.now;
            for side in Role::BOTH {
                game.players[ann].bridge.handle(now, side, &noise);
            }
        }
        game.players[ann].client.say(Audience::All, "still here").unwrap();
        game.run(Duration::from_secs(1));
        assert!(game.saw(ann, "ann", "still here"), "{pair:?}");
    }
}

#[test]
fn p1_a_server_that_sends_more_than_a_client_takes_ends_the_bridge() {
    let pair = (Dialect::V07, None);
    let mut game = Game::new();
    let ann = game.join(pair, "ann", Unchanged, Conditions::default());
    game.enter(ann);
    // The client's acks do not arrive any more, but the bridge acknowledges the server's messages.
    let dark = Conditions { loss: 1.0, ..Conditions::default() };
    game.players[ann].links[0] = Conditioner::new(dark, 1);
    let line = "x".repeat(250);
    // The loop ends before the client's connection times out, and sends no faster than the bridge acknowledges.
    for _ in 0..700 {
        game.server.say(&line);
        game.run(3 * STEP);
    }
    assert!(game.players[ann].bridge.is_over());
    let reason = CloseReason::PeerClosed { reason: "too weak connection (out of buffer)".into() };
    assert!(
        game.events.contains(&server::Event::Closed { id: ClientId(0), reason }),
        "{:?}",
        game.events.last()
    );
}
