//! A player that founds a city with each of its settlers and plays 20 turns.
//!
//! `cargo run -p gamewire --example freeciv_cities -- 127.0.0.1:5556`

use std::time::Duration;

use gamewire::freeciv::{Player, orders};

const TURN: Duration = Duration::from_secs(120);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = std::env::args().nth(1).ok_or("which server? HOST:PORT")?;
    let mut player = Player::join(server, "founder")?;
    player.perform(&orders::start_game()?)?;
    player.wait_until(TURN, |world| world.turn_started() > 0)?;
    for _ in 0..20 {
        let settlers: Vec<_> = player.world().my_units_of("Settlers").map(|unit| unit.id()).collect();
        for unit in settlers {
            let order = orders::found_city(player.world(), unit, &format!("City {unit}"))?;
            if let Some(reason) = player.perform(&order)?.refusal() {
                println!("{reason}");
            }
        }
        let world = player.world();
        println!("turn {}: {} cities", world.turn(), world.my_cities().count());
        player.next_turn(TURN)?;
    }
    Ok(())
}
