use core::time::Duration;

use gamewire_wire::CodecError;
use thiserror::Error;

use crate::Dialect;

/// The reason why a datagram was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PacketError {
    /// The datagram cannot be decoded.
    #[error(transparent)]
    Malformed(#[from] CodecError),
    /// The token is missing or is not the one that was issued.
    #[error("the token is missing or wrong")]
    WrongToken,
    /// The ack is for a message that was never sent, or is older than the last ack.
    #[error("ack outside the send window")]
    AckOutsideWindow,
    /// A connless packet where only packets of a connection are accepted.
    #[error("the packet belongs to no connection")]
    Connless,
    /// The sender has no connection.
    #[error("the sender has no connection")]
    UnknownAddress,
    /// The packet is not valid in this state or dialect.
    #[error("unexpected packet: {0}")]
    Unexpected(&'static str),
    /// Too many packets of this kind arrived.
    #[error("rate limit exceeded")]
    RateLimited,
    /// The connection is closed.
    #[error("the connection is closed")]
    Closed,
}

/// The reason why a connection was closed or was not established. `Display` returns the texts of the games.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum CloseReason {
    /// The peer closed the connection.
    #[error("{}", if reason.is_empty() { "closed by the peer" } else { reason })]
    PeerClosed {
        /// The peer's reason; empty for none.
        reason: String,
    },
    /// Nothing was received from the peer for too long.
    #[error("Timeout")]
    Timeout,
    /// A message was not acknowledged for too long.
    #[error("Too weak connection (not acked for {} seconds)", after.as_secs())]
    TooWeak {
        /// The timeout.
        after: Duration,
    },
    /// Too many bytes were unacknowledged ([`OverflowPolicy::Disconnect`](super::OverflowPolicy::Disconnect)).
    #[error("too weak connection (out of buffer)")]
    OutOfBuffer,
    /// The server did not answer.
    #[error("Unable to connect to the server")]
    UnableToConnect,
    /// The server answered, but only in a dialect of 0.6 that the client did not offer.
    #[error("the server answers in {}", dialect.name())]
    OtherDialect {
        /// The dialect of the answers.
        dialect: Dialect,
    },
    /// The server rejected the client.
    #[error("{}", if reason.is_empty() { "refused" } else { reason })]
    Refused {
        /// The server's reason; empty for none.
        reason: String,
    },
    /// The application closed the connection.
    #[error("left")]
    Left,
}

/// The reason why a message was not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SendError {
    /// The message does not fit into a packet.
    #[error("the message is too long: {length} bytes, at most {max} fit into a packet")]
    TooLong {
        /// Length of the message in bytes.
        length: usize,
        /// Maximum length in bytes.
        max: usize,
    },
    /// The send buffer is full ([`OverflowPolicy::Refuse`](super::OverflowPolicy::Refuse)). Try again later.
    #[error("the send buffer is full")]
    Full,
    /// The send buffer was full ([`OverflowPolicy::Disconnect`](super::OverflowPolicy::Disconnect)). The link has sent
    /// a CLOSE and is closed. The next [`Link::handle_timeout`](super::Link::handle_timeout) returns the reason.
    #[error("too weak connection (out of buffer)")]
    OutOfBuffer,
    /// The connection is closed.
    #[error("the connection is closed")]
    Closed,
}
