use gamewire_watch::ClientStats;

/// The counters of a proxy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RelayStats {
    /// Counters of all clients, including closed ones.
    pub total: ClientStats,
    /// Number of clients since the start.
    pub clients: u64,
    /// Number of clients now.
    pub open: u64,
    /// Number of clients that a new client replaced before they answered the server.
    pub displaced: u64,
    /// Number of datagrams and streams from new clients that the proxy refused, because a limit was reached or the
    /// system could not open a socket.
    pub refused: u64,
    /// Number of datagrams that were dropped because the proxy itself had sent them.
    pub from_itself: u64,
    /// Number of socket errors, for example when no program listens at the server's address.
    pub socket_errors: u64,
    /// Number of datagrams lost by [`Conditions`](gamewire_sim::Conditions).
    pub lost: u64,
    /// Number of packets and events that the watcher missed, because it was too slow.
    pub missed: u64,
}

pub(super) fn increment(counter: &mut u64) {
    *counter = counter.saturating_add(1);
}
