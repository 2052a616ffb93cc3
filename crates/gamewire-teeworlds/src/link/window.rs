//! Sequence numbers, which count modulo 1024.

use crate::shared::packet::SEQUENCE_SPACE;

/// Number of sequence numbers up to the last one that count as old.
const BACKROOM: u16 = SEQUENCE_SPACE / 2;
/// Maximum number of unacknowledged messages. With one more, the newest would look like an old one.
pub(super) const MAX_OUTSTANDING: usize = BACKROOM as usize - 1;

/// Returns the number after `sequence`.
pub(super) const fn next(sequence: u16) -> u16 {
    sequence.wrapping_add(1) % SEQUENCE_SPACE
}

/// Returns the number of steps from `earlier` to `later`.
const fn distance(earlier: u16, later: u16) -> u16 {
    later.wrapping_sub(earlier) % SEQUENCE_SPACE
}

/// Returns whether a peer that acknowledged `ack` has received `sequence`: it is `ack` or one of the 512 numbers before
/// it.
pub(super) const fn in_backroom(sequence: u16, ack: u16) -> bool {
    distance(sequence, ack) <= BACKROOM
}

/// Returns whether the ack after `before` may be `ack`, if `sent` is the last sent number.
pub(super) const fn may_acknowledge(before: u16, sent: u16, ack: u16) -> bool {
    distance(before, ack) <= distance(before, sent)
}

/// The position in the vital messages of the peer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ReceiveWindow {
    /// The last number that arrived in order, which we acknowledge.
    pub(crate) ack: u16,
    /// The next number is accepted, whatever it is.
    pub(crate) accepts_any: bool,
}

/// The result of a check of a sequence number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SeqCheck {
    /// The next message.
    New,
    /// A message that was received before.
    Old,
    /// A message before this one is missing.
    Gap,
}

impl ReceiveWindow {
    /// Checks the number of a received vital message, and moves on if it is new.
    pub(crate) const fn check(&mut self, sequence: u16) -> SeqCheck {
        if self.accepts_any || sequence == next(self.ack) {
            *self = Self { ack: sequence, accepts_any: false };
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
        let mut window = ReceiveWindow { ack: 1022, accepts_any: false };
        let fits = [1023, 0, 1023, 1, 3].map(|sequence| window.check(sequence));
        assert_eq!(fits, [SeqCheck::New, SeqCheck::New, SeqCheck::Old, SeqCheck::New, SeqCheck::Gap]);
        assert_eq!(window.ack, 1);
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
    fn the_first_number_can_be_accepted_whatever_it_is() {
        let mut window = ReceiveWindow { ack: 0, accepts_any: true };
        assert_eq!(
            [38, 39, 38].map(|sequence| window.check(sequence)),
            [SeqCheck::New, SeqCheck::New, SeqCheck::Old]
        );
    }
}
