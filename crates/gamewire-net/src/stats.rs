use crate::Direction;

/// Adds one.
pub(crate) const fn increment(count: &mut u64) {
    *count = count.saturating_add(1);
}

/// The counters of a driver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Datagrams received from the socket.
    pub received: Traffic,
    /// Datagrams that the system accepted.
    pub sent: Traffic,
    /// Datagrams that the machine rejected.
    pub rejected: u64,
    /// Datagrams that were not sent, because the send queue was full or sending failed.
    pub dropped: u64,
    /// Errors of the UDP socket.
    pub errors: Errors,
    /// Counters of streams. All other fields count datagrams.
    pub streams: StreamStats,
}

/// The counters of a driver's streams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StreamStats {
    /// Streams that were opened.
    pub opened: u64,
    /// Streams that the machine closed.
    pub closed: u64,
    /// Streams that their peers closed without an error.
    pub ended: u64,
    /// Streams that failed, for example because of a reset.
    pub reset: u64,
    /// Streams that were closed because their peers read too slowly.
    pub slow_reader: u64,
    /// Failures to accept a stream, for example for lack of descriptors.
    pub accept_errors: u64,
    /// Bytes received.
    pub received_bytes: u64,
    /// Bytes that the system accepted.
    pub sent_bytes: u64,
}

impl StreamStats {
    pub(crate) fn add(&mut self, direction: Direction, bytes: &[u8]) {
        let count = match direction {
            Direction::Incoming => &mut self.received_bytes,
            Direction::Outgoing => &mut self.sent_bytes,
        };
        *count = count.saturating_add(u64::try_from(bytes.len()).unwrap_or(u64::MAX));
    }
}

/// The datagrams of one direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Number of datagrams.
    pub datagrams: u64,
    /// Bytes of payload.
    pub bytes: u64,
    /// Batches of datagrams. On Linux each is one system call.
    pub batches: u64,
}

impl Traffic {
    pub(crate) fn add(&mut self, datagram: &[u8]) {
        let bytes = u64::try_from(datagram.len()).unwrap_or(u64::MAX);
        increment(&mut self.datagrams);
        self.bytes = self.bytes.saturating_add(bytes);
    }
}

/// Errors of the UDP socket in both directions, by kind. None of them ends the driver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Errors {
    /// The peer's host reported that the port is closed.
    pub refused: u64,
    /// The send buffer or the system's memory was full. The datagram was kept for later.
    pub full: u64,
    /// A datagram exceeded the MTU.
    pub too_long: u64,
    /// A peer was unreachable: no route, network down, or wrong address family.
    pub unreachable: u64,
    /// The system denied sending, for example because of a firewall on this host.
    pub forbidden: u64,
    /// A signal interrupted the call.
    pub interrupted: u64,
    /// Any other error.
    pub other: u64,
}

impl Errors {
    /// Returns the total of all kinds.
    pub fn total(&self) -> u64 {
        let Self { refused, full, too_long, unreachable, forbidden, interrupted, other } = *self;
        let kinds = [refused, full, too_long, unreachable, forbidden, interrupted, other];
        kinds.into_iter().fold(0, u64::saturating_add)
    }
}
