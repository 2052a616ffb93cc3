//! Output of the events of a Freeciv session.

use gamewire_freeciv::world::{City, World};
use serde_json::json;

use super::stats::{Bytes, PlayerStats, Turn, in_words};
use crate::output::{OutputEvent, Value, event};

/// Describes a new city of the player.
pub(super) fn city_founded(city: &City) -> OutputEvent {
    event!("city_founded", city: city.name(), id: city.id(), tile: city.tile())
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
