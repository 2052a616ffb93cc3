/// Counters of one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DirectionStats {
    /// Number of received datagrams, or of reads from a stream.
    pub received: u64,
    /// Number of received bytes.
    pub received_bytes: u64,
    /// Number of sent datagrams, or of writes to a stream.
    pub sent: u64,
    /// Number of sent bytes.
    pub sent_bytes: u64,
    /// Number of datagrams that the system did not accept.
    pub not_sent: u64,
}

impl DirectionStats {
    fn add(&mut self, other: Self) {
        let Self { received, received_bytes, sent, sent_bytes, not_sent } = other;
        let totals = [
            (&mut self.received, received),
            (&mut self.received_bytes, received_bytes),
            (&mut self.sent, sent),
            (&mut self.sent_bytes, sent_bytes),
            (&mut self.not_sent, not_sent),
        ];
        totals.into_iter().for_each(|(total, more)| *total = total.saturating_add(more));
    }

    pub(crate) fn count_received(&mut self, length: usize) {
        increment(&mut self.received);
        add(&mut self.received_bytes, length);
    }

    pub(crate) fn count_sent(&mut self, length: usize) {
        increment(&mut self.sent);
        add(&mut self.sent_bytes, length);
    }
}

/// Counters of a client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClientStats {
    /// From the client to the server.
    pub to_server: DirectionStats,
    /// From the server to the client.
    pub to_client: DirectionStats,
}

impl ClientStats {
    pub(crate) fn add(&mut self, other: Self) {
        self.to_server.add(other.to_server);
        self.to_client.add(other.to_client);
    }
}

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
    /// Number of datagrams from the proxy itself.
    pub from_itself: u64,
    /// Number of socket errors, for example when no program listens at the server's address.
    pub socket_errors: u64,
    /// Number of datagrams lost by [`Conditions`](gamewire_sim::Conditions).
    pub lost: u64,
    /// Number of packets and events that the watcher missed, because it was too slow.
    pub missed: u64,
}

pub(crate) fn increment(counter: &mut u64) {
    *counter = counter.saturating_add(1);
}

fn add(counter: &mut u64, more: usize) {
    *counter = counter.saturating_add(u64::try_from(more).unwrap_or(u64::MAX));
}
