//! Events that all Freeciv clients report.

use gamewire_freeciv::agent::view::{Part, WorldView};
use gamewire_freeciv::agent::{CommandOutcome, Reply, ReplyView};
use gamewire_freeciv::packets::EndgamePlayer;
use gamewire_freeciv::session::PlayerRole;
use gamewire_freeciv::session::client::Joined;
use gamewire_freeciv::world::{Ending, Message, World};
use serde::Serialize;
use serde_json::{Value as Json, json};

use crate::output::{OutputEvent, Value, event};

/// The number of the format of `play` and of `join` on a Freeciv server. It increases with a change that a program must
/// handle: 2 has the event `state`, and a reply to every line.
const FORMAT: u32 = 2;

/// Describes the format: the first line.
pub(crate) fn format() -> OutputEvent {
    event!("format", number: FORMAT, gamewire: env!("CARGO_PKG_VERSION"))
}

/// Describes the state of the game at the entry.
pub(crate) fn state(world: &World) -> OutputEvent {
    let WorldView { game, me, .. } = WorldView::new(world, &[Part::Game, Part::Me]);
    event!("state", game: json_of(&game), me: json_of(&me))
}

/// Describes the reply to a line.
pub(crate) fn reply(id: Json, reply: &Reply, world: &World) -> OutputEvent {
    let ReplyView { outcome, text, answer } = ReplyView::new(world, reply);
    let (outcome, text) = (json_of(&outcome), text.map(str::to_owned));
    event!("reply", id: Value::Json(id), outcome: outcome, text: text, answer: json_of(&answer))
}

/// Returns the reply to a line that was not executed.
pub(crate) const fn rejection(error: String) -> Reply {
    Reply { outcome: CommandOutcome::Error, text: Some(error), answer: None }
}

/// Returns a description as JSON.
fn json_of(view: &impl Serialize) -> Value {
    // The keys of descriptions are texts, so this does not fail.
    Value::Json(serde_json::to_value(view).unwrap_or_default())
}

pub(crate) fn joined(joined: &Joined) -> OutputEvent {
    let message = joined.message.clone();
    let capabilities = joined.capabilities.to_string();
    let event =
        event!("joined", connection: joined.connection, message: message.clone(), capabilities: capabilities);
    OutputEvent { human_fields: Some(vec![("message", message.into())]), ..event }
}

pub(crate) fn role(role: PlayerRole, world: &World) -> OutputEvent {
    let player = role.player.and_then(|player| world.player(player));
    let name = player.map(|player| player.name.to_str_lossy().into_owned());
    let kind = if role.is_observer { "watching" } else { "playing" };
    let mut event = event!(kind, player: role.player, name: name);
    if role.player.is_none() {
        let scope = if role.is_observer { "the whole game" } else { "no player" };
        event.human_fields = Some(vec![("whom", scope.into())]);
    }
    event
}

/// Describes a message of the server, with its turn and tile.
pub(crate) fn news(message: &Message) -> OutputEvent {
    let mut event = text(&message.text);
    event.fields.extend([
        ("number", message.event.0.into()),
        ("turn", message.turn.into()),
        ("tile", message.tile.into()),
        ("connection", message.connection.into()),
    ]);
    event
}

/// Describes a line of text.
pub(crate) fn text(text: &str) -> OutputEvent {
    let text = text.trim_end().to_owned();
    let event = event!("message", text: text.clone());
    OutputEvent { human_fields: Some(vec![("text", text.into())]), ..event }
}

/// Describes the reason why the game has ended.
pub(crate) fn ending(ending: Ending, world: &World) -> OutputEvent {
    match ending {
        Ending::Destroyed => event!("nation_destroyed", turn: world.turn()),
        Ending::GameOver => {
            let name = |player: &EndgamePlayer| {
                world.player(player.player_id).map(|known| known.name.to_str_lossy().into_owned())
            };
            let scores = world.ranking().unwrap_or_default().iter().map(|player| {
                json!({ "player": player.player_id, "name": name(player), "score": player.score, "won": player.winner })
            });
            let winners =
                world.ranking().unwrap_or_default().iter().filter(|player| player.winner).filter_map(name);
            let winners: Vec<String> = winners.collect();
            let mut event = event!("game_ended", turn: world.turn());
            event.fields.push(("players", json!(scores.collect::<Vec<_>>()).into()));
            let winners = if winners.is_empty() { "nobody".to_owned() } else { winners.join(", ") };
            event.human_fields = Some(vec![("turn", world.turn().into()), ("winners", winners.into())]);
            event
        }
    }
}

/// Describes the end of the session and its cause.
pub(crate) fn closed(is_ours: bool, reason: &str) -> OutputEvent {
    event!("closed", by: if is_ours { "us" } else { "server" }, reason: reason.to_owned())
}
