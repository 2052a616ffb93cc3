use core::time::Duration;
use std::net::SocketAddr;

use super::connection::ConnectionSlot;
use crate::extension::ExtensionParams;
use crate::link::{ConnectionSettings, Metrics};
use crate::{ClientId, ConnectionId, Endpoint, Format};

/// What there is to know of a client (`Connection`).
#[derive(Clone, Copy, Debug)]
pub struct ClientView<'a> {
    id: ClientId,
    connection: &'a ConnectionSlot,
}

impl<'a> ClientView<'a> {
    pub(super) const fn new(id: ClientId, connection: &'a ConnectionSlot) -> Self {
        Self { id, connection }
    }

    /// Its id.
    #[must_use]
    pub const fn id(&self) -> ClientId {
        self.id
    }

    /// The number of its connection.
    #[must_use]
    pub const fn connection(&self) -> ConnectionId {
        self.connection.id
    }

    /// Where it comes from.
    #[must_use]
    pub const fn endpoint(&self) -> Endpoint {
        self.connection.endpoint()
    }

    /// Its address, if its transport has such (`RemoteEndPoint`).
    #[must_use]
    pub const fn address(&self) -> Option<SocketAddr> {
        self.connection.address
    }

    /// The format that it speaks.
    #[must_use]
    pub const fn format(&self) -> Format {
        self.connection.peer.format()
    }

    /// Whether it has answered; else it may yet turn out that its address is forged.
    #[must_use]
    pub const fn is_connected(&self) -> bool {
        self.connection.is_connected()
    }

    /// The round trip that it measured last (`RTT`), in whole milliseconds.
    #[must_use]
    pub fn rtt(&self) -> Option<Duration> {
        self.connection.peer.link().rtt()
    }

    /// The smoothed round trip (`SmoothRTT`), in whole milliseconds.
    #[must_use]
    pub fn smooth_rtt(&self) -> Option<Duration> {
        self.connection.peer.link().smooth_rtt()
    }

    /// What was counted.
    #[must_use]
    pub const fn metrics(&self) -> &'a Metrics {
        self.connection.peer.link().metrics()
    }

    /// What was set for it.
    #[must_use]
    pub const fn settings(&self) -> &'a ConnectionSettings {
        self.connection.peer.link().settings()
    }

    /// What it takes of the extension, from when that can be used: it is on
    /// ([`ServerConfig::extension`](super::ServerConfig::extension)) on both sides, and both know.
    #[must_use]
    pub fn extension(&self) -> Option<&'a ExtensionParams> {
        self.connection.peer.agreed()
    }

    /// How many reliable messages it has not acknowledged.
    #[must_use]
    pub fn unacked(&self) -> usize {
        self.connection.peer.link().unacked_count()
    }
}
