//! Events and limits of the reassembler.

use std::net::SocketAddr;

/// An event of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TcpEvent<'a> {
    /// The first event of every connection, immediately before the second. Its source is the client: the sender
    /// of the SYN or of the first segment.
    Opened {
        /// True if the SYN was seen; otherwise the connection began before the capture.
        saw_syn: bool,
    },
    /// The next bytes of this direction.
    Data(&'a [u8]),
    /// Bytes of this direction are missing from the capture. The next event is after the missing bytes.
    Gap {
        /// Number of missing bytes.
        bytes: u64,
    },
    /// The source has no more data.
    Finished,
    /// The source has aborted the connection: nothing follows in either direction.
    Reset,
    /// The connection is no longer followed, although no end was seen: another connection needed its slot, or
    /// began between the same addresses.
    Dropped,
}

/// An event with its connection and addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delivery<'a> {
    /// Number of the connection in the order of first segments; each connection has a new number.
    pub connection: u64,
    /// Address of the side that caused the event.
    pub source: SocketAddr,
    /// Address of the other side.
    pub destination: SocketAddr,
    /// The event.
    pub event: TcpEvent<'a>,
}

/// The limits of a [`Reassembler`](super::Reassembler). All sizes are in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReassemblyLimits {
    /// Maximum number of followed connections. At least 1.
    pub connections: usize,
    /// Maximum bytes that one direction of a connection buffers after missing bytes; each segment counts
    /// [`ReassemblyLimits::SEGMENT_OVERHEAD`] in addition.
    pub per_direction: usize,
    /// Maximum bytes that all connections buffer together.
    pub total: usize,
    /// Maximum time that a direction waits for missing bytes, in nanoseconds of capture time. It is checked at the
    /// next segment of that direction.
    pub gap_timeout_ns: u64,
}

impl ReassemblyLimits {
    /// Bytes that a buffered segment counts in addition to its data, for its table entries.
    pub const SEGMENT_OVERHEAD: usize = 64;
}

impl Default for ReassemblyLimits {
    /// 4096 connections, 1 MiB per direction, 64 MiB together, 10 seconds.
    fn default() -> Self {
        Self {
            connections: 4096,
            per_direction: 1024 * 1024,
            total: 64 * 1024 * 1024,
            gap_timeout_ns: 10_000_000_000,
        }
    }
}
