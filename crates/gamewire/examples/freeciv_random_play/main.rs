//! A player that performs random actions of the list of legal actions. Prints for each kind how many were offered and
//! performed, refused and ignored, as JSON.
//!
//! `cargo run -p gamewire --example freeciv_random_play -- [SERVER] [TURNS] [SEED]`

#![allow(clippy::arithmetic_side_effects, reason = "counters of one game")]

mod choice;
mod counts;
mod list;
mod outcome;

use std::env;
use std::error::Error;
use std::time::Duration;

use gamewire::freeciv::legal::LegalKind;
use gamewire::freeciv::{PlayError, Player, orders};

use choice::Dice;
use counts::Counts;
use list::Legal;

const TURN: Duration = Duration::from_secs(120);
/// Actions of a turn: for each actor, and at most.
const PER_ACTOR: usize = 2;
const MAX_ACTIONS: usize = 120;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let server = arguments.next().unwrap_or_else(|| "127.0.0.1:5556".into());
    let turns: i16 = arguments.next().map_or(Ok(50), |turns| turns.parse())?;
    let seed: u64 = arguments.next().map_or(Ok(1), |seed| seed.parse())?;

    let mut player = Player::join(server, "random")?;
    player.perform(&orders::start_game()?)?;
    player.wait_until(TURN, |world| world.turn_started() > 0)?;
    let (mut counts, mut dice, mut legal) = (Counts::default(), Dice(seed), Legal::default());
    let last = player.world().turn().saturating_add(turns);
    while player.world().turn() < last {
        play_turn(&mut player, &mut legal, &mut dice, &mut counts)?;
        counts.perform(LegalKind::EndTurn);
        match player.next_turn(TURN) {
            Ok(_) => counts.done += 1,
            // The nation was destroyed.
            Err(PlayError::Ended(_)) => break,
            Err(error) => return Err(error.into()),
        }
    }
    println!("{}", counts.summary(player.world(), &legal));
    Ok(())
}

/// Performs random actions of all actors.
fn play_turn(
    player: &mut Player,
    legal: &mut Legal,
    dice: &mut Dice,
    counts: &mut Counts,
) -> Result<(), Box<dyn Error>> {
    legal.update(player)?;
    counts.offer(legal.list.entries());
    let actors = legal.actors();
    for _ in 0..(actors.len() * PER_ACTOR).min(MAX_ACTIONS) {
        let Some(chosen) = choice::choose(legal, dice) else { break };
        if player.world().ending().is_some() {
            break;
        }
        counts.perform(chosen.key.kind);
        let outcome = outcome::perform(player, &chosen)?;
        counts.add(player.world(), &chosen, outcome);
        legal.update(player)?;
    }
    Ok(())
}
