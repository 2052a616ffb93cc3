//! What happens on a server, and what it says.

use gamewire_freeciv::session::Role;
use gamewire_freeciv::session::client::Joined;
use gamewire_freeciv::session::codec::Owned;
use serde_json::json;

use super::board::{Board, Figures};
use super::bytes::Bytes;
use super::turns::Turn;
use crate::told::{Told, Value};

pub(super) fn joined(joined: &Joined) -> Told {
    let message = joined.message.clone();
    let mut told = Told::new(
        "joined",
        [
            ("connection", Value::Number(joined.connection)),
            ("message", message.clone().into()),
            ("capabilities", joined.capabilities.to_string().into()),
        ],
    );
    told.shown = Some(vec![("message", message.into())]);
    told
}

pub(super) fn role(role: Role, board: &Board) -> Told {
    let name = role.player.and_then(|player| board.player_name(player));
    Told::new(
        if role.is_observer { "watching" } else { "playing" },
        [
            ("player", role.player.map_or(Value::None, |player| Value::Number(player.into()))),
            ("name", name.map_or(Value::None, |name| name.to_owned().into())),
        ],
    )
}

/// A line of chat, news, or an answer of the server.
pub(super) fn message(packet: &Owned) -> Told {
    let text = packet.text("message");
    let number = |name: &str| packet.value(name).and_then(|value| value.as_int());
    let not_negative =
        |name: &str| number(name).filter(|number| *number >= 0).map_or(Value::None, Value::Number);
    let mut told = Told::new(
        "message",
        [
            ("text", text.clone().into()),
            ("number", not_negative("event")),
            ("turn", not_negative("turn")),
            ("tile", not_negative("tile")),
            ("connection", not_negative("conn_id")),
        ],
    );
    told.shown = Some(vec![("text", text.into())]);
    told
}

/// A turn that is over, what one has at its end, and what came in it.
pub(super) fn turn(turn: &Turn, figures: &Figures, bytes: Bytes, board: &Board) -> Told {
    let count = |count: usize| Value::Number(i64::try_from(count).unwrap_or(i64::MAX));
    let maybe = |number: Option<i64>| number.map_or(Value::None, Value::Number);
    let has = [
        ("cities", count(figures.cities)),
        ("units", count(figures.units)),
        ("gold", maybe(figures.gold)),
        ("score", maybe(figures.score)),
    ];
    let (number, year) = (("turn", Value::Number(turn.number)), ("year", Value::Number(turn.year)));
    let Bytes { wire, packets, whole } = bytes;
    let mut told = Told::new("turn", [number.clone(), year]);
    told.fields.extend(has.clone());
    let sizes = json!({ "wire": wire, "packets": packets, "without_delta": whole });
    told.fields.push(("bytes", Value::Json(sizes)));
    let mut shown = vec![number, ("year", board.year_in_words(turn.year).into())];
    shown.extend(has);
    shown.push(("bytes", Value::Safe(format!("{wire} of {packets} of {whole}"))));
    told.shown = Some(shown);
    told
}

pub(super) fn began() -> Told {
    Told::new("began", [])
}

pub(super) fn over() -> Told {
    Told::new("over", [])
}

/// The end, and whose doing it was.
pub(super) fn closed(is_ours: bool, reason: &str) -> Told {
    let by = if is_ours { "us" } else { "server" };
    Told::new("closed", [("by", Value::Word(by)), ("reason", reason.to_owned().into())])
}
