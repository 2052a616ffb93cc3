//! Several players in one process on one server, and the cost of each:
//! `freeciv_bots SERVER [PLAYERS] [TURNS]`. The server must allow that many from one address:
//! `set maxconnectionsperhost 0` in its console.

#![allow(clippy::arithmetic_side_effects, clippy::cast_precision_loss, reason = "figures to be looked at")]

use std::error::Error;
use std::time::{Duration, Instant};

use gamewire::freeciv::{Player, orders};

const PATIENCE: Duration = Duration::from_secs(60);

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let server = arguments.next().unwrap_or_else(|| "127.0.0.1:5556".into());
    let count: usize = arguments.next().map_or(Ok(10), |count| count.parse())?;
    let turns: i16 = arguments.next().map_or(Ok(20), |turns| turns.parse())?;

    // Create the data that all players share before the first player is counted.
    let mut players = vec![Player::join(&server, "bot0")?];
    let (before, started) = (resident(), processor());
    for number in 1..count {
        players.push(Player::join(&server, &format!("bot{number}"))?);
    }
    let (joined, joining) = (resident(), processor() - started);
    for player in &mut players {
        player.perform(&orders::start_game()?)?;
    }
    let (began, started) = (Instant::now(), processor());
    until(&mut players, 1)?;
    for turn in 1..=turns {
        for player in &mut players {
            act(player)?;
            player.order(&orders::end_turn(player.world()))?;
        }
        until(&mut players, turn + 1)?;
    }
    let playing = processor() - started;
    let others = (count.max(2) - 1) as f64;
    let cities: usize = players.iter().map(|player| player.world().my_cities().count()).sum();
    println!("{count} players, {turns} turns in {:.1} s, {cities} cities", began.elapsed().as_secs_f64());
    println!("joining: {:.1} ms of processor time each", 1000.0 * joining / others);
    println!(
        "playing: {:.2} ms of processor time each and turn",
        1000.0 * playing / (count as f64 * f64::from(turns))
    );
    println!(
        "memory: {:.2} MiB each when joined, {:.2} MiB each at the end",
        each(joined, before) / others,
        each(resident(), before) / others
    );
    Ok(())
}

/// Founds a city with each settler that can, and lets other units explore.
fn act(player: &mut Player) -> Result<(), Box<dyn Error>> {
    let idle: Vec<u32> =
        player.world().my_units_of("Settlers").filter(|unit| unit.is_idle()).map(|unit| unit.id()).collect();
    for settlers in idle {
        let order = orders::found_city(player.world(), settlers, &format!("City {settlers}"))?;
        player.order(&order)?;
    }
    let idle: Vec<u32> =
        player.world().my_units_of("Explorer").filter(|unit| unit.is_idle()).map(|unit| unit.id()).collect();
    for explorer in idle {
        let explore = orders::explore(player.world(), explorer);
        player.order(&explore)?;
    }
    Ok(())
}

/// Drives all players until the turn has begun for each of them.
fn until(players: &mut [Player], turn: i16) -> Result<(), Box<dyn Error>> {
    let begin = Instant::now();
    while begin.elapsed() < PATIENCE {
        for player in &mut *players {
            player.update()?;
        }
        if players.iter().all(|player| player.world().turn_started() >= turn) {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Err(format!("turn {turn} did not begin in time").into())
}

/// Returns the resident memory of this process in bytes, on Linux.
fn resident() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    pages.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4096
}

/// Returns the processor time of this process in seconds, on Linux.
fn processor() -> f64 {
    let times = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    times.split(' ').next().and_then(|nanos| nanos.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}

/// Returns the difference in MiB.
fn each(now: u64, before: u64) -> f64 {
    now.saturating_sub(before) as f64 / f64::from(1 << 20)
}
