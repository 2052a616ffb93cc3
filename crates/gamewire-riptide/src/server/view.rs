use core::time::Duration;
use std::net::SocketAddr;

use super::peer::Peer;
use crate::extension::ExtensionParams;
use crate::link::{ConnectionSettings, Metrics};
use crate::{ClientId, ConnectionId, Endpoint, Format};

/// A client of a server (`Connection`).
#[derive(Clone, Copy, Debug)]
pub struct ClientView<'a> {
    id: ClientId,
    peer: &'a Peer,
}

impl<'a> ClientView<'a> {
    pub(super) const fn new(id: ClientId, peer: &'a Peer) -> Self {
        Self { id, peer }
    }

    /// Returns the id of the client.
    pub const fn id(&self) -> ClientId {
        self.id
    }

    /// Returns the number of the connection.
    pub const fn connection(&self) -> ConnectionId {
        self.peer.id
    }

    /// Returns the endpoint of the client.
    pub const fn endpoint(&self) -> Endpoint {
        self.peer.endpoint()
    }

    /// Returns the address of the client, if its transport has addresses (`RemoteEndPoint`).
    pub const fn address(&self) -> Option<SocketAddr> {
        self.peer.address
    }

    /// Returns the format of the client.
    pub const fn format(&self) -> Format {
        self.peer.connection.format
    }

    /// Returns whether the client completed the handshake. Until then its address may be forged.
    pub const fn is_connected(&self) -> bool {
        self.peer.is_connected()
    }

    /// Returns the last round-trip time that the client measured (`RTT`), in whole milliseconds.
    pub fn rtt(&self) -> Option<Duration> {
        self.peer.connection.link.rtt()
    }

    /// Returns the smoothed round-trip time (`SmoothRTT`), in whole milliseconds.
    pub fn smooth_rtt(&self) -> Option<Duration> {
        self.peer.connection.link.smooth_rtt()
    }

    /// Returns the metrics of the connection.
    pub const fn metrics(&self) -> &'a Metrics {
        &self.peer.connection.link.metrics
    }

    /// Returns the settings of the connection.
    pub const fn settings(&self) -> &'a ConnectionSettings {
        &self.peer.connection.link.settings
    }

    /// Returns the client's parameters of the extension, after their negotiation. Both sides must enable the extension
    /// ([`ServerConfig::extension`](super::ServerConfig::extension)).
    pub fn extension(&self) -> Option<&'a ExtensionParams> {
        self.peer.connection.negotiated()
    }

    /// Returns the number of reliable messages that the client has not acknowledged.
    pub fn unacked(&self) -> usize {
        self.peer.connection.link.unacked_count()
    }
}
