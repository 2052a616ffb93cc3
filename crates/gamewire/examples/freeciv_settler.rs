//! A bot that founds a city with its first settlers, lets it grow, explores, and ends its turns.
//!
//! `cargo run -p gamewire --example freeciv_settler -- [SERVER] [NAME] [TURNS]`, against any
//! freeciv-server 3.0, for example `freeciv-server -p 5556 -e`. The first to join starts the game.

use std::env;
use std::error::Error;
use std::time::Duration;

use gamewire::freeciv::world::{Change, City, World};
use gamewire::freeciv::{Player, orders};

const TURN: Duration = Duration::from_secs(120);

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let server = arguments.next().unwrap_or_else(|| "127.0.0.1:5556".into());
    let name = arguments.next().unwrap_or_else(|| "settler".into());
    let turns: i16 = arguments.next().map_or(Ok(20), |turns| turns.parse())?;

    let mut player = Player::join(server, &name)?;
    player.perform(&orders::start_game()?)?;
    player.wait_until(TURN, |world| world.turn_started() > 0)?;
    let last = player.world().turn().saturating_add(turns);
    while player.world().turn() < last {
        play(&mut player)?;
        player.next_turn(TURN)?;
        for change in player.changes() {
            if let Change::Message(message) = change {
                println!("  {}", message.text);
            }
        }
        println!("{}", summary(player.world()));
    }
    Ok(())
}

/// Gives each idle unit an order by its type.
fn play(player: &mut Player) -> Result<(), Box<dyn Error>> {
    let idle = |name| {
        move |world: &World| -> Vec<u32> {
            world.my_units_of(name).filter(|unit| unit.is_idle()).map(|unit| unit.id()).collect()
        }
    };
    for settlers in idle("Settlers")(player.world()) {
        let name = format!("Gamewire {settlers}");
        let order = orders::found_city(player.world(), settlers, &name)?;
        match player.perform(&order)?.refusal() {
            Some(words) => println!("  {words}"),
            None => furnish(player)?,
        }
    }
    for workers in idle("Workers")(player.world()) {
        let order = orders::auto_work(player.world(), workers)?;
        player.perform(&order)?;
    }
    for explorer in idle("Explorer")(player.world()) {
        let explore = orders::explore(player.world(), explorer);
        player.perform(&explore)?;
    }
    for warriors in idle("Warriors")(player.world()) {
        let fortify = orders::fortify(player.world(), warriors);
        player.perform(&fortify)?;
    }
    Ok(())
}

/// Sets the production of the newest city.
fn furnish(player: &mut Player) -> Result<(), Box<dyn Error>> {
    let rules = player.world().rulesets();
    let plan: Vec<_> =
        ["Warriors", "Workers", "Settlers"].iter().filter_map(|name| rules.production(name)).collect();
    let city = player.world().my_cities().last().map(|city| city.id());
    if let (Some(city), Some((first, rest))) = (city, plan.split_first()) {
        player.perform(&orders::set_production(city, *first))?;
        player.perform(&orders::set_worklist(city, rest)?)?;
    }
    Ok(())
}

fn summary(world: &World) -> String {
    let (gold, score) = world.me().map_or((0, 0), |me| (me.gold, me.score));
    let shape = world.map().geometry();
    let city = |city: &City| {
        let (x, y) = shape.and_then(|shape| shape.column_and_row(city.tile())).unwrap_or_default();
        format!("{} of size {} at {x},{y}", city.name(), city.size())
    };
    let cities: Vec<_> = world.my_cities().map(city).collect();
    let units = world.my_units().count();
    format!("turn {}: {gold} gold, score {score}, {units} units, cities: {}", world.turn(), cities.join(", "))
}
