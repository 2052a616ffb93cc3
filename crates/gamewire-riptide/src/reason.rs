//! Why clients are refused and connections end, whatever the numbers of their format.

use thiserror::Error;

use crate::Format;
use crate::v20::wire::reason as v20;
use crate::v21::wire::reason as v21;

/// Why there is no connection. Servers of the Python port use the numbers of 2.0 in the packets of
/// 2.1: what they mean is [`RejectReason::from_number`] of [`Format::V20`] and the
/// [number](RejectReason::number) that came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
pub enum RejectReason {
    /// No server answered; or, on a stream, it hung up.
    #[error("no server answered")]
    NoConnection,
    /// The server has a connection with this client already.
    #[error("the client is connected already")]
    AlreadyConnected,
    /// The client waits for an answer already (2.0).
    #[error("the client waits for an answer already")]
    Pending,
    /// The server has no room.
    #[error("the server is full")]
    ServerFull,
    /// The server's application refused.
    #[error("the server rejected the client")]
    Rejected,
    /// The server's application refused, and sent data of its own.
    #[error("the server rejected the client, for a reason of its own")]
    Custom,
    /// A number without a meaning.
    #[error("the server rejected the client: reason {0}")]
    Other(u8),
}

impl RejectReason {
    /// What a number means in a format.
    #[must_use]
    pub const fn from_number(format: Format, number: u8) -> Self {
        match (format, number) {
            (_, v21::reject::NO_CONNECTION) => Self::NoConnection,
            (_, v21::reject::ALREADY_CONNECTED) => Self::AlreadyConnected,
            (Format::V20, v20::reject::PENDING) => Self::Pending,
            (Format::V20, v20::reject::SERVER_FULL) | (Format::V21, v21::reject::SERVER_FULL) => {
                Self::ServerFull
            }
            (Format::V20, v20::reject::REJECTED) | (Format::V21, v21::reject::REJECTED) => Self::Rejected,
            (Format::V20, v20::reject::CUSTOM) | (Format::V21, v21::reject::CUSTOM) => Self::Custom,
            (_, other) => Self::Other(other),
        }
    }

    /// Its number in a format, if that has it.
    #[must_use]
    pub const fn number(self, format: Format) -> Option<u8> {
        Some(match (self, format) {
            (Self::NoConnection, _) => v21::reject::NO_CONNECTION,
            (Self::AlreadyConnected, _) => v21::reject::ALREADY_CONNECTED,
            (Self::Pending, Format::V20) => v20::reject::PENDING,
            (Self::Pending, Format::V21) => return None,
            (Self::ServerFull, Format::V20) => v20::reject::SERVER_FULL,
            (Self::ServerFull, Format::V21) => v21::reject::SERVER_FULL,
            (Self::Rejected, Format::V20) => v20::reject::REJECTED,
            (Self::Rejected, Format::V21) => v21::reject::REJECTED,
            (Self::Custom, Format::V20) => v20::reject::CUSTOM,
            (Self::Custom, Format::V21) => v21::reject::CUSTOM,
            (Self::Other(number), _) => number,
        })
    }
}

/// Why a connection is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
pub enum DisconnectReason {
    /// There never was one.
    #[error("never connected")]
    NeverConnected,
    /// The server refused.
    #[error("the server refused")]
    ConnectionRejected,
    /// The transport failed, or the peer broke its rules.
    #[error("the transport failed")]
    TransportError,
    /// Nothing was heard of the peer for too long.
    #[error("nothing was heard of the peer for too long")]
    TimedOut,
    /// The server's application ended it.
    #[error("kicked")]
    Kicked,
    /// The server stopped.
    #[error("the server stopped")]
    ServerStopped,
    /// The client left.
    #[error("disconnected")]
    Disconnected,
    /// Too much was lost.
    #[error("the connection is too poor")]
    PoorConnection,
    /// A number without a meaning.
    #[error("disconnected: reason {0}")]
    Other(u8),
}

impl DisconnectReason {
    /// What a number means in a format. In 2.1 there are two for a server that stops: those before
    /// 2.2.1 send two bytes of the older format, which read as 80.
    #[must_use]
    pub const fn from_number(format: Format, number: u8) -> Self {
        match (format, number) {
            (_, v21::disconnect::NEVER_CONNECTED) => Self::NeverConnected,
            (_, v21::disconnect::CONNECTION_REJECTED) => Self::ConnectionRejected,
            (_, v21::disconnect::TRANSPORT_ERROR) => Self::TransportError,
            (_, v21::disconnect::TIMED_OUT) => Self::TimedOut,
            (_, v21::disconnect::KICKED) => Self::Kicked,
            (_, v21::disconnect::SERVER_STOPPED) | (Format::V21, v21::LEGACY_STOP) => Self::ServerStopped,
            (_, v21::disconnect::DISCONNECTED) => Self::Disconnected,
            (Format::V21, v21::disconnect::POOR_CONNECTION) => Self::PoorConnection,
            (_, other) => Self::Other(other),
        }
    }

    /// Its number in a format, if that has it.
    #[must_use]
    pub const fn number(self, format: Format) -> Option<u8> {
        Some(match (self, format) {
            (Self::NeverConnected, _) => v21::disconnect::NEVER_CONNECTED,
            (Self::ConnectionRejected, _) => v21::disconnect::CONNECTION_REJECTED,
            (Self::TransportError, _) => v21::disconnect::TRANSPORT_ERROR,
            (Self::TimedOut, _) => v21::disconnect::TIMED_OUT,
            (Self::Kicked, _) => v21::disconnect::KICKED,
            (Self::ServerStopped, _) => v21::disconnect::SERVER_STOPPED,
            (Self::Disconnected, _) => v21::disconnect::DISCONNECTED,
            (Self::PoorConnection, Format::V21) => v21::disconnect::POOR_CONNECTION,
            (Self::PoorConnection, Format::V20) => return None,
            (Self::Other(number), _) => number,
        })
    }
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
                let expected = if format == Format::V21 && number == v21::LEGACY_STOP { 5 } else { number };
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
