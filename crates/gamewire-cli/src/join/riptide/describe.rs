//! Output of the events of a Riptide client.

use gamewire_machine::Role;
use gamewire_riptide::client::Event;
use gamewire_riptide::layout::{MessageKind, MessageLayouts};
use gamewire_riptide::{Format, RejectReason};

use crate::output::{OutputEvent, event};
use crate::riptide::{PayloadFormatter, reason_name, with_exceeded};

/// Describes an event; `None` for events that are not shown.
pub(super) fn to_output(event: &Event, format: Format, layouts: &MessageLayouts) -> Option<OutputEvent> {
    let content = PayloadFormatter { layouts, sender: Role::Server };
    Some(match event {
        Event::Connected { id } => event!("connected", client: id.0, version: format.to_string()),
        Event::Reconnected { id, reason, unacked } => {
            event!("reconnected", client: id.0, reason: reason_name(reason), unacked: *unacked)
        }
        Event::AddressChanged { address } => event!("address_changed", address: address.to_string()),
        Event::MessageReceived { message } => content.message(event!("message"), message),
        Event::ClientConnected { id } => event!("client_connected", client: id.0),
        Event::ClientDisconnected { id } => event!("client_disconnected", client: id.0),
        Event::ConnectionFailed { reason, data } => {
            content.data(refused(*reason, reason.number(format)), MessageKind::Reject, data.as_ref())
        }
        Event::Disconnected { reason, data, exceeded } => {
            let event = event!("disconnected", reason: reason_name(reason), number: reason.number(format));
            with_exceeded(content.data(event, MessageKind::Kick, data.as_ref()), *exceeded)
        }
        _ => return None,
    })
}

/// Describes a server that did not answer, which has no reason number.
pub(super) fn no_answer() -> OutputEvent {
    refused(RejectReason::NoConnection, None)
}

/// Describes a rejected connection, with the reason's number on the wire.
fn refused(reason: RejectReason, number: Option<u8>) -> OutputEvent {
    event!("refused", reason: reason_name(&reason), number: number)
}
