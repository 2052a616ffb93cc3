use thiserror::Error;

/// The reason why a datagram was dropped. Nothing but counters changed.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum RecordError {
    /// No packet of the layer has this first byte.
    #[error("not a packet of the record layer")]
    NotARecord,
    /// The packet has the wrong length, or its content is invalid.
    #[error("malformed packet of the record layer")]
    Malformed,
    /// The packet is one that only the other role receives, or one that belongs to another state of the handshake.
    #[error("packet of the record layer out of turn")]
    OutOfTurn,
    /// The peer speaks another version of the layer.
    #[error("unsupported version {0} of the record layer")]
    UnsupportedVersion(u8),
    /// The datagram is not from the server.
    #[error("datagram from an unknown address")]
    UnknownAddress,
    /// The cookie is older than 20 seconds, or belongs to another address.
    #[error("invalid or expired cookie")]
    WrongCookie,
    /// The handshake was made with another key, or changed on its way.
    #[error("handshake with a wrong key")]
    WrongKey,
    /// The server has too many sessions or handshakes, in total or from this network.
    #[error("too many sessions or handshakes")]
    Full,
    /// No session has this connection id.
    #[error("unknown connection id")]
    UnknownSession,
    /// A record with this counter was received before, or its counter is at least 1,024 lower than the highest one.
    #[error("replayed or too old record")]
    Replayed,
    /// The record was not made with the key of its session.
    #[error("forged record")]
    Forged,
}

/// The reason why a packet was not encrypted. Nothing was written.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum SealError {
    /// The session is not open yet, or it is closed.
    #[error("the session is not open")]
    NotOpen,
    /// The packet is longer than [`MAX_PACKET_BYTES`](crate::wire::MAX_PACKET_BYTES).
    #[error("the packet is too long for a record")]
    TooLong,
    /// The session has used all counters. A new handshake is necessary.
    #[error("all counters of the session are used")]
    Exhausted,
}
