//! Events of a server in words.

use std::net::SocketAddr;

use gamewire_net::Transports;
use gamewire_riptide::server::ClientView;
use gamewire_riptide::{ClientId, DisconnectReason, Endpoint, Format, RejectReason};

use crate::output::{OutputEvent, Value};
use crate::riptide::{disconnect_reason, reject_reason};

/// The origin of a client.
#[derive(Clone, Copy)]
pub(super) struct Origin {
    pub(super) endpoint: Endpoint,
    pub(super) address: Option<SocketAddr>,
    pub(super) format: Format,
}

impl Origin {
    /// Describes its address and transport.
    fn fields(&self) -> [(&'static str, Value); 3] {
        let transport = match self.endpoint {
            Endpoint::Udp(_) => "udp",
            Endpoint::Tcp(_) => "tcp",
            Endpoint::Other(_) => "other",
        };
        [
            ("from", self.address.map_or(Value::None, |address| Value::Escaped(address.to_string()))),
            ("transport", Value::Keyword(transport)),
            ("version", Value::Escaped(self.format.to_string())),
        ]
    }
}

pub(super) fn listening(local: SocketAddr, transports: Transports, max_clients: u16) -> OutputEvent {
    let transport = match transports {
        Transports::Udp => "udp",
        Transports::Tcp => "tcp",
        Transports::UdpAndTcp => "udp and tcp",
    };
    OutputEvent::new(
        "listening",
        [
            ("address", Value::Escaped(local.to_string())),
            ("port", Value::Number(local.port().into())),
            ("transport", Value::Keyword(transport)),
            ("max_clients", Value::Number(max_clients.into())),
        ],
    )
}

pub(super) fn client_connected(client: ClientId, origin: &Origin) -> OutputEvent {
    about("client_connected", client, origin)
}

pub(super) fn client_disconnected(client: ClientId, reason: DisconnectReason) -> OutputEvent {
    OutputEvent::new(
        "client_disconnected",
        [("client", id(client)), ("reason", Value::Keyword(disconnect_reason(reason)))],
    )
}

/// Describes a rejection; the connect data follows.
pub(super) fn refused(origin: &Origin, reason: RejectReason) -> OutputEvent {
    let mut event = OutputEvent::new("refused", origin.fields());
    event.fields.push(("reason", Value::Keyword(reject_reason(reason))));
    event
}

/// Describes a message of a client; its content follows.
pub(super) fn message(client: ClientId) -> OutputEvent {
    OutputEvent::new("message", [("client", id(client))])
}

/// Describes a client in the list.
pub(super) fn client(view: &ClientView<'_>) -> OutputEvent {
    let origin = Origin { endpoint: view.endpoint(), address: view.address(), format: view.format() };
    let mut event = about("client", view.id(), &origin);
    let round_trip = view.smooth_rtt().map(|time| i64::try_from(time.as_millis()).unwrap_or(i64::MAX));
    event.fields.push(("round_trip_ms", round_trip.map_or(Value::None, Value::Number)));
    event
}

fn about(name: &'static str, client: ClientId, origin: &Origin) -> OutputEvent {
    let mut event = OutputEvent::new(name, [("client", id(client))]);
    event.fields.extend(origin.fields());
    event
}

fn id(client: ClientId) -> Value {
    Value::Number(client.0.into())
}
