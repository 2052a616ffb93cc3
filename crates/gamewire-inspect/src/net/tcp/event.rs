//! Events of TCP connections.

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
    /// Bytes of this direction are missing from the capture; the next event comes after them.
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
