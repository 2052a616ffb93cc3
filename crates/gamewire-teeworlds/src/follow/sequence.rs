use crate::shared::packet::SEQUENCE_SPACE;

/// Watches the vital sequence numbers of one sender.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sequence {
    last: Option<u16>,
}

/// How a vital chunk fits those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SeqCheck {
    /// It is the next one, or the first that was seen.
    Next,
    /// It was seen before, as resent chunks are.
    Repeated,
    /// Others before it were not seen.
    Gap,
}

impl Sequence {
    /// Takes the number of the next vital chunk.
    pub(super) fn take(&mut self, sequence: u16) -> SeqCheck {
        let Some(last) = self.last else {
            self.last = Some(sequence);
            return SeqCheck::Next;
        };
        let ahead = sequence.wrapping_sub(last) % SEQUENCE_SPACE;
        match ahead {
            1 => {
                self.last = Some(sequence);
                SeqCheck::Next
            }
            // The games' "backroom": the last number and the 512 before it.
            0 | 512.. => SeqCheck::Repeated,
            _ => {
                self.last = Some(sequence);
                SeqCheck::Gap
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests {
    use super::*;

    #[test]
    fn numbers_wrap_at_1024() {
        let mut sequence = Sequence::default();
        assert_eq!(sequence.take(1023), SeqCheck::Next);
        assert_eq!(sequence.take(0), SeqCheck::Next);
        assert_eq!(sequence.take(1023), SeqCheck::Repeated);
        assert_eq!(sequence.take(1), SeqCheck::Next);
    }

    #[test]
    fn the_number_512_before_the_last_one_is_old_as_in_the_games_and_the_next_older_one_is_ahead() {
        for last in [0_u16, 511, 512, 1023] {
            let before = |count: u16| (last + SEQUENCE_SPACE - count) % SEQUENCE_SPACE;
            let fit = |number| {
                let mut sequence = Sequence::default();
                sequence.take(last);
                sequence.take(number)
            };
            assert_eq!([before(0), before(1), before(512)].map(fit), [SeqCheck::Repeated; 3], "{last}");
            assert_eq!(fit(before(513)), SeqCheck::Gap, "{last}");
        }
    }

    #[test]
    fn a_gap_is_told_once_and_what_fills_it_is_not_new() {
        let mut sequence = Sequence::default();
        assert_eq!(
            [5, 8, 6, 9].map(|number| sequence.take(number)),
            [SeqCheck::Next, SeqCheck::Gap, SeqCheck::Repeated, SeqCheck::Next]
        );
    }
}
