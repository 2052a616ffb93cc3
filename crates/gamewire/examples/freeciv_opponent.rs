//! Plays a game to its end with the scripted opponent. Prints its score in each turn, and all scores at the end, as
//! JSON.
//!
//! `cargo run -p gamewire --example freeciv_opponent -- [SERVER] [NAME]`

use std::env;
use std::error::Error;
use std::time::Duration;

use gamewire::freeciv::opponent::Opponent;
use gamewire::freeciv::world::World;
use gamewire::freeciv::{PlayError, Player, orders};
use serde_json::json;

/// Maximum time until the next turn begins.
const TURN: Duration = Duration::from_secs(600);

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let server = arguments.next().unwrap_or_else(|| "127.0.0.1:5556".into());
    let name = arguments.next().unwrap_or_else(|| "opponent".into());

    let mut player = Player::join(&server, &name)?;
    player.perform(&orders::start_game()?)?;
    player.wait_until(TURN, |world| world.turn_started() > 0)?;
    // An observer receives the scores of all players.
    let mut observer = Player::join(&server, "observer")?;
    observer.perform(&orders::observe()?)?;
    let mut opponent = Opponent::new(&name);
    let ending = loop {
        for order in opponent.turn(player.world()) {
            player.order(&order)?;
        }
        observer.update()?;
        println!("{}", turn(player.world(), observer.world()));
        match player.next_turn(TURN) {
            Ok(_) => {}
            Err(PlayError::Ended(ending)) => break ending,
            Err(error) => return Err(error.into()),
        }
    };
    // The scores follow the announcement of the end.
    let _ = player.wait_until(Duration::from_secs(2), |world| world.ranking().is_some());
    println!("{}", scores(player.world(), &ending.to_string()));
    Ok(())
}

fn turn(world: &World, of_all: &World) -> serde_json::Value {
    let others = of_all.players().filter(|player| Some(player.playerno) != world.my_number());
    let me = world.me();
    json!({
        "turn": world.turn(),
        "score": me.map(|me| me.score),
        "others": others.map(|player| player.score).collect::<Vec<_>>(),
        "gold": me.map(|me| me.gold),
        "cities": world.my_cities().count(),
        "citizens": world.my_cities().map(|city| u32::from(city.size())).sum::<u32>(),
        "units": world.my_units().count(),
        "advances": world.my_research().map(|research| research.techs_researched),
    })
}

fn scores(world: &World, ending: &str) -> serde_json::Value {
    let players = world.ranking().unwrap_or_default().iter().map(|player| {
        let known = world.player(player.player_id);
        let is_me = world.my_number() == Some(player.player_id);
        json!({ "name": known.map(|known| known.name.to_str_lossy()), "score": player.score, "is_me": is_me })
    });
    let version = world
        .server()
        .map(|server| format!("{}.{}.{}", server.major_version, server.minor_version, server.patch_version));
    json!({
        "ending": ending,
        "server": version,
        "turn": world.turn(),
        "cities": world.my_cities().count(),
        "scores": players.collect::<Vec<_>>(),
    })
}
