//! Observes a game and prints the score table each turn.
//!
//! `cargo run -p gamewire --example freeciv_observer -- [SERVER] [NAME] [TURNS]`

use std::env;
use std::error::Error;
use std::time::Duration;

use gamewire::freeciv::world::World;
use gamewire::freeciv::{Player, orders};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let server = arguments.next().unwrap_or_else(|| "127.0.0.1:5556".into());
    let name = arguments.next().unwrap_or_else(|| "observer".into());
    let turns: u32 = arguments.next().map_or(Ok(u32::MAX), |turns| turns.parse())?;

    let mut observer = Player::join(server, &name)?;
    observer.perform(&orders::observe()?)?;
    observer.wait_until(Duration::from_secs(5), World::is_observer)?;
    for _ in 0..turns {
        let turn = observer.world().turn_started();
        observer.wait_until(Duration::from_secs(3600), |world| world.turn_started() > turn)?;
        table(observer.world());
    }
    Ok(())
}

fn table(world: &World) {
    println!("turn {}, year {}", world.turn(), world.year());
    let mut players: Vec<_> = world.players().collect();
    players.sort_by_key(|player| core::cmp::Reverse(player.score));
    for player in players {
        let cities = world.cities().iter().filter(|city| city.owner() == player.playerno).count();
        let units = world.units().iter().filter(|unit| unit.owner() == player.playerno).count();
        let nation = world.rulesets().nations.get(player.nation);
        let nation = nation.map(|nation| nation.adjective.to_str_lossy()).unwrap_or_default();
        let (name, score, gold) = (player.name.to_str_lossy(), player.score, player.gold);
        println!("{score:6}  {name:24} {nation:16} {cities:3} cities {units:4} units {gold:6} gold");
    }
}
