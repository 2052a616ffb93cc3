//! What a reassembler tells.

use std::net::SocketAddr;

/// What happened on a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TcpEvent<'a> {
    /// The first event of every connection, right before the second. Its source is the client: who sent the
    /// SYN, or the first segment seen.
    Opened {
        /// The handshake was seen; otherwise the connection begins in the middle.
        saw_syn: bool,
    },
    /// The next bytes of this direction.
    Data(&'a [u8]),
    /// So many bytes of this direction are missing from the capture; what follows comes after them.
    Gap {
        /// The size of the hole.
        bytes: u64,
    },
    /// The source has no more data.
    Finished,
    /// The source has aborted the connection: nothing follows in either direction.
    Reset,
    /// The connection is not followed any more, though no end was seen: it made room for another, or another
    /// began between the same ends.
    Dropped,
}

/// An event, and whose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delivery<'a> {
    /// The connection, counted in the order of their first segments: another number for each, even between the
    /// same ends.
    pub connection: u64,
    /// Who caused the event.
    pub source: SocketAddr,
    /// The other end.
    pub destination: SocketAddr,
    /// What happened.
    pub event: TcpEvent<'a>,
}
