//! Reasons of rejections and disconnects. Their numbers differ by format.

use thiserror::Error;

use crate::Format;
use crate::shared::version::Version;
use crate::v20::V20;
use crate::v21::V21;

/// Reason why there is no connection. Servers of the Python port use the numbers of 2.0 in the packets
/// of 2.1: to decode their reasons, pass [`Format::V20`] and the received [number](RejectReason::number)
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
    /// Returns the meaning of a number in a format.
    #[must_use]
    pub fn from_number(format: Format, number: u8) -> Self {
        Self::numbered(format).get(usize::from(number)).copied().unwrap_or(Self::Other(number))
    }

    /// Returns its number in a format, or `None` if the format does not have the reason.
    #[must_use]
    pub fn number(self, format: Format) -> Option<u8> {
        match self {
            Self::Other(number) => Some(number),
            reason => position(Self::numbered(format), &reason),
        }
    }

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

    const fn numbered(format: Format) -> &'static [Self] {
        match format {
            Format::V20 => V20::REJECT_REASONS,
            Format::V21 => V21::REJECT_REASONS,
        }
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

    /// Returns the meaning of a number in a format. In 2.1 two numbers mean that the server stops: servers
    /// before 2.2.1 send two bytes of the older format, which read as 80.
    #[must_use]
    pub fn from_number(format: Format, number: u8) -> Self {
        match (Self::numbered(format).get(usize::from(number)), format, number) {
            (Some(reason), ..) => *reason,
            (None, Format::V21, Self::LEGACY_STOP) => Self::ServerStopped,
            _ => Self::Other(number),
        }
    }

    /// Returns its number in a format, or `None` if the format does not have the reason.
    #[must_use]
    pub fn number(self, format: Format) -> Option<u8> {
        match self {
            Self::Other(number) => Some(number),
            reason => position(Self::numbered(format), &reason),
        }
    }

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

    const fn numbered(format: Format) -> &'static [Self] {
        match format {
            Format::V20 => V20::DISCONNECT_REASONS,
            Format::V21 => V21::DISCONNECT_REASONS,
        }
    }
}

fn position<R: PartialEq>(reasons: &[R], reason: &R) -> Option<u8> {
    reasons.iter().position(|numbered| numbered == reason).and_then(|number| u8::try_from(number).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_of_a_format_means_one_reason_and_back() {
        for format in Format::ALL {
            for number in 0..=u8::MAX {
                assert_eq!(RejectReason::from_number(format, number).number(format), Some(number));
                let reason = DisconnectReason::from_number(format, number);
                let expected =
                    if format == Format::V21 && number == DisconnectReason::LEGACY_STOP { 5 } else { number };
                assert_eq!(reason.number(format), Some(expected));
            }
        }
    }

    #[test]
    fn the_formats_number_refusals_differently() {
        let numbers = |reason: RejectReason| Format::ALL.map(|format| reason.number(format));
        assert_eq!(numbers(RejectReason::Pending), [Some(2), None]);
        assert_eq!(numbers(RejectReason::ServerFull), [Some(3), Some(2)]);
        assert_eq!(numbers(RejectReason::Rejected), [Some(4), Some(3)]);
        assert_eq!(numbers(RejectReason::Custom), [Some(5), Some(4)]);
        assert_eq!(DisconnectReason::PoorConnection.number(Format::V20), None);
    }

    #[test]
    fn the_raw_bytes_of_an_older_server_that_stops_say_so() {
        assert_eq!(DisconnectReason::from_number(Format::V21, 80), DisconnectReason::ServerStopped);
        assert_eq!(DisconnectReason::from_number(Format::V20, 80), DisconnectReason::Other(80));
    }
}
