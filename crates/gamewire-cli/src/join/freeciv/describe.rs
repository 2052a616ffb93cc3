//! Events of a Freeciv session in words.

use gamewire_freeciv::session::PlayerRole;
use gamewire_freeciv::session::client::Joined;
use gamewire_freeciv::v30::{ChatMsg, Packet};
use gamewire_freeciv::world::{City, Message, World};
use serde_json::json;

use super::stats::Bytes;
use super::stats::{PlayerStats, in_words};
use super::turns::Turn;
use crate::output::{OutputEvent, Value};

pub(super) fn joined(joined: &Joined) -> OutputEvent {
    let message = joined.message.clone();
    let mut event = OutputEvent::new(
        "joined",
        [
            ("connection", Value::Number(joined.connection)),
            ("message", message.clone().into()),
            ("capabilities", joined.capabilities.to_string().into()),
        ],
    );
    event.human_fields = Some(vec![("message", message.into())]);
    event
}

pub(super) fn role(role: PlayerRole, world: &World) -> OutputEvent {
    let player = role.player.and_then(|player| world.player(u8::try_from(player).ok()?));
    let mut event = OutputEvent::new(
        if role.is_observer { "watching" } else { "playing" },
        [
            ("player", role.player.map_or(Value::None, |player| Value::Number(player.into()))),
            ("name", player.map_or(Value::None, |player| player.name.to_str_lossy().into_owned().into())),
        ],
    );
    if role.player.is_none() {
        let scope = if role.is_observer { "the whole game" } else { "no player" };
        event.human_fields = Some(vec![("whom", Value::Keyword(scope))]);
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
    let maybe = |number: Option<i64>| number.map_or(Value::None, Value::Number);
    let mut event = chat(&message.text);
    event.fields.extend([
        ("number", Value::Number(message.event.0.into())),
        ("turn", Value::Number(message.turn.into())),
        ("tile", maybe(message.tile.map(i64::from))),
        ("connection", maybe(message.connection.map(i64::from))),
    ]);
    Some(event)
}

fn chat(text: &str) -> OutputEvent {
    let text = Value::Text(text.trim_end().as_bytes().to_vec());
    let mut event = OutputEvent::new("message", [("text", text.clone())]);
    event.human_fields = Some(vec![("text", text)]);
    event
}

/// Describes a new city of the player.
pub(super) fn founded(city: &City) -> OutputEvent {
    OutputEvent::new("city_founded", [("city", city.name().into()), ("tile", city.tile().into())])
}

/// Describes a finished turn: the player's figures and the received bytes.
pub(super) fn turn(turn: &Turn, figures: &PlayerStats, bytes: Bytes, world: &World) -> OutputEvent {
    let count = |count: usize| Value::Number(i64::try_from(count).unwrap_or(i64::MAX));
    let maybe = |number: Option<i64>| number.map_or(Value::None, Value::Number);
    let has = [
        ("cities", count(figures.cities)),
        ("units", count(figures.units)),
        ("gold", maybe(figures.gold)),
        ("score", maybe(figures.score)),
    ];
    let (number, year) = (("turn", Value::Number(turn.number)), ("year", Value::Number(turn.year)));
    let Bytes { wire, packets, without_delta: whole } = bytes;
    let mut event = OutputEvent::new("turn", [number.clone(), year]);
    event.fields.extend(has.clone());
    let sizes = json!({ "wire": wire, "packets": packets, "without_delta": whole });
    event.fields.push(("bytes", Value::Json(sizes)));
    let mut shown = vec![number, ("year", in_words(turn.year, world).into())];
    shown.extend(has);
    let size = |bytes: u64| Value::Number(i64::try_from(bytes).unwrap_or(i64::MAX));
    shown.extend([("bytes", size(wire)), ("uncompressed", size(packets)), ("without delta", size(whole))]);
    event.human_fields = Some(shown);
    event
}

pub(super) fn began() -> OutputEvent {
    OutputEvent::new("game_started", [])
}

pub(super) fn over() -> OutputEvent {
    OutputEvent::new("game_ended", [])
}

/// Describes the end of the session and its cause.
pub(super) fn closed(is_ours: bool, reason: &str) -> OutputEvent {
    let by = if is_ours { "us" } else { "server" };
    OutputEvent::new("closed", [("by", Value::Keyword(by)), ("reason", reason.to_owned().into())])
}
