/// Watches the sequence numbers of one sender.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sequence {
    newest: Option<Newest>,
}

#[derive(Clone, Copy, Debug)]
struct Newest {
    id: u16,
    /// Which of the 64 ids before it were seen, the latest of them in the lowest bit.
    before: u64,
}

/// How a numbered message fits those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SeqCheck {
    /// It is the next one, the first that was seen, or one that was missing.
    New,
    /// It was seen before, or is so old that its receiver takes it for that.
    Repeated,
    /// Others before it were not seen.
    Gap,
}

impl Sequence {
    /// Takes the number of a message.
    pub(super) fn take(&mut self, id: u16) -> SeqCheck {
        let Some(newest) = &mut self.newest else {
            self.newest = Some(Newest { id, before: 0 });
            return SeqCheck::New;
        };
        let gap = id.wrapping_sub(newest.id).cast_signed();
        if let Some(back) = u32::from(gap.unsigned_abs()).checked_sub(1).filter(|_| gap < 0) {
            let bit = 1_u64.checked_shl(back).unwrap_or(0);
            if newest.before & bit != 0 || bit == 0 {
                return SeqCheck::Repeated;
            }
            newest.before |= bit;
            return SeqCheck::New;
        }
        let Some(back) = u32::from(gap.unsigned_abs()).checked_sub(1) else { return SeqCheck::Repeated };
        let older = newest.before.checked_shl(back.saturating_add(1)).unwrap_or(0);
        *newest = Newest { id, before: older | 1_u64.checked_shl(back).unwrap_or(0) };
        if back == 0 { SeqCheck::New } else { SeqCheck::Gap }
    }

    /// Whether `id` comes after all that were seen; `None` when none was.
    pub(super) fn is_ahead(&self, id: u16) -> Option<bool> {
        self.newest.map(|newest| id.wrapping_sub(newest.id).cast_signed() > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits<const N: usize>(ids: [u16; N]) -> [SeqCheck; N] {
        let mut sequence = Sequence::default();
        ids.map(|id| sequence.take(id))
    }

    #[test]
    fn numbers_wrap_at_65536() {
        assert_eq!(
            fits([65_535, 0, 65_535, 1]),
            [SeqCheck::New, SeqCheck::New, SeqCheck::Repeated, SeqCheck::New]
        );
    }

    #[test]
    fn what_fills_a_gap_is_new_once() {
        assert_eq!(
            fits([5, 8, 6, 6, 8, 9]),
            [
                SeqCheck::New,
                SeqCheck::Gap,
                SeqCheck::New,
                SeqCheck::Repeated,
                SeqCheck::Repeated,
                SeqCheck::New
            ]
        );
    }

    #[test]
    fn what_is_far_behind_counts_as_repeated_and_a_leap_forgets_what_was_seen() {
        assert_eq!(fits([100, 35, 36]), [SeqCheck::New, SeqCheck::Repeated, SeqCheck::New]);
        assert_eq!(fits([1, 2, 1000, 990]), [SeqCheck::New, SeqCheck::New, SeqCheck::Gap, SeqCheck::New]);
    }

    #[test]
    fn only_numbers_behind_the_newest_are_known_to_be_sent() {
        let mut sequence = Sequence::default();
        assert_eq!(sequence.is_ahead(1), None);
        sequence.take(65_535);
        assert_eq!(
            [65_535, 0, 65_000].map(|id| sequence.is_ahead(id)),
            [Some(false), Some(true), Some(false)]
        );
    }
}
