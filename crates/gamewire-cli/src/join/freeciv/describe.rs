//! Output of the events of a Freeciv session.

use gamewire_freeciv::packets::{ChatMsg, Packet};
use gamewire_freeciv::world::{City, Message, Unit, World};
use serde_json::json;

use super::stats::{Bytes, PlayerStats, Turn, in_words};
use crate::freeciv::describe::{news, text};
use crate::output::{OutputEvent, Value, event};

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
        Packet::ConnectMsg(message) => return Some(text(&message.message.to_str_lossy())),
        _ => return None,
    };
    Some(news(&message))
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
