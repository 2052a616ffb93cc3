//! Runs a server and 64 players in all dialects over loopback, for a minute or SECONDS. Prints the traffic, the cost,
//! and whether a client was lost: `crowd [SECONDS]`.

#![allow(clippy::arithmetic_side_effects, clippy::cast_precision_loss, reason = "figures to be looked at")]

use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};

use gamewire::machine::Instant as Moment;
use gamewire::net::blocking::Driver;
use gamewire::teeworlds::Dialect;
use gamewire::teeworlds::LinkConfig;
use gamewire::teeworlds::client::{Client, ClientConfig, Event};
use gamewire::teeworlds::model::{Audience, Input};
use gamewire::teeworlds::server::{self, Map, Server, ServerConfig, WalkingGame};
use gamewire::teeworlds::{AcceptorConfig, TokenlessPolicy};

const PLAYERS: u8 = 64;
const DIALECTS: [Dialect; 4] = [Dialect::V06, Dialect::V065, Dialect::Tken, Dialect::V07];
/// Time after which all players are in the game and all buffers have their final size.
const WARM: Duration = Duration::from_secs(10);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seconds = std::env::args().nth(1).map_or(Ok(60), |text| text.parse())?;
    let loopback = SocketAddr::new(Ipv4Addr::LOCALHOST.into(), 0);
    let mut server = Driver::bind(loopback, Server::new(config(), WalkingGame::default(), Moment::ZERO))?;
    let mut players = Vec::new();
    for (number, dialect) in (0..PLAYERS).zip(DIALECTS.into_iter().cycle()) {
        let config = ClientConfig::new(dialect, &format!("player {number}"), gamewire::seed());
        players.push(Driver::bind(loopback, Client::connect(server.local_addr(), config, Moment::ZERO))?);
    }
    let (began, mut warm, mut lost, mut turn) = (Instant::now(), None, Vec::new(), 0_u32);
    while began.elapsed() < Duration::from_secs(seconds) {
        for event in server.update()? {
            if let server::Event::Closed { id, reason } = event {
                lost.push(format!("the server lost {}: {reason}", id.0));
            }
        }
        for (number, player) in players.iter_mut().enumerate() {
            let closed = player.update()?.find(|event| matches!(event, Event::Closed(_)));
            lost.extend(closed.map(|event| format!("player {number}: {event:?}")));
            if turn.wrapping_add(u32::try_from(number)?) % 200 == 0 {
                let direction = if turn / 200 % 2 == 0 { 1 } else { -1 };
                player.machine_mut().set_input(Input { direction, ..Input::default() });
                player.machine_mut().say(Audience::All, "still here").ok();
            }
        }
        if warm.is_none() && began.elapsed() > WARM {
            warm = Some((resident(), server.machine().held_bytes()));
        }
        turn = turn.wrapping_add(1);
        std::thread::sleep(Duration::from_millis(5));
    }
    let time = began.elapsed().as_secs_f64();
    let (sent, received) = (server.stats().sent, server.stats().received);
    let snapshots = players.iter().map(|player| player.machine().stats().snapshots);
    let (good, bad) =
        snapshots.fold((0, 0), |(good, bad), counts| (good + counts.good + counts.empty, bad + counts.bad));
    let rate = |count: u64| count as f64 / time;
    println!(
        "{} of {PLAYERS} players in after {time:.0} s, {} lost",
        server.machine().client_count(),
        lost.len()
    );
    println!(
        "server sent {:.0} datagrams, {:.0} kB a second",
        rate(sent.datagrams),
        rate(sent.bytes) / 1000.0
    );
    println!(
        "server received {:.0} datagrams, {:.0} kB a second",
        rate(received.datagrams),
        rate(received.bytes) / 1000.0
    );
    println!(
        "{good} snapshots arrived ({:.1} a second and player), {bad} with a wrong sum",
        rate(good) / f64::from(PLAYERS)
    );
    println!("processor: {:.0} % of one core, server and players together", 100.0 * processor() / time);
    if let Some((before, held)) = warm {
        println!(
            "memory of the process: {:.1} MiB after 10 s, {:.1} MiB at the end",
            mib(before),
            mib(resident())
        );
        println!(
            "held for connections: {held} bytes after 10 s, {} at the end",
            server.machine().held_bytes()
        );
    }
    let socket = server.stats();
    println!(
        "rejected {}, dropped {}, errors {}, undecodable {}",
        socket.rejected,
        socket.dropped,
        socket.errors.total(),
        server.machine().undecodable()
    );
    lost.iter().for_each(|line| println!("{line}"));
    let all_is_well = lost.is_empty()
        && server.machine().client_count() == usize::from(PLAYERS)
        && bad == 0
        && socket.rejected == 0;
    if all_is_well { Ok(()) } else { Err("a client or a message was lost".into()) }
}

fn config() -> ServerConfig {
    let mut config = ServerConfig::new(gamewire::seed(), "crowd", Map::new("crowd", vec![0; 1000]));
    (config.max_clients, config.max_clients_per_address) = (PLAYERS, PLAYERS);
    config.acceptor = AcceptorConfig {
        tokenless: TokenlessPolicy::Accept(LinkConfig::vanilla(Dialect::V06)),
        ..AcceptorConfig::vanilla()
    };
    config
}

/// Returns the resident memory of this process in bytes, on Linux.
fn resident() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    pages.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4096
}

/// Returns the processor time of this process in seconds, on Linux.
fn processor() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let ticks = stat.rsplit(") ").next().unwrap_or_default().split(' ').skip(11).take(2);
    ticks.filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

fn mib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}
