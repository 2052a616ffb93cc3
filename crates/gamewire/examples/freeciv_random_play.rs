//! A player that requests the legal actions of its units and performs random ones. Prints the number of offered actions
//! and the server's replies to the performed ones as JSON.
//!
//! `cargo run -p gamewire --example freeciv_random_play -- [SERVER] [TURNS] [SEED]`

#![allow(clippy::arithmetic_side_effects, reason = "counters of one game")]

use std::collections::BTreeMap;
use std::env;
use std::error::Error;
use std::time::Duration;

use gamewire::freeciv::number::{Action, Activity, Event as Kind, Production};
use gamewire::freeciv::play::{OrderOutcome, OrderReply};
use gamewire::freeciv::world::map::Direction8;
use gamewire::freeciv::world::{LegalAction, World};
use gamewire::freeciv::{PlayError, Player, orders};
use serde_json::{Value, json};

const TURN: Duration = Duration::from_secs(120);
/// Number of actions per unit and turn.
const ACTIONS: usize = 3;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let server = arguments.next().unwrap_or_else(|| "127.0.0.1:5556".into());
    let turns: i16 = arguments.next().map_or(Ok(50), |turns| turns.parse())?;
    let seed: u64 = arguments.next().map_or(Ok(1), |seed| seed.parse())?;

    let mut player = Player::join(server, "random")?;
    player.perform(&orders::start_game()?)?;
    player.wait_until(TURN, |world| world.turn_started() > 0)?;
    let mut counts = Counts::default();
    let mut dice = Dice(seed);
    let last = player.world().turn().saturating_add(turns);
    while player.world().turn() < last {
        let units: Vec<u32> = player.world().my_units().map(|unit| unit.id()).collect();
        for unit in units {
            for _ in 0..ACTIONS {
                if dice.below(2) == 0 {
                    step(&mut player, unit, &mut dice)?;
                } else {
                    act(&mut player, unit, &mut dice, &mut counts)?;
                }
            }
        }
        produce(&mut player, &mut dice)?;
        match player.next_turn(TURN) {
            Ok(_) => {}
            // The nation was destroyed.
            Err(PlayError::Ended(_)) => break,
            Err(error) => return Err(error.into()),
        }
    }
    println!("{}", counts.summary(player.world()));
    Ok(())
}

/// Performs a random legal action of a unit, if there is one.
fn act(player: &mut Player, unit: u32, dice: &mut Dice, counts: &mut Counts) -> Result<(), Box<dyn Error>> {
    let Some((tile, activity)) = ready(player.world(), unit) else { return Ok(()) };
    let around = player.world().map().geometry().map(|geometry| geometry.within(tile, 2).collect::<Vec<_>>());
    let mut legal: Vec<LegalAction> = Vec::new();
    for tile in around.unwrap_or_default() {
        let reply = player.perform(&orders::query_actions(unit, tile))?;
        let offered = reply.legal_actions().ok_or("no answer about legal actions")?;
        legal.extend(offered.actions.iter().filter(|legal| is_for_players(legal)).cloned());
    }
    counts.offered += legal.len();
    // Rarely disband units, because most of them would be lost otherwise.
    let disbands = |legal: &LegalAction| {
        matches!(legal.action, Some(Action::DisbandUnit | Action::DisbandUnitRecover | Action::JoinCity))
    };
    // The server also offers the current activity of the unit.
    let does = |legal: &LegalAction| legal.action == Some(Action::Fortify) && activity != Activity::Idle;
    legal.retain(|legal| !does(legal) && (!disbands(legal) || dice.below(40) == 0));
    if legal.is_empty() {
        return Ok(());
    }
    let chosen = legal.swap_remove(dice.below(legal.len()));
    let order = match chosen.action {
        Some(Action::FoundCity) => orders::perform_found_city(unit, &chosen, &format!("City {unit}"))?,
        _ => orders::perform(unit, &chosen, None),
    };
    let reply = player.perform(&order)?;
    counts.add(&chosen, &reply);
    Ok(())
}

/// Moves a unit in a random direction, even if the rules do not allow it.
fn step(player: &mut Player, unit: u32, dice: &mut Dice) -> Result<(), Box<dyn Error>> {
    let directions = Direction8::ALL;
    if let (Some(_), Some(direction)) =
        (ready(player.world(), unit), directions.get(dice.below(directions.len())))
        && let Ok(order) = orders::step(player.world(), unit, *direction)
    {
        player.perform(&order)?;
    }
    Ok(())
}

/// Returns the tile of a unit that can act, and its activity.
fn ready(world: &World, unit: u32) -> Option<(i32, Activity)> {
    let unit = world.unit(unit).filter(|unit| unit.moves_left() > Some(0))?;
    let activity = world.activity_of(unit)?;
    let waits =
        matches!(activity, Activity::Idle | Activity::Fortified | Activity::Fortifying | Activity::Sentry);
    waits.then_some((unit.tile(), activity))
}

/// Sets a random unit as the production of each city that produces nothing useful.
fn produce(player: &mut Player, dice: &mut Dice) -> Result<(), Box<dyn Error>> {
    let cities: Vec<u32> = player.world().my_cities().map(|city| city.id()).collect();
    for city in cities {
        if dice.below(8) > 0 {
            continue;
        }
        let types: Vec<u16> =
            player.world().rulesets().unit_types.iter().map(|unit_type| unit_type.id).collect();
        let chosen = types.get(dice.below(types.len())).and_then(|id| u8::try_from(*id).ok());
        if let Some(id) = chosen {
            player.perform(&orders::set_production(city, Production::unit(id)))?;
        }
    }
    Ok(())
}

/// Returns whether players choose an action. Ends of moves belong to orders.
fn is_for_players(legal: &LegalAction) -> bool {
    !matches!(legal.action, None | Some(Action::UnitMove | Action::UnitMove2 | Action::UnitMove3))
}

/// Counts of actions.
#[derive(Default)]
struct Counts {
    offered: usize,
    performed: usize,
    done: usize,
    failed: usize,
    refused: BTreeMap<String, usize>,
    by_action: BTreeMap<&'static str, usize>,
}

impl Counts {
    fn add(&mut self, legal: &LegalAction, reply: &OrderReply) {
        self.performed += 1;
        let name = legal.action.map_or("unknown", Action::name);
        *self.by_action.entry(name).or_default() += 1;
        let is_failure = reply.messages.iter().any(|message| message.event == Kind::UNIT_ACTION_FAILED);
        match &reply.outcome {
            OrderOutcome::Done => self.done += 1,
            // The action was legal, but failed by chance on the server.
            OrderOutcome::Refused(_) if is_failure => self.failed += 1,
            OrderOutcome::Refused(words) => self.refuse(name, words),
            OrderOutcome::Silent => self.refuse(name, "(silence)"),
        }
    }

    fn refuse(&mut self, name: &str, words: &str) {
        *self.refused.entry(format!("{name}: {words}")).or_default() += 1;
    }

    fn summary(&self, world: &World) -> Value {
        json!({
            "version": world.version().to_string(),
            "turn": world.turn(),
            "offered": self.offered,
            "performed": self.performed,
            "done": self.done,
            "failed": self.failed,
            "refused": self.refused,
            "actions": self.by_action,
        })
    }
}

/// Random numbers (xorshift).
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(end).unwrap_or(1)).unwrap_or(0)
    }
}
