//! Output of the events of a server.

use std::net::SocketAddr;
use std::path::Path;

use gamewire_net::Transports;
use gamewire_riptide::server::{ClientView, Server};
use gamewire_riptide::{Endpoint, Format};

use crate::output::{OutputEvent, Value, event};

/// The address, transport and format of a client.
#[derive(Clone, Copy)]
pub(super) struct Origin {
    pub(super) transport: &'static str,
    pub(super) address: Option<SocketAddr>,
    pub(super) format: Format,
}

impl Origin {
    /// Appends the address, transport and format to an event.
    pub(super) fn describe(&self, mut event: OutputEvent) -> OutputEvent {
        event.fields.extend([
            ("from", self.address.map(|address| Value::Escaped(address.to_string())).into()),
            ("transport", self.transport.into()),
            ("version", Value::Escaped(self.format.to_string())),
        ]);
        event
    }
}

/// Returns the name of a client's transport.
pub(super) fn transport_name(server: &Server, endpoint: Endpoint) -> &'static str {
    match endpoint {
        Endpoint::Tcp(_) if server.is_websocket(endpoint) => "websocket",
        Endpoint::Udp(_) => "udp",
        Endpoint::Tcp(_) => "tcp",
        Endpoint::Record(_) => "udps",
        Endpoint::Other(_) => "other",
    }
}

/// Describes the URL of the metrics.
pub(super) fn metrics(local: SocketAddr) -> OutputEvent {
    let url = Value::Escaped(format!("http://{local}/metrics"));
    event!("metrics", url: url, port: local.port())
}

/// Describes the URL of the health checks.
pub(super) fn health(local: SocketAddr) -> OutputEvent {
    event!("health", url: Value::Escaped(format!("http://{local}/health")), port: local.port())
}

/// Describes an address for WebSockets, with the scheme `ws` or `wss`.
pub(super) fn websocket(scheme: &str, local: SocketAddr) -> OutputEvent {
    event!("websocket", url: Value::Escaped(format!("{scheme}://{local}/")), port: local.port())
}

/// Describes the change of the certificate.
pub(super) fn certificate_reloaded(certificate: &Path) -> OutputEvent {
    event!("certificate_reloaded", certificate: certificate.display().to_string())
}

/// Describes a refused WebSocket of a web page.
pub(super) fn origin_refused(origin: &str, count: u64) -> OutputEvent {
    event!("origin_refused", origin: origin.to_owned(), count: count)
}

pub(super) fn listening(local: SocketAddr, transports: Transports, max_clients: u16) -> OutputEvent {
    let transport = Value::Escaped(transports.to_string());
    let address = Value::Escaped(local.to_string());
    event!("listening", address: address, port: local.port(), transport: transport, max_clients: max_clients)
}

/// Describes a client for the list of clients.
pub(super) fn client(server: &Server, view: &ClientView<'_>) -> OutputEvent {
    let origin = Origin {
        transport: transport_name(server, view.endpoint()),
        address: view.address(),
        format: view.format(),
    };
    let mut event = origin.describe(event!("client", client: view.id().0));
    let round_trip = view.smooth_rtt().map(|time| i64::try_from(time.as_millis()).unwrap_or(i64::MAX));
    event.fields.push(("round_trip_ms", round_trip.into()));
    event
}
