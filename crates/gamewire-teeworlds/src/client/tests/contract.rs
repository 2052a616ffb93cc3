//! The client against what every machine must keep.

use core::time::Duration;

use gamewire_machine::{Datagram, Instant, Machine};
use gamewire_sim::contract::{self, Command, Mark, PEER, START, SUBJECT, Subject};

use super::table::DIALECTS;
use crate::Dialect;
use crate::client::{Client, ClientConfig, Event, Maps};
use crate::handshake::{GateConfig, Plain};
use crate::link::LinkConfig;
use crate::server::{Map, Server, ServerConfig, Stroll};
use crate::session::Input;
use crate::session::message::Audience;

/// A client of the `D`th dialect, with the timers of Teeworlds.
struct Playing<const D: usize>;

/// What a client holds that is not yet in the game: a connection and events.
const MOST_HELD: usize = 128 * 1024;

impl<const D: usize> Subject for Playing<D> {
    type Machine = Client;
    type Peer = Server<Stroll>;

    const MOST_HELD: usize = MOST_HELD;
    const GIVES_UP_AFTER: Option<Duration> = Some(Duration::from_secs(20));
    const BORN_WITH: &'static [u64] = &[0];

    fn make(seed: u64, now: Instant) -> Client {
        let dialect = DIALECTS[D];
        let config = ClientConfig {
            link: LinkConfig::vanilla(dialect),
            maps: if seed.is_multiple_of(2) { Maps::Assume } else { Maps::Ask },
            ..ClientConfig::new(dialect, "anna", [seed as u8; 32])
        };
        Client::connect(PEER, config, now)
    }

    fn peer(seed: u64, now: Instant) -> Option<Server<Stroll>> {
        let mut config = ServerConfig::new([!seed as u8; 32], "test", Map::new("dm1", vec![7; 5000]));
        config.rcon_password = "secret".to_owned();
        config.gate =
            GateConfig { plain: Plain::Trust(LinkConfig::vanilla(Dialect::V06)), ..GateConfig::vanilla() };
        Some(Server::new(config, Stroll::default(), now))
    }

    /// What a server says from the first word to a second of the game.
    fn samples(seed: u64) -> Vec<Vec<u8>> {
        let mut client = Self::make(seed, START);
        let mut server = Self::peer(seed, START).unwrap();
        let (mut samples, mut buffer) = (Vec::new(), Vec::new());
        for step in 0..200 {
            let now = START + Duration::from_millis(10 * step);
            server.handle_timeout(now);
            client.handle_timeout(now);
            while let Some(event) = client.poll_event() {
                if let Event::MapNeeded(_) = event {
                    let _ = client.download_map();
                }
            }
            while client.poll_transmit(now, &mut buffer).is_some() {
                let _ = server.handle_datagram(now, SUBJECT, &buffer);
            }
            while server.poll_transmit(now, &mut buffer).is_some() {
                let _ = client.handle_datagram(now, PEER, &buffer);
                samples.push(buffer.clone());
            }
        }
        assert_eq!(client.state(), "playing");
        samples
    }

    fn commands() -> &'static [Command<Client>] {
        &[
            ("say", |client, _| _ = client.say(Audience::All, "hello")),
            ("rcon", |client, _| _ = client.rcon("status")),
            ("rcon login", |client, _| _ = client.rcon_login("secret")),
            ("input", |client, number| {
                client.set_input(Input { target_x: number as i32, ..Input::default() });
            }),
            ("have map", |client, _| _ = client.have_map()),
            ("download map", |client, _| _ = client.download_map()),
            ("reconnect", |client, _| _ = client.reconnect(None)),
            ("disconnect", |client, _| client.disconnect("bye")),
        ]
    }

    fn held_bytes(machine: &Client) -> usize {
        machine.held_bytes()
    }

    fn mark(event: &Event) -> Mark {
        match event {
            Event::Closed(_) => Mark::Closed(0),
            _ => Mark::About(0),
        }
    }
}

#[test]
fn a_client_of_plain_0_6_keeps_the_contract() {
    contract::check::<Playing<0>>();
}

#[test]
fn a_client_of_0_6_5_keeps_the_contract() {
    contract::check::<Playing<1>>();
}

#[test]
fn a_client_of_ddnets_dialect_keeps_the_contract() {
    contract::check::<Playing<2>>();
}

#[test]
fn a_client_of_0_7_keeps_the_contract() {
    contract::check::<Playing<3>>();
}
