use crate::Direction;

/// The counters of a driver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Taken from the socket.
    pub received: Traffic,
    /// Taken by the system.
    pub sent: Traffic,
    /// Datagrams that the machine rejected.
    pub rejected: u64,
    /// Datagrams that were not sent, because the queue for a full socket was full as well or
    /// because sending them failed.
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
    /// Streams that their peers ended in good order.
    pub ended: u64,
    /// Streams that failed, such as by a reset.
    pub reset: u64,
    /// Streams that were given up because their peers read too slowly.
    pub slow_reader: u64,
    /// Failures to accept a stream, such as for want of descriptors.
    pub accept_errors: u64,
    /// Bytes that came.
    pub received_bytes: u64,
    /// Bytes that the system took.
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

    /// The stream is over for this reason.
    pub(crate) const fn count_end(&mut self, reason: StreamEnd) {
        let count = match reason {
            StreamEnd::Closed => &mut self.closed,
            StreamEnd::Ended => &mut self.ended,
            StreamEnd::Broken => &mut self.reset,
            StreamEnd::Overfull => &mut self.slow_reader,
        };
        *count = count.saturating_add(1);
    }
}

/// Why a stream is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StreamEnd {
    Closed,
    Ended,
    Broken,
    Overfull,
}

/// What went one way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// How many datagrams.
    pub datagrams: u64,
    /// How many bytes of payload.
    pub bytes: u64,
    /// How many calls of the system that took; each one moved a batch.
    pub batches: u64,
}

impl Traffic {
    pub(crate) fn add(&mut self, datagram: &[u8]) {
        let bytes = u64::try_from(datagram.len()).unwrap_or(u64::MAX);
        self.datagrams = self.datagrams.saturating_add(1);
        self.bytes = self.bytes.saturating_add(bytes);
    }
}

/// Failures of the socket by kind, both directions together. None of them is the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Errors {
    /// A peer's host answered that nobody listens there.
    pub refused: u64,
    /// The send buffer or the system's memory was full; the datagram was kept for later.
    pub full: u64,
    /// A datagram was longer than the way allows.
    pub too_long: u64,
    /// There was no way to a peer: no route, network down, no such address family.
    pub unreachable: u64,
    /// The system forbade it, such as a firewall on this host.
    pub forbidden: u64,
    /// A signal came in between.
    pub interrupted: u64,
    /// Anything else.
    pub other: u64,
}

impl Errors {
    /// All kinds together.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.refused
            .saturating_add(self.full)
            .saturating_add(self.too_long)
            .saturating_add(self.unreachable)
            .saturating_add(self.forbidden)
            .saturating_add(self.interrupted)
            .saturating_add(self.other)
    }
}
