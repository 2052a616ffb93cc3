//! Events of a Freeciv session in words.

use gamewire_freeciv::packets::{ChatMsg, EndgamePlayer, Packet};
use gamewire_freeciv::session::PlayerRole;
use gamewire_freeciv::session::client::Joined;
use gamewire_freeciv::world::{City, Ending, Message, Unit, World};
use serde_json::json;

use super::stats::{Bytes, PlayerStats, Turn, in_words};
use crate::output::{OutputEvent, Value, event};

pub(super) fn joined(joined: &Joined) -> OutputEvent {
    let message = joined.message.clone();
    let capabilities = joined.capabilities.to_string();
    let event =
        event!("joined", connection: joined.connection, message: message.clone(), capabilities: capabilities);
    OutputEvent { human_fields: Some(vec![("message", message.into())]), ..event }
}

pub(super) fn role(role: PlayerRole, world: &World) -> OutputEvent {
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

/// Describes a line of chat, news, or an answer of the server.
pub(super) fn message(packet: &Packet<'_>) -> Option<OutputEvent> {
    let message = match packet {
        Packet::ChatMsg(message) => Message::new(message),
        Packet::EarlyChatMsg(message) => Message::new(&ChatMsg {
            message: message.message.clone(),
            tile: message.tile,
            event: message.event,
            turn: message.turn,
            phase: message.phase,
            conn_id: message.conn_id,
        }),
        Packet::ConnectMsg(message) => return Some(chat(&message.message.to_str_lossy())),
        _ => return None,
    };
    let mut event = chat(&message.text);
    event.fields.extend([
        ("number", message.event.0.into()),
        ("turn", message.turn.into()),
        ("tile", message.tile.into()),
        ("connection", message.connection.into()),
    ]);
    Some(event)
}

fn chat(text: &str) -> OutputEvent {
    let text = text.trim_end().to_owned();
    let event = event!("message", text: text.clone());
    OutputEvent { human_fields: Some(vec![("text", text.into())]), ..event }
}

/// Describes a city of the player.
pub(super) fn city(name: &'static str, city: &City) -> OutputEvent {
    event!(name, city: city.name().to_owned(), id: city.id(), tile: city.tile())
}

/// Describes a unit of the player.
pub(super) fn unit(unit: &Unit, world: &World) -> OutputEvent {
    let rule = world.type_of(unit).map(|unit_type| unit_type.rule_name.to_str_lossy().into_owned());
    event!("unit", id: unit.id(), kind: rule, tile: unit.tile(), moves_left: unit.moves_left())
}

/// Describes why the game is over.
pub(super) fn ending(ending: Ending, world: &World) -> OutputEvent {
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

/// Describes a finished turn: the player's figures and the received bytes.
pub(super) fn turn(turn: &Turn, figures: &PlayerStats, bytes: Bytes, world: &World) -> OutputEvent {
    let has: [(_, Value); 4] = [
        ("cities", figures.cities.into()),
        ("units", figures.units.into()),
        ("gold", figures.gold.into()),
        ("score", figures.score.into()),
    ];
    let Bytes { wire, packets, without_delta } = bytes;
    let mut event = event!("turn", turn: turn.number, year: turn.year);
    event.fields.extend(has.clone());
    event.fields.push(("bytes", json!(bytes).into()));
    let mut shown = vec![("turn", turn.number.into()), ("year", in_words(turn.year, world).into())];
    shown.extend(has);
    shown.extend([
        ("bytes", wire.into()),
        ("uncompressed", packets.into()),
        ("without delta", without_delta.into()),
    ]);
    OutputEvent { human_fields: Some(shown), ..event }
}

/// Describes the end of the session and its cause.
pub(super) fn closed(is_ours: bool, reason: &str) -> OutputEvent {
    event!("closed", by: if is_ours { "us" } else { "server" }, reason: reason.to_owned())
}
