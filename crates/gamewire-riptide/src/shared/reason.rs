//! Reasons of rejections and disconnects. Their numbers differ by format.

use thiserror::Error;

use crate::Format;

/// Defines an enum of reasons. Their names are the same as in the C# library.
macro_rules! reasons {
    ($(#[doc = $doc:literal])+ $reason:ident, $other:literal, $($(#[doc = $variant_doc:literal])+ $variant:ident $text:literal)+) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Error)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub enum $reason {
            $(
                $(#[doc = $variant_doc])+
                #[error($text)]
                $variant,
            )+
            /// A number without a meaning in the format.
            #[error($other)]
            Other(u8),
        }

        impl $reason {
            const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// Returns the number of the reason in a format, or `None` if the format does not have the reason.
            #[must_use]
            pub fn number(self, format: Format) -> Option<u8> {
                match self {
                    Self::Other(number) => Some(number),
                    reason => Self::numbered(format).iter().zip(0..).find(|(known, _)| **known == reason).map(|(_, n)| n),
                }
            }

            /// Returns the name in the C# library, or `None` for a number without a meaning.
            #[must_use]
            pub const fn name(self) -> Option<&'static str> {
                match self {
                    $(Self::$variant => Some(stringify!($variant)),)+
                    Self::Other(_) => None,
                }
            }
        }
    };
}

reasons! {
    /// Reason why there is no connection. Servers of the Python port use the numbers of 2.0 in the packets of 2.1: to
    /// decode their reasons, pass [`Format::V20`] and the received [number](RejectReason::number) to
    /// [`RejectReason::from_number`].
    RejectReason, "the server rejected the client: reason {0}",
    /// No server answered, or it closed the stream.
    NoConnection "no server answered"
    /// The client is already connected.
    AlreadyConnected "the client is already connected"
    /// The server has not yet decided on an earlier request (2.0).
    Pending "an earlier connect request is still pending"
    /// The server has reached its maximum number of clients.
    ServerFull "the server is full"
    /// The server's application rejected the client.
    Rejected "the server rejected the client"
    /// The server's application rejected the client and sent data.
    Custom "the server rejected the client for a custom reason"
}

reasons! {
    /// Reason why a connection closed.
    DisconnectReason, "disconnected: reason {0}",
    /// There was no connection.
    NeverConnected "never connected"
    /// The server rejected the client.
    ConnectionRejected "the server rejected the client"
    /// The transport failed, or the peer violated its framing.
    TransportError "the transport failed"
    /// No packet of the peer arrived for the timeout.
    TimedOut "timed out waiting for packets of the peer"
    /// The server's application closed the connection.
    Kicked "kicked"
    /// The server stopped.
    ServerStopped "the server stopped"
    /// The client left.
    Disconnected "disconnected"
    /// Too many packets were lost.
    PoorConnection "poor connection"
}

impl RejectReason {
    /// Returns the meaning of a number in a format.
    pub fn from_number(format: Format, number: u8) -> Self {
        Self::numbered(format).get(usize::from(number)).copied().unwrap_or(Self::Other(number))
    }

    /// Returns the reasons by number.
    pub const fn numbered(format: Format) -> &'static [Self] {
        use RejectReason::{AlreadyConnected, Custom, NoConnection, Rejected, ServerFull};
        match format {
            Format::V20 => Self::ALL,
            Format::V21 => &[NoConnection, AlreadyConnected, ServerFull, Rejected, Custom],
        }
    }
}

impl DisconnectReason {
    /// Number that a `Disconnect` of a server of 2.1.0 to 2.2.0 seems to have when the server stops: it
    /// sends the two bytes 05 05 of the byte format. It means [`DisconnectReason::ServerStopped`].
    pub(crate) const LEGACY_STOP: u8 = 80;

    /// Returns the meaning of a number in a format. In 2.1 two numbers mean that the server stops: servers
    /// before 2.2.1 send two bytes of the older format, which read as 80.
    pub fn from_number(format: Format, number: u8) -> Self {
        match (Self::numbered(format).get(usize::from(number)), format, number) {
            (Some(reason), ..) => *reason,
            (None, Format::V21, Self::LEGACY_STOP) => Self::ServerStopped,
            _ => Self::Other(number),
        }
    }

    /// Returns the reasons by number.
    pub const fn numbered(format: Format) -> &'static [Self] {
        match format {
            Format::V20 => Self::ALL.split_at(7).0,
            Format::V21 => Self::ALL,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_has_one_number_per_format() {
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
    fn the_shutdown_notice_of_an_older_server_is_recognized() {
        assert_eq!(DisconnectReason::from_number(Format::V21, 80), DisconnectReason::ServerStopped);
        assert_eq!(DisconnectReason::from_number(Format::V20, 80), DisconnectReason::Other(80));
    }
}
