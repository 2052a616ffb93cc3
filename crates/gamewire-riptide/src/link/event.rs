use core::fmt;
use core::time::Duration;

use crate::DisconnectReason;

/// An event of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// The message with this sequence id was delivered or lost.
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
    /// The connection exceeded a limit.
    Exceeded(ConnectionLimit),
}

/// A limit that ends a connection ([`DisconnectReason::TimedOut`] or [`DisconnectReason::PoorConnection`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum ConnectionLimit {
    /// The peer sent no heartbeat for [`ConnectionSettings::timeout_time`](crate::ConnectionSettings::timeout_time).
    Silence,
    /// The peer sent heartbeats, but acknowledged no reliable message for three times that time, although some were
    /// sent repeatedly. The C# library has no such limit.
    NoAck,
    /// A message was not acknowledged after
    /// [`ConnectionSettings::max_send_attempts`](crate::ConnectionSettings::max_send_attempts).
    SendAttempts {
        /// Sequence id of the message.
        seq_id: u16,
        /// Number of attempts.
        attempts: u16,
    },
    /// The average number of attempts was too high.
    AverageSendAttempts,
    /// Too many notify messages were lost.
    NotifyLoss,
    /// The gap in the peer's sequence ids exceeds the receive window. No setting prevents it.
    SequenceGap,
}

impl ConnectionLimit {
    /// Returns the reason for a connection that exceeded the limit.
    pub const fn reason(self) -> DisconnectReason {
        match self {
            Self::Silence | Self::NoAck => DisconnectReason::TimedOut,
            Self::SendAttempts { .. } | Self::AverageSendAttempts | Self::NotifyLoss | Self::SequenceGap => {
                DisconnectReason::PoorConnection
            }
        }
    }
}

impl ConnectionLimit {
    /// Returns the name of the limit, such as `send_attempts`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Silence => "silence",
            Self::NoAck => "no_ack",
            Self::SendAttempts { .. } => "send_attempts",
            Self::AverageSendAttempts => "average_send_attempts",
            Self::NotifyLoss => "notify_loss",
            Self::SequenceGap => "sequence_gap",
        }
    }
}

impl fmt::Display for ConnectionLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Silence => f.write_str("no heartbeat arrived"),
            Self::NoAck => f.write_str("nothing was acknowledged"),
            Self::SendAttempts { seq_id, attempts } => {
                write!(f, "message {seq_id} was not acknowledged after {attempts} attempts")
            }
            Self::AverageSendAttempts => f.write_str("messages needed too many attempts on average"),
            Self::NotifyLoss => f.write_str("too many notify messages were lost"),
            Self::SequenceGap => f.write_str("the gap in the peer's sequence ids was too large"),
        }
    }
}

/// The limit that a connection exceeded, and the state of the connection then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ExceededLimit {
    /// The limit.
    pub limit: ConnectionLimit,
    /// Time since the last heartbeat or handshake packet of the peer.
    pub silence: Duration,
    /// The last measured round trip.
    pub rtt: Option<Duration>,
}

impl fmt::Display for ExceededLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; the last heartbeat came {:.1} s ago", self.limit, self.silence.as_secs_f64())?;
        self.rtt.map_or(Ok(()), |rtt| write!(f, ", the last round trip took {} ms", rtt.as_millis()))
    }
}
