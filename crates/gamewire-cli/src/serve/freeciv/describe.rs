//! Events of a server in words.

use std::net::SocketAddr;

use gamewire_freeciv::session::Capabilities;
use gamewire_freeciv::session::server::ClientId;

use super::recording::Recording;
use crate::output::{OutputEvent, Value};

pub(super) fn listening(local: SocketAddr, recording: &Recording) -> OutputEvent {
    OutputEvent::new(
        "listening",
        [
            ("address", Value::Escaped(local.to_string())),
            ("port", Value::Number(local.port().into())),
            ("packets", count(recording.packets)),
            ("turns", count(recording.turns)),
        ],
    )
}

pub(super) fn joined(client: ClientId, name: &str, capabilities: &Capabilities) -> OutputEvent {
    let mut event = OutputEvent::new("joined", [("client", id(client)), ("name", name.to_owned().into())]);
    event.human_fields = Some(event.fields.clone());
    event.fields.push(("capabilities", capabilities.to_string().into()));
    event
}

/// Describes a turn, counted from 1, that was sent to a client.
pub(super) fn shown(client: ClientId, turn: u64) -> OutputEvent {
    OutputEvent::new("turn_replayed", [("client", id(client)), ("turn", count(turn))])
}

/// Describes that the whole recording was sent to a client.
pub(super) fn whole(client: ClientId) -> OutputEvent {
    OutputEvent::new("replay_finished", [("client", id(client))])
}

pub(super) fn chat(client: ClientId, text: String) -> OutputEvent {
    OutputEvent::new("chat", [("client", id(client)), ("text", text.into())])
}

pub(super) fn closed(client: ClientId, reason: String) -> OutputEvent {
    OutputEvent::new("closed", [("client", id(client)), ("reason", reason.into())])
}

fn id(client: ClientId) -> Value {
    Value::Number(client.0.into())
}

fn count(count: u64) -> Value {
    Value::Number(i64::try_from(count).unwrap_or(i64::MAX))
}
