//! Performs an action, and finds out its outcome.

use std::error::Error;

use gamewire::freeciv::legal::{self, Actor, LegalEntry, LegalKey, LegalKind, LegalTarget};
use gamewire::freeciv::number::{Action, Event};
use gamewire::freeciv::orders;
use gamewire::freeciv::play::{Answer, OrderOutcome, OrderReply};
use gamewire::freeciv::session::client::SendError;
use gamewire::freeciv::world::World;
use gamewire::freeciv::{PlayError, Player};

/// The reaction of the server.
pub(crate) enum Outcome {
    /// The server performed it.
    Done,
    /// The action was legal, but failed by chance.
    Failed,
    /// The server rejected it with a message.
    Refused(String),
    /// The server sent nothing.
    Ignored,
}

/// Performs an action.
pub(crate) fn perform(player: &mut Player, entry: &LegalEntry) -> Result<Outcome, Box<dyn Error>> {
    let before = position(player.world(), entry);
    let reply = match (entry.key.kind, entry.key.actor) {
        (LegalKind::Act(Action::FoundCity), Actor::Unit(unit)) => found(player, unit)?,
        _ => {
            let order = legal::order(player.world(), &entry.key)?;
            match player.perform(&order) {
                // A client cannot send the same rally point twice in a row.
                Err(PlayError::Send(SendError::Unchanged)) => {
                    let clear = LegalKey { kind: LegalKind::ClearRally, ..entry.key };
                    player.perform(&legal::order(player.world(), &clear)?)?;
                    player.perform(&order)?
                }
                reply => reply?,
            }
        }
    };
    Ok(outcome(player.world(), entry, before, &reply))
}

fn found(player: &mut Player, unit: u32) -> Result<OrderReply, Box<dyn Error>> {
    let suggestion = player.perform(&orders::query_city_name(unit))?;
    let name = match suggestion.answer {
        Some(Answer::CityName(name)) => name,
        _ => format!("City {unit}"),
    };
    let order = orders::found_city(player.world(), unit, &name)?;
    Ok(player.perform(&order)?)
}

fn outcome(world: &World, entry: &LegalEntry, before: Option<i32>, reply: &OrderReply) -> Outcome {
    let is_failure = reply.messages.iter().any(|message| message.event == Event::UNIT_ACTION_FAILED);
    let texts: Vec<&str> = reply.messages.iter().map(|message| message.text.as_str()).collect();
    match &reply.outcome {
        // The server reports that an action failed by chance as a refusal, too.
        OrderOutcome::Refused(_) if is_failure && matches!(entry.key.kind, LegalKind::Act(_)) => {
            Outcome::Failed
        }
        OrderOutcome::Refused(words) => Outcome::Refused(words.clone()),
        OrderOutcome::Silent => Outcome::Ignored,
        OrderOutcome::Done if !has_moved(world, entry, before) => {
            Outcome::Refused(format!("did not move: {}", texts.join("; ")))
        }
        OrderOutcome::Done => Outcome::Done,
        OrderOutcome::Answered => Outcome::Refused(texts.join("; ")),
    }
}

fn position(world: &World, entry: &LegalEntry) -> Option<i32> {
    match entry.key.actor {
        Actor::Unit(unit) => world.unit(unit).map(|unit| unit.tile()),
        _ => None,
    }
}

/// Returns false if a unit is still where it was before a move.
fn has_moved(world: &World, entry: &LegalEntry, before: Option<i32>) -> bool {
    let is_move = entry.key.kind == LegalKind::Move && matches!(entry.key.target, LegalTarget::Tile(_));
    let now = position(world, entry);
    !is_move || now.is_none() || now != before
}
