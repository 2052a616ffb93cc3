//! Events that all Freeciv clients report.

use gamewire_freeciv::packets::EndgamePlayer;
use gamewire_freeciv::session::PlayerRole;
use gamewire_freeciv::session::client::Joined;
use gamewire_freeciv::world::{Ending, Message, World};
use serde_json::json;

use crate::output::{OutputEvent, event};

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

/// Returns the reason why the game has ended; `None` if it has not ended. If it has ended for all players, also returns
/// `None` until the scores are known.
pub(crate) fn known_ending(world: &World) -> Option<Ending> {
    world.ending().filter(|ending| *ending != Ending::GameOver || world.ranking().is_some())
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
