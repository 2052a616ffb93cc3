use core::time::Duration;

use gamewire_wire::CodecError;
use thiserror::Error;

/// Why a datagram was dropped; nothing else came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PacketError {
    /// It cannot be read.
    #[error(transparent)]
    Malformed(#[from] CodecError),
    /// It does not have the token that was handed out.
    #[error("the token is missing or wrong")]
    WrongToken,
    /// It acknowledges what was never sent, or takes an acknowledgement back.
    #[error("it acknowledges what is not outstanding")]
    AckOutsideWindow,
    /// It belongs to no connection, where one that does is needed.
    #[error("it belongs to no connection")]
    Connless,
    /// It belongs to a connection, and its sender has none.
    #[error("its sender has no connection")]
    UnknownAddress,
    /// Its kind is not expected now, or it has marks that no sender of this dialect sets.
    #[error("it does not belong here: {0}")]
    Unexpected(&'static str),
    /// Too many of its kind came of late.
    #[error("too many of its kind came of late")]
    RateLimited,
    /// The connection is over.
    #[error("the connection is over")]
    Closed,
}

/// Why a connection is over, or never came to be; shown in the games' own words.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum CloseReason {
    /// The peer closed it.
    #[error("{}", if reason.is_empty() { "closed by the peer" } else { reason })]
    PeerClosed {
        /// Why, as it said; empty when it did not.
        reason: String,
    },
    /// Nothing came from the peer for too long.
    #[error("Timeout")]
    Timeout,
    /// A message was not acknowledged for too long.
    #[error("Too weak connection (not acked for {} seconds)", after.as_secs())]
    TooWeak {
        /// How long.
        after: Duration,
    },
    /// Too much was not acknowledged ([`OverflowPolicy::Disconnect`](super::OverflowPolicy::Disconnect)).
    #[error("too weak connection (out of buffer)")]
    OutOfBuffer,
    /// The server did not answer.
    #[error("Unable to connect to the server")]
    UnableToConnect,
    /// The server did not want us.
    #[error("{}", if reason.is_empty() { "refused" } else { reason })]
    Refused {
        /// Why, as it said; empty when it did not.
        reason: String,
    },
    /// We closed it.
    #[error("left")]
    Left,
}

/// Why a message was not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SendError {
    /// It does not fit a packet.
    #[error("the message has {length} bytes, and at most {max} fit a packet")]
    TooLong {
        /// Its length in bytes.
        length: usize,
        /// What fits, in bytes.
        max: usize,
    },
    /// Too much is unacknowledged ([`OverflowPolicy::Refuse`](super::OverflowPolicy::Refuse)): try later.
    #[error("too much is not acknowledged")]
    Full,
    /// Too much was unacknowledged ([`OverflowPolicy::Disconnect`](super::OverflowPolicy::Disconnect)): the
    /// peer was told that the connection is over, and [`Link::handle_timeout`](super::Link::handle_timeout)
    /// will say so.
    #[error("too weak connection (out of buffer)")]
    OutOfBuffer,
    /// The connection is over.
    #[error("the connection is over")]
    Closed,
}
