//! What an event of a client says.

use gamewire_riptide::client::Event;
use gamewire_riptide::layout::{MessageLayouts, Place};
use gamewire_riptide::shared::packet::Side;
use gamewire_riptide::{ClientId, DisconnectReason, Format, RejectReason};

use crate::riptide::{Content, disconnect_reason, reject_reason};
use crate::told::{Told, Value};

/// What is told of an event; `None` for those that nobody asked for.
pub(super) fn told(event: &Event, format: Format, layouts: &MessageLayouts) -> Option<Told> {
    let content = Content { layouts, sender: Side::Server };
    Some(match event {
        Event::Connected { id } => {
            Told::new("connected", [("client", client(*id)), ("version", format.to_string().into())])
        }
        Event::MessageReceived { message } => content.message(Told::new("message", []), message),
        Event::ClientConnected { id } => Told::new("client_connected", [("client", client(*id))]),
        Event::ClientDisconnected { id } => Told::new("client_disconnected", [("client", client(*id))]),
        Event::ConnectionFailed { reason, data } => {
            content.data(refused(*reason, format), Place::Reject, data.as_ref())
        }
        Event::Disconnected { reason, data } => {
            content.data(disconnected(*reason, format), Place::Kick, data.as_ref())
        }
        _ => return None,
    })
}

/// That nobody answered; nobody gave a number for that.
pub(super) fn no_answer() -> Told {
    Told::new(
        "refused",
        [("reason", Value::Word(reject_reason(RejectReason::NoConnection))), ("number", Value::None)],
    )
}

/// That there will be no connection, for a reason with the number that it has on the wire.
fn refused(reason: RejectReason, format: Format) -> Told {
    Told::new(
        "refused",
        [("reason", Value::Word(reject_reason(reason))), ("number", number(reason.number(format)))],
    )
}

fn disconnected(reason: DisconnectReason, format: Format) -> Told {
    Told::new(
        "disconnected",
        [("reason", Value::Word(disconnect_reason(reason))), ("number", number(reason.number(format)))],
    )
}

fn number(number: Option<u8>) -> Value {
    number.map_or(Value::None, |number| Value::Number(number.into()))
}

fn client(id: ClientId) -> Value {
    Value::Number(id.0.into())
}
