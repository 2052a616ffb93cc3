/// An event of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// The delivery of the message with this sequence id is decided.
    Delivery { seq_id: u16, outcome: DeliveryOutcome },
    /// The link closed the connection. This is the last event.
    Closed(CloseCause),
}

/// The outcome of sending a reliable or notify message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum DeliveryOutcome {
    /// The peer acknowledged a reliable message (`ReliableDelivered`).
    ReliableDelivered,
    /// A reliable message was discarded after the maximum number of attempts (2.0). It may have arrived.
    ReliableGivenUp,
    /// The peer received a notify message (`NotifyDelivered`).
    NotifyDelivered,
    /// A notify message was lost (`NotifyLost`). If it still arrives, the peer drops it.
    NotifyLost,
    /// The delivery of a notify message will remain unknown, because the acks for it were lost. The C# library reports
    /// `NotifyLost`, although the message often arrived.
    NotifyUnknown,
}

/// The reason why a link closed its connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CloseCause {
    /// No server replied (`NeverConnected`).
    NeverConnected,
    /// The peer sent no heartbeat for too long (`TimedOut`).
    TimedOut,
    /// The quality of the connection is too low (`PoorConnection`).
    PoorConnection(QualityFailure),
}

/// The limit that a poor connection exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum QualityFailure {
    /// A message was not acknowledged after the maximum number of attempts.
    SendAttempts { seq_id: u16, attempts: u16 },
    /// The average number of attempts was too high.
    AverageSendAttempts,
    /// Too many notify messages were lost.
    NotifyLoss,
    /// The gap in the peer's sequence ids exceeds the receive window. No setting prevents it.
    SequenceGap,
}
