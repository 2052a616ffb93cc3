//! Arithmetic on sequence numbers, which count modulo 1024.

use crate::shared::packet::SEQUENCE_SPACE;

/// How far behind the last number a message counts as old, so also how many may be outstanding.
const BACKROOM: u16 = SEQUENCE_SPACE / 2;
/// One more outstanding message, and the newest would look like an old one.
pub(super) const MAX_OUTSTANDING: usize = BACKROOM as usize - 1;

/// The number after `sequence`.
pub(super) const fn next(sequence: u16) -> u16 {
    sequence.wrapping_add(1) % SEQUENCE_SPACE
}

/// How many numbers `later` is after `earlier`.
const fn distance(earlier: u16, later: u16) -> u16 {
    later.wrapping_sub(earlier) % SEQUENCE_SPACE
}

/// Whether who has acknowledged `ack` has seen `sequence`: it is one of the 512 numbers before
/// `ack`, or `ack` itself.
pub(super) const fn in_backroom(sequence: u16, ack: u16) -> bool {
    distance(sequence, ack) <= BACKROOM
}

/// Whether a peer whose last acknowledgement was `before` may acknowledge `ack` when `sent` is
/// the last number that was sent.
pub(super) const fn may_acknowledge(before: u16, sent: u16, ack: u16) -> bool {
    distance(before, ack) <= distance(before, sent)
}

/// Follows the vital messages of the peer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ReceiveWindow {
    /// The last number that arrived in order: what we acknowledge.
    pub(super) ack: u16,
    /// The next number is taken whatever it is.
    pub(super) any: bool,
}

/// How a vital message fits those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SeqCheck {
    /// It is the next one.
    New,
    /// It came before.
    Old,
    /// One before it is missing.
    Gap,
}

impl ReceiveWindow {
    /// Takes the number of a vital message.
    pub(super) const fn take(&mut self, sequence: u16) -> SeqCheck {
        if self.any || sequence == next(self.ack) {
            *self = Self { ack: sequence, any: false };
            SeqCheck::New
        } else if in_backroom(sequence, self.ack) {
            SeqCheck::Old
        } else {
            SeqCheck::Gap
        }
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests {
    use super::*;

    #[test]
    fn numbers_wrap_from_1023_to_0() {
        let mut arrivals = ReceiveWindow { ack: 1022, any: false };
        let fits = [1023, 0, 1023, 1, 3].map(|sequence| arrivals.take(sequence));
        assert_eq!(fits, [SeqCheck::New, SeqCheck::New, SeqCheck::Old, SeqCheck::New, SeqCheck::Gap]);
        assert_eq!(arrivals.ack, 1);
    }

    #[test]
    fn the_backroom_is_the_last_number_and_512_before_it() {
        for ack in [0, 100, 511, 512, 1023] {
            let before = |count: u16| (ack + SEQUENCE_SPACE - count) % SEQUENCE_SPACE;
            assert!(in_backroom(before(0), ack) && in_backroom(before(512), ack));
            assert!(!in_backroom(before(513), ack) && !in_backroom(next(ack), ack));
        }
    }

    #[test]
    fn t8_acknowledgements_go_forward_and_not_beyond_what_was_sent() {
        assert!([5, 6, 9].iter().all(|&ack| may_acknowledge(5, 9, ack)));
        assert!(![4, 10, 0, 1023].iter().any(|&ack| may_acknowledge(5, 9, ack)));
        assert!([1020, 1023, 0, 3].iter().all(|&ack| may_acknowledge(1020, 3, ack)));
        assert!(![1019, 4, 500].iter().any(|&ack| may_acknowledge(1020, 3, ack)));
        assert!(may_acknowledge(7, 7, 7) && !may_acknowledge(7, 7, 8));
    }

    #[test]
    fn the_first_number_can_be_taken_as_given() {
        let mut arrivals = ReceiveWindow { ack: 0, any: true };
        assert_eq!(
            [38, 39, 38].map(|sequence| arrivals.take(sequence)),
            [SeqCheck::New, SeqCheck::New, SeqCheck::Old]
        );
    }
}
