use gamewire_wire::CodecError;
use thiserror::Error;

use crate::Format;

/// The reason why a packet was dropped. The state is unchanged, except that [`Busy`](Self::Busy) counts lost messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PacketError {
    /// The packet cannot be decoded.
    #[error(transparent)]
    Malformed(#[from] CodecError),
    /// The packet exceeds the maximum size.
    #[error("packet of {length} bytes exceeds the maximum size")]
    TooLong {
        /// Length of the packet in bytes.
        length: usize,
    },
    /// The sender has no connection.
    #[error("sender has no connection")]
    UnknownAddress,
    /// The packet is only valid on an established connection. The peer resends a reliable packet.
    #[error("connection not established")]
    NotConnected,
    /// This role does not receive such a packet, or not in this state.
    #[error("unexpected packet: {0}")]
    Unexpected(&'static str),
    /// The event queue is full. The peer resends a reliable packet; other messages are counted as missed.
    #[error("event queue full")]
    Busy,
    /// The connection is closed.
    #[error("connection closed")]
    Closed,
    /// The record layer dropped the datagram, because it is forged, replayed or not encrypted.
    #[error("dropped by the record layer")]
    Record,
}

/// The reason why a server dropped a packet. The state is unchanged, except that [`PacketError::Busy`] counts lost
/// messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ServerPacketError {
    /// The packet is invalid for its connection, or its sender has no connection.
    #[error(transparent)]
    Packet(#[from] PacketError),
    /// A connect request in a format that the configuration does not allow.
    #[error("unsupported format: {0}")]
    Format(Format),
    /// Too many connections are half open, in total or from this address.
    #[error("too many half-open connections")]
    HalfOpen,
    /// The server is stopped.
    #[error("server stopped")]
    Stopped,
}

/// The reason why a message was not sent. Nothing was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SendError {
    /// The connection is not established, or closed.
    #[error("not connected")]
    NotConnected,
    /// The peer's format cannot represent the message.
    #[error(transparent)]
    Unsupported(#[from] CodecError),
    /// The message exceeds the maximum size.
    #[error("{length} bytes exceed the maximum of {max}")]
    TooLong {
        /// Length of the packet in bytes; of the values, for a message that is sent in parts.
        length: usize,
        /// Maximum of that length.
        max: usize,
    },
    /// The values of the message exceed the maximum size.
    #[error("the values exceed the maximum of {max} bytes in a message")]
    ValuesTooLong {
        /// Maximum bytes of values in such a message.
        max: usize,
    },
    /// Too many messages are unacknowledged; try again later.
    #[error("send buffer full")]
    Full,
    /// Format 2.0 has no notify messages.
    #[error("format 2.0 has no notify messages")]
    NoNotify,
    /// The message needs the extension, which the peer has not negotiated: see
    /// [`ExtensionConfig`](crate::ExtensionConfig).
    #[error("extension not negotiated")]
    ExtensionUnavailable,
    /// Only a reliable message can be sent in order.
    #[error("only reliable messages can be sent in order")]
    NotReliable,
    /// The message id is the one that carries the extension.
    #[error("message id reserved for the extension")]
    Reserved,
    /// The message has no id. Only notify messages may lack one.
    #[error("message has no id")]
    NoId,
}
