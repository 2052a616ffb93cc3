use thiserror::Error;

/// An event of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The peer acknowledged a reliable message (`ReliableDelivered`).
    ReliableDelivered {
        /// Sequence id of the message.
        seq_id: u16,
    },
    /// A reliable message was discarded after the maximum number of attempts (2.0). It may have arrived.
    ReliableGivenUp {
        /// Sequence id of the message.
        seq_id: u16,
    },
    /// The peer received a notify message (`NotifyDelivered`).
    NotifyDelivered {
        /// Sequence id of the message.
        seq_id: u16,
    },
    /// A notify message was lost (`NotifyLost`). If it still arrives, the peer drops it.
    NotifyLost {
        /// Sequence id of the message.
        seq_id: u16,
    },
    /// The delivery of a notify message will remain unknown, because the acks for it were lost. The C# library reports
    /// `NotifyLost`, although the message often arrived.
    NotifyUnknown {
        /// Sequence id of the message.
        seq_id: u16,
    },
    /// The link closed the connection. This is the last event.
    Closed(CloseCause),
}

/// Why a link closed its connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CloseCause {
    /// No server replied (`NeverConnected`).
    #[error("no reply from the server")]
    NeverConnected,
    /// The peer sent no heartbeat for too long (`TimedOut`).
    #[error("timed out")]
    TimedOut,
    /// The quality of the connection is too low (`PoorConnection`).
    #[error(transparent)]
    PoorConnection(#[from] QualityFailure),
}

/// The limit that a poor connection exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum QualityFailure {
    /// A message was not acknowledged after the maximum number of attempts.
    #[error("reliable message {seq_id} was not acknowledged after {attempts} attempts")]
    SendAttempts {
        /// Sequence id of the message.
        seq_id: u16,
        /// Number of attempts.
        attempts: u16,
    },
    /// The average number of attempts was too high.
    #[error("reliable messages need too many attempts on average")]
    AverageSendAttempts,
    /// Too many notify messages were lost.
    #[error("too many notify messages were lost")]
    NotifyLoss,
    /// The gap in the peer's sequence ids exceeds the receive window. No setting prevents it.
    #[error("sequence ids of the peer are too far apart")]
    SequenceGap,
}

/// Why a packet was not queued.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SendError {
    /// The send buffer is full; try again later.
    #[error("send buffer full")]
    Full,
    /// The packet exceeds the maximum size.
    #[error("packet of {length} bytes is too long")]
    TooLong {
        /// Length of the packet in bytes.
        length: usize,
    },
    /// The connection is closed.
    #[error("connection closed")]
    Ended,
}
