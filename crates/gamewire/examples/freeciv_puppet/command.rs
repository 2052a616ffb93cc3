//! The commands of the puppet.

use std::time::Duration;

use gamewire::freeciv::world::World;
use gamewire::freeciv::{OrderOutcome, OrderReply, Player, orders};
use serde_json::{Value, json};

use super::{Failure, legal, report, steps};

/// Exceeds the duration of any turn of a small game.
const PATIENCE: Duration = Duration::from_secs(60);

/// Executes a line and prints the result.
pub(crate) fn obey(player: &mut Player, line: &str) -> Result<Value, Failure> {
    let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
    Ok(match verb {
        "world" => report::world(player.world()),
        "start" => answer(&player.perform(&orders::start_game()?)?),
        "observe" if rest.is_empty() => answer(&player.perform(&orders::observe()?)?),
        "observe" => answer(&player.perform(&orders::observe_player(rest)?)?),
        "detach" => answer(&player.perform(&orders::detach()?)?),
        "say" => answer(&player.perform(&orders::chat(rest)?)?),
        "burst" => burst(player, rest)?,
        "found" => found(player, rest)?,
        "order" => {
            let packet = steps::unit_orders(player.world(), rest)?;
            answer(&player.perform(&packet)?)
        }
        "rally" => {
            let packet = steps::rally_point(rest)?;
            answer(&player.perform(&packet)?)
        }
        "settle" => found_cities(player)?,
        "turn" => {
            player.next_turn(PATIENCE)?;
            json!({ "turn": player.world().turn() })
        }
        "done" => {
            let order = orders::end_turn(player.world());
            answer(&player.perform(&order)?)
        }
        "phase" => {
            player.wait_until(PATIENCE, World::is_my_phase)?;
            json!({ "phase": player.world().phase() })
        }
        "rates" => {
            let rates: Result<Vec<u8>, _> = rest.split(' ').map(str::parse).collect();
            let [tax, luxury, science] = rates?.try_into().map_err(|_| "rates TAX LUXURY SCIENCE")?;
            answer(&player.perform(&orders::set_tax_rates(tax, luxury, science))?)
        }
        "until" => {
            let turn: i16 = rest.parse()?;
            player.wait_until(PATIENCE, |world| world.turn_started() >= turn)?;
            json!({ "turn": player.world().turn() })
        }
        _ => legal::obey(player, verb, rest)?,
    })
}

/// Founds a city with the first settlers at their tile.
fn found(player: &mut Player, name: &str) -> Result<Value, Failure> {
    let settlers = player.world().my_units_of("Settlers").next().map(|unit| unit.id());
    let settlers = settlers.ok_or("no settlers")?;
    let order = orders::found_city(player.world(), settlers, name)?;
    Ok(answer(&player.perform(&order)?))
}

/// Lets the explorers explore, and puts all other idle units on sentry.
fn found_cities(player: &mut Player) -> Result<Value, Failure> {
    let explorers: Vec<u32> = player.world().my_units_of("Explorer").map(|unit| unit.id()).collect();
    for explorer in explorers {
        let explore = orders::explore(player.world(), explorer);
        player.perform(&explore)?;
    }
    let idle: Vec<u32> =
        player.world().my_units().filter(|unit| unit.is_idle()).map(|unit| unit.id()).collect();
    for unit in &idle {
        let sentry = orders::sentry(player.world(), *unit);
        player.perform(&sentry)?;
    }
    Ok(json!({ "units": idle.len() }))
}

/// Sends many lines together, and returns all replies.
fn burst(player: &mut Player, count: &str) -> Result<Value, Failure> {
    let count: u32 = count.parse()?;
    let mut tickets = Vec::new();
    for number in 0..count {
        tickets.push(player.order(&orders::chat(&format!("line {number} of {count}, all of them alike"))?)?);
    }
    let answers: Result<Vec<_>, _> =
        tickets.into_iter().map(|ticket| player.wait_for_reply(ticket)).collect();
    Ok(answers?.iter().map(answer).collect())
}

fn answer(answer: &OrderReply) -> Value {
    let (outcome, refusal) = match &answer.outcome {
        OrderOutcome::Done => ("done", None),
        OrderOutcome::Answered => ("answered", None),
        OrderOutcome::Silent => ("silent", None),
        OrderOutcome::Refused(words) => ("refused", Some(words)),
    };
    let messages: Vec<_> = answer.messages.iter().map(|message| &message.text).collect();
    json!({ "outcome": outcome, "refusal": refusal, "messages": messages })
}
