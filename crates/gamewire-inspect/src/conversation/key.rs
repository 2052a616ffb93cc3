use std::net::SocketAddr;

use crate::protocol::Transport;

/// What tells conversations apart: the transport and its two addresses, in either order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) transport: Transport,
    low: SocketAddr,
    high: SocketAddr,
}

impl Key {
    pub(super) fn new(transport: Transport, one: SocketAddr, other: SocketAddr) -> Self {
        Self { transport, low: one.min(other), high: one.max(other) }
    }
}
