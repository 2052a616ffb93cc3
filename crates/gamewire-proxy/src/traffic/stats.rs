/// Counters of one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DirectionStats {
    /// Datagrams that were received, or runs of bytes that were read.
    pub received: u64,
    /// Bytes in them.
    pub received_bytes: u64,
    /// Datagrams that were sent, or writes to a stream.
    pub sent: u64,
    /// Bytes in them.
    pub sent_bytes: u64,
    /// Datagrams that the system did not take.
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
    /// Counters of all clients, also those that are gone.
    pub total: ClientStats,
    /// Clients since the start.
    pub clients: u64,
    /// Clients now.
    pub open: u64,
    /// Clients that a new one displaced before they answered the server.
    pub displaced: u64,
    /// Datagrams and streams of new clients that were refused: there were too many clients, or too many new ones in a
    /// short time.
    pub refused: u64,
    /// Datagrams that came from the proxy itself.
    pub from_itself: u64,
    /// Errors of sockets, such as that nothing listens at the server's address.
    pub socket_errors: u64,
    /// Datagrams that [`Conditions`](gamewire_sim::Conditions) lost.
    pub lost: u64,
    /// Packets and events that the follower missed, because it could not keep up.
    pub missed: u64,
}

pub(crate) fn increment(counter: &mut u64) {
    *counter = counter.saturating_add(1);
}

fn add(counter: &mut u64, more: usize) {
    *counter = counter.saturating_add(u64::try_from(more).unwrap_or(u64::MAX));
}
