//! Reasons of rejections and disconnects, without their numbers, which differ by format.

use thiserror::Error;

/// Reason why there is no connection. Servers of the Python port use the numbers of 2.0 in the packets
/// of 2.1: to decode their reasons, pass [`Format::V20`](crate::Format::V20) and the received [number](RejectReason::number)
/// to [`RejectReason::from_number`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
pub enum RejectReason {
    /// No server answered, or it closed the stream.
    #[error("no server answered")]
    NoConnection,
    /// The client is already connected.
    #[error("the client is already connected")]
    AlreadyConnected,
    /// The server has not yet decided on an earlier request (2.0).
    #[error("an earlier connect request is still pending")]
    Pending,
    /// The server has reached its maximum number of clients.
    #[error("the server is full")]
    ServerFull,
    /// The server's application rejected the client.
    #[error("the server rejected the client")]
    Rejected,
    /// The server's application rejected the client and sent data.
    #[error("the server rejected the client for a custom reason")]
    Custom,
    /// A number without a meaning in the format.
    #[error("the server rejected the client: reason {0}")]
    Other(u8),
}

impl RejectReason {
    /// Returns the name in the C# library, or `None` for a number without a meaning.
    pub(crate) const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::NoConnection => "NoConnection",
            Self::AlreadyConnected => "AlreadyConnected",
            Self::Pending => "Pending",
            Self::ServerFull => "ServerFull",
            Self::Rejected => "Rejected",
            Self::Custom => "Custom",
            Self::Other(_) => return None,
        })
    }
}

/// Reason why a connection closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
pub enum DisconnectReason {
    /// There was no connection.
    #[error("never connected")]
    NeverConnected,
    /// The server rejected the client.
    #[error("the server rejected the client")]
    ConnectionRejected,
    /// The transport failed, or the peer violated its framing.
    #[error("the transport failed")]
    TransportError,
    /// No packet of the peer arrived for the timeout.
    #[error("timed out waiting for packets of the peer")]
    TimedOut,
    /// The server's application closed the connection.
    #[error("kicked")]
    Kicked,
    /// The server stopped.
    #[error("the server stopped")]
    ServerStopped,
    /// The client left.
    #[error("disconnected")]
    Disconnected,
    /// Too many packets were lost.
    #[error("poor connection")]
    PoorConnection,
    /// A number without a meaning in the format.
    #[error("disconnected: reason {0}")]
    Other(u8),
}

impl DisconnectReason {
    /// All reasons with a number in 2.1, by number. 2.0 lacks the last one.
    pub(crate) const NUMBERED: &'static [Self] = &[
        Self::NeverConnected,
        Self::ConnectionRejected,
        Self::TransportError,
        Self::TimedOut,
        Self::Kicked,
        Self::ServerStopped,
        Self::Disconnected,
        Self::PoorConnection,
    ];

    /// Number that a `Disconnect` of a server of 2.1.0 to 2.2.0 seems to have when the server stops: it
    /// sends the two bytes 05 05 of the byte format. It means [`DisconnectReason::ServerStopped`].
    pub(crate) const LEGACY_STOP: u8 = 80;

    /// Returns the name in the C# library, or `None` for a number without a meaning.
    pub(crate) const fn name(self) -> Option<&'static str> {
        Some(match self {
            Self::NeverConnected => "NeverConnected",
            Self::ConnectionRejected => "ConnectionRejected",
            Self::TransportError => "TransportError",
            Self::TimedOut => "TimedOut",
            Self::Kicked => "Kicked",
            Self::ServerStopped => "ServerStopped",
            Self::Disconnected => "Disconnected",
            Self::PoorConnection => "PoorConnection",
            Self::Other(_) => return None,
        })
    }
}
