//! Numbers of reasons in each format.

use crate::Format;
use crate::shared::reason::{DisconnectReason, RejectReason};
use crate::shared::version::Version;
use crate::v20::V20;
use crate::v21::V21;

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

    const fn numbered(format: Format) -> &'static [Self] {
        match format {
            Format::V20 => V20::REJECT_REASONS,
            Format::V21 => V21::REJECT_REASONS,
        }
    }
}

impl DisconnectReason {
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
