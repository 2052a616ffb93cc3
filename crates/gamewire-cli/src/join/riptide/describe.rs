//! Events of a Riptide client in words.

use gamewire_machine::Role;

use gamewire_riptide::client::Event;
use gamewire_riptide::layout::{MessageKind, MessageLayouts};
use gamewire_riptide::{ClientId, DisconnectReason, Format, RejectReason};

use crate::output::{OutputEvent, Value};
use crate::riptide::{PayloadFormatter, disconnect_reason, reject_reason};

/// Describes an event; `None` for events that are not shown.
pub(super) fn to_output(event: &Event, format: Format, layouts: &MessageLayouts) -> Option<OutputEvent> {
    let content = PayloadFormatter { layouts, sender: Role::Server };
    Some(match event {
        Event::Connected { id } => {
            OutputEvent::new("connected", [("client", client(*id)), ("version", format.to_string().into())])
        }
        Event::MessageReceived { message } => content.message(OutputEvent::new("message", []), message),
        Event::ClientConnected { id } => OutputEvent::new("client_connected", [("client", client(*id))]),
        Event::ClientDisconnected { id } => {
            OutputEvent::new("client_disconnected", [("client", client(*id))])
        }
        Event::ConnectionFailed { reason, data } => {
            content.data(refused(*reason, format), MessageKind::Reject, data.as_ref())
        }
        Event::Disconnected { reason, data } => {
            content.data(disconnected(*reason, format), MessageKind::Kick, data.as_ref())
        }
        _ => return None,
    })
}

/// The server did not answer, which has no reason number.
pub(super) fn no_answer() -> OutputEvent {
    OutputEvent::new(
        "refused",
        [("reason", Value::Keyword(reject_reason(RejectReason::NoConnection))), ("number", Value::None)],
    )
}

/// Describes a rejected connection, with the reason's number on the wire.
fn refused(reason: RejectReason, format: Format) -> OutputEvent {
    OutputEvent::new(
        "refused",
        [("reason", Value::Keyword(reject_reason(reason))), ("number", number(reason.number(format)))],
    )
}

fn disconnected(reason: DisconnectReason, format: Format) -> OutputEvent {
    OutputEvent::new(
        "disconnected",
        [("reason", Value::Keyword(disconnect_reason(reason))), ("number", number(reason.number(format)))],
    )
}

fn number(number: Option<u8>) -> Value {
    number.map_or(Value::None, |number| Value::Number(number.into()))
}

fn client(id: ClientId) -> Value {
    Value::Number(id.0.into())
}
