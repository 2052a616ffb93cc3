//! The cost of a server with 64 players of all dialects, in memory and in simulated time. `server_cost [SECONDS]`
//! prints snapshots and datagrams per second of processor time. To count the instructions of the ticks alone:
//! `valgrind --tool=callgrind --toggle-collect='*play_ticks*' --callgrind-out-file=/dev/null server_cost 2`.

#![allow(clippy::arithmetic_side_effects, clippy::cast_precision_loss, reason = "figures to be looked at")]

use std::collections::HashMap;
use std::net::SocketAddr;
use std::time::Duration;

use gamewire::machine::{Instant, Machine as _};
use gamewire::teeworlds::client::{Client, ClientConfig, MapPolicy};
use gamewire::teeworlds::model::Input;
use gamewire::teeworlds::server::{Map, Server, ServerConfig, WalkingGame};
use gamewire::teeworlds::{AcceptorConfig, Dialect, LinkConfig, TokenlessPolicy};

const PLAYERS: u8 = 64;
const DIALECTS: [Dialect; 4] = [Dialect::V06, Dialect::V065, Dialect::Tken, Dialect::V07];
/// Time after which all players are in the game and all buffers have their final size.
const WARM_MILLIS: u64 = 5_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seconds: u64 = std::env::args().nth(1).map_or(Ok(10), |text| text.parse())?;
    let host = SocketAddr::from(([10, 0, 0, 1], 8303));
    let mut server = Server::new(config(), WalkingGame::default(), Instant::ZERO);
    let mut numbers = HashMap::new();
    let mut clients = Vec::new();
    for (number, dialect) in (0..PLAYERS).zip(DIALECTS.into_iter().cycle()) {
        let mut config = ClientConfig::new(dialect, &format!("player {number}"), [number; 32]);
        config.maps = MapPolicy::Assume;
        let address = SocketAddr::from(([10, 0, 1, number], 5000));
        numbers.insert(address, clients.len());
        clients.push((address, Client::connect(host, config, Instant::ZERO)));
    }
    let mut buffer = Vec::with_capacity(1_400);
    let (mut ticks, mut total, mut datagrams, mut before) = (Duration::ZERO, Duration::ZERO, 0_u64, 0);
    for millis in (0..WARM_MILLIS + seconds * 1000).step_by(10) {
        let now = Instant::from_micros(millis * 1000);
        let is_warm = millis >= WARM_MILLIS;
        if millis == WARM_MILLIS {
            before = snapshots(&clients);
        }
        let began = std::time::Instant::now();
        if is_warm {
            play_ticks(&mut server, now);
            ticks += began.elapsed();
            total += began.elapsed();
        } else {
            server.handle_timeout(now);
        }
        loop {
            let began = std::time::Instant::now();
            let Some(transmit) = server.poll_transmit(now, &mut buffer) else { break };
            if is_warm {
                total += began.elapsed();
                datagrams += 1;
            }
            if let Some((_, client)) = numbers.get(&transmit.to).and_then(|number| clients.get_mut(*number)) {
                client.handle_datagram(now, host, &buffer).ok();
            }
        }
        for (number, (address, client)) in clients.iter_mut().enumerate() {
            let direction = if ((millis / 10 + number as u64) / 100).is_multiple_of(2) { 1 } else { -1 };
            client.set_input(Input { direction, ..Input::default() });
            client.handle_timeout(now);
            while client.poll_event().is_some() {}
            while client.poll_transmit(now, &mut buffer).is_some() {
                let began = std::time::Instant::now();
                server.handle_datagram(now, *address, &buffer).ok();
                if is_warm {
                    total += began.elapsed();
                }
            }
        }
        while server.poll_event().is_some() {}
    }
    let sent = snapshots(&clients) - before;
    println!("{} players, {sent} snapshots, {datagrams} datagrams", server.client_count());
    println!("{:.2} datagrams a snapshot", datagrams as f64 / sent as f64);
    println!("{:.1} microseconds of ticks a snapshot", ticks.as_secs_f64() * 1e6 / sent as f64);
    println!("{:.0} datagrams a second of the server's time", datagrams as f64 / total.as_secs_f64());
    Ok(())
}

/// Plays the ticks that are due and sends the snapshots.
#[inline(never)]
fn play_ticks(server: &mut Server<WalkingGame>, now: Instant) {
    server.handle_timeout(now);
}

/// Returns the number of snapshots that arrived.
fn snapshots(clients: &[(SocketAddr, Client)]) -> u64 {
    let counts = clients.iter().map(|(_, client)| client.stats().snapshots);
    counts.map(|counts| counts.good + counts.empty).sum()
}

fn config() -> ServerConfig {
    let mut config = ServerConfig::new([1; 32], "crowd", Map::new("crowd", vec![0; 1000]));
    (config.max_clients, config.max_clients_per_address) = (PLAYERS, PLAYERS);
    config.acceptor = AcceptorConfig {
        tokenless: TokenlessPolicy::Accept(LinkConfig::vanilla(Dialect::V06)),
        ..AcceptorConfig::vanilla()
    };
    config
}
