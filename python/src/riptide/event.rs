use gamewire::riptide::{DeliveryOutcome, DisconnectReason, Format, Message, RejectReason, client, server};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::message::RiptideMessage;

/// Returns an event of a client as a dict.
pub(super) fn of_client(py: Python<'_>, event: client::Event) -> PyResult<Option<Bound<'_, PyDict>>> {
    let (name, dict) = match event {
        client::Event::Connected { id } => ("connected", with(py, "client", id.0)?),
        client::Event::ConnectionFailed { reason, data } => {
            let dict = with(py, "reason", reject_name(reason))?;
            dict.set_item("data", data.map(RiptideMessage::of))?;
            ("refused", dict)
        }
        client::Event::MessageReceived { message } => {
            ("message", with(py, "message", RiptideMessage::of(message))?)
        }
        client::Event::Disconnected { reason, data, exceeded } => {
            let dict = with(py, "reason", reason_name(reason))?;
            dict.set_item("number", reason.number(Format::V21))?;
            dict.set_item("data", data.map(RiptideMessage::of))?;
            dict.set_item("limit", exceeded.map(|limit| limit.to_string()))?;
            ("disconnected", dict)
        }
        client::Event::ClientConnected { id } => ("client_connected", with(py, "client", id.0)?),
        client::Event::ClientDisconnected { id } => ("client_disconnected", with(py, "client", id.0)?),
        client::Event::Delivery { seq_id, outcome } => ("delivery", delivery(py, seq_id, outcome)?),
        client::Event::Missed { count } => ("missed", with(py, "count", count)?),
        _ => return Ok(None),
    };
    dict.set_item("event", name)?;
    Ok(Some(dict))
}

/// Returns an event of a server as a dict.
pub(super) fn of_server(py: Python<'_>, event: server::Event) -> PyResult<Option<Bound<'_, PyDict>>> {
    let (name, dict) = match event {
        server::Event::ConnectionRequested { connection, address, format, data, .. } => {
            let dict = with(py, "connection", connection.0)?;
            dict.set_item("address", address.map(host_and_port))?;
            dict.set_item("version", format.to_string())?;
            dict.set_item("data", RiptideMessage::of(data))?;
            ("connection_requested", dict)
        }
        server::Event::ConnectionFailed { connection, reason, .. } => {
            let dict = with(py, "connection", connection.0)?;
            dict.set_item("reason", reason_name(reason))?;
            ("refused", dict)
        }
        server::Event::ClientConnected { client, connection, address, format, .. } => {
            let dict = with(py, "client", client.0)?;
            dict.set_item("connection", connection.0)?;
            dict.set_item("address", address.map(host_and_port))?;
            dict.set_item("version", format.to_string())?;
            ("client_connected", dict)
        }
        server::Event::MessageReceived { client, message } => {
            let dict = with(py, "client", client.0)?;
            dict.set_item("message", RiptideMessage::of(message))?;
            ("message", dict)
        }
        server::Event::ClientDisconnected { client, reason, exceeded } => {
            let dict = with(py, "client", client.0)?;
            dict.set_item("reason", reason_name(reason))?;
            dict.set_item("number", reason.number(Format::V21))?;
            dict.set_item("limit", exceeded.map(|limit| limit.to_string()))?;
            ("client_disconnected", dict)
        }
        server::Event::Delivery { client, seq_id, outcome } => {
            let dict = delivery(py, seq_id, outcome)?;
            dict.set_item("client", client.0)?;
            ("delivery", dict)
        }
        server::Event::Missed { count } => ("missed", with(py, "count", count)?),
        _ => return Ok(None),
    };
    dict.set_item("event", name)?;
    Ok(Some(dict))
}

/// Returns a copy of the data of a message, or `None`.
pub(super) fn data(message: Option<&RiptideMessage>) -> Option<Message> {
    message.map(|message| message.lock().clone())
}

fn with<'py>(py: Python<'py>, name: &str, value: impl IntoPyObject<'py>) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item(name, value)?;
    Ok(dict)
}

fn delivery(py: Python<'_>, seq_id: u16, outcome: DeliveryOutcome) -> PyResult<Bound<'_, PyDict>> {
    let dict = with(py, "seq_id", seq_id)?;
    dict.set_item(
        "outcome",
        match outcome {
            DeliveryOutcome::ReliableDelivered => "reliable_delivered",
            DeliveryOutcome::ReliableGivenUp => "reliable_given_up",
            DeliveryOutcome::NotifyDelivered => "notify_delivered",
            DeliveryOutcome::NotifyLost => "notify_lost",
            DeliveryOutcome::NotifyUnknown => "notify_unknown",
        },
    )?;
    Ok(dict)
}

fn host_and_port(address: std::net::SocketAddr) -> (String, u16) {
    (address.ip().to_canonical().to_string(), address.port())
}

/// Returns the name of a reason in the C# library.
fn reason_name(reason: DisconnectReason) -> String {
    reason.name().map_or_else(|| reason.to_string(), str::to_owned)
}

fn reject_name(reason: RejectReason) -> String {
    reason.name().map_or_else(|| reason.to_string(), str::to_owned)
}
