use thiserror::Error;

/// What became of a message, or of the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The peer has a reliable message (`ReliableDelivered`).
    ReliableDelivered {
        /// Its id.
        seq_id: u16,
    },
    /// 2.0: a reliable message was sent as often as it may be and is given up; the peer may have
    /// it or not.
    ReliableGivenUp {
        /// Its id.
        seq_id: u16,
    },
    /// The peer has handled a notify message (`NotifyDelivered`).
    NotifyDelivered {
        /// Its id.
        seq_id: u16,
    },
    /// The peer has not got a notify message, and will not handle it if it still comes
    /// (`NotifyLost`).
    NotifyLost {
        /// Its id.
        seq_id: u16,
    },
    /// Nothing will be known of a notify message: the peer's answers that spoke of it were lost.
    /// The original says `NotifyLost`, though often the message has arrived.
    NotifyUnknown {
        /// Its id.
        seq_id: u16,
    },
    /// The connection is over: the last event.
    Closed(CloseCause),
}

/// Why a connection ended by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CloseCause {
    /// No server answered (`NeverConnected`).
    #[error("no server answered")]
    NeverConnected,
    /// Nothing was heard of the peer for too long (`TimedOut`).
    #[error("nothing was heard of the peer for too long")]
    TimedOut,
    /// It is too bad to go on (`PoorConnection`).
    #[error(transparent)]
    PoorConnection(#[from] QualityFailure),
}

/// What is too bad about a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum QualityFailure {
    /// A message was sent as often as it may be, and would be due again.
    #[error("reliable message {seq_id} was not acknowledged after {attempts} attempts")]
    SendAttempts {
        /// Its id.
        seq_id: u16,
        /// How often it was sent.
        attempts: u16,
    },
    /// Too many messages had to be sent too often.
    #[error("reliable messages take too many attempts")]
    AverageSendAttempts,
    /// Too many notify messages were lost.
    #[error("too many notify messages were lost")]
    NotifyLoss,
    /// The peer's reliable messages are so far apart that missing ones could no longer be told
    /// from duplicates. No setting prevents it.
    #[error("reliable messages of the peer are too far apart")]
    SequenceGap,
}

/// Why a message was not sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SendError {
    /// Too much waits to be acknowledged: try later.
    #[error("too much waits to be acknowledged")]
    Full,
    /// It is longer than any packet.
    #[error("a packet of {length} bytes is too long")]
    TooLong {
        /// Its length in bytes.
        length: usize,
    },
    /// The connection is over.
    #[error("the connection is over")]
    Ended,
}
