use gamewire_wire::CodecError;
use thiserror::Error;

use crate::link;

/// Why a packet was dropped; nothing else came of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PacketError {
    /// It cannot be read.
    #[error(transparent)]
    Malformed(#[from] CodecError),
    /// It is longer than both ends agreed on.
    #[error("a packet of {length} bytes is too long")]
    TooLong {
        /// Its length in bytes.
        length: usize,
    },
    /// Its sender is nobody that this end speaks with.
    #[error("its sender has no connection")]
    UnknownAddress,
    /// It belongs to a connection that is established, and this one is not yet. If it is reliable
    /// it comes again.
    #[error("the connection is not established yet")]
    NotConnected,
    /// This side does not get its kind, or not now.
    #[error("it does not belong here: {0}")]
    Unexpected(&'static str),
    /// Nobody has polled the events of those before.
    #[error("too many events wait to be polled")]
    Busy,
    /// The connection is over.
    #[error("the connection is over")]
    Closed,
}

/// Why a message was not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SendError {
    /// There is no connection, or not yet.
    #[error("there is no connection")]
    NotConnected,
    /// The format of the peer cannot say it.
    #[error(transparent)]
    Unsupported(#[from] CodecError),
    /// It is longer than both ends agreed on.
    #[error("{length} bytes are too long: {most} are the most")]
    TooLong {
        /// The length of its packet in bytes; of its values, if it was to be sent in parts.
        length: usize,
        /// What that may be at most.
        most: usize,
    },
    /// Too much waits to be acknowledged: try later.
    #[error("too much waits to be acknowledged")]
    Full,
    /// It is a notify message, and 2.0 has none.
    #[error("2.0 has no notify messages")]
    NoNotify,
    /// It needs what the peer has not agreed to, or not yet:
    /// [`ExtensionConfig`](crate::ExtensionConfig).
    #[error("the peer has not agreed to messages in order or in parts")]
    ExtensionUnavailable,
    /// It is to be delivered in order, and not reliable.
    #[error("only reliable messages can be sent in order")]
    NotReliable,
    /// Its id carries the extension.
    #[error("the id of the message carries the extension")]
    Reserved,
    /// It has no message id, which only notify messages do not need.
    #[error("the message has no id")]
    NoId,
}

impl From<link::SendError> for SendError {
    fn from(error: link::SendError) -> Self {
        match error {
            link::SendError::Full => Self::Full,
            link::SendError::TooLong { length } => Self::TooLong { length, most: u16::MAX.into() },
            link::SendError::Ended => Self::NotConnected,
        }
    }
}
