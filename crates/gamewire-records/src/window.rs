/// Number of counters that the window remembers.
pub(crate) const WINDOW: u64 = 1024;
const WORDS: usize = 16;

/// The counters of received records: each is accepted once, in any order, if it is within [`WINDOW`] of the highest one.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReplayWindow {
    /// The highest counter so far; `None` before the first record.
    highest: Option<u64>,
    /// One bit for each counter, at its value modulo [`WINDOW`].
    seen: [u64; WORDS],
}

impl ReplayWindow {
    /// Returns whether a counter is new.
    pub(crate) fn is_new(&self, counter: u64) -> bool {
        match self.highest {
            Some(highest) if counter <= highest => {
                highest.saturating_sub(counter) < WINDOW && self.word(counter) & bit(counter) == 0
            }
            _ => true,
        }
    }

    /// Returns whether a counter is higher than all before.
    pub(crate) fn is_highest(&self, counter: u64) -> bool {
        self.highest.is_none_or(|highest| counter > highest)
    }

    /// Marks a new counter as received.
    pub(crate) fn mark(&mut self, counter: u64) {
        let first = self.highest.map_or(0, |highest| highest.saturating_add(1));
        if counter.saturating_sub(first) >= WINDOW {
            self.seen = [0; WORDS];
        } else {
            for skipped in first..=counter {
                self.set(skipped, false);
            }
        }
        self.set(counter, true);
        self.highest = self.highest.max(Some(counter));
    }

    fn word(&self, counter: u64) -> u64 {
        self.seen.get(index(counter)).copied().unwrap_or(u64::MAX)
    }

    fn set(&mut self, counter: u64, is_seen: bool) {
        if let Some(word) = self.seen.get_mut(index(counter)) {
            *word = if is_seen { *word | bit(counter) } else { *word & !bit(counter) };
        }
    }
}

const fn bit(counter: u64) -> u64 {
    1 << (counter % 64)
}

fn index(counter: u64) -> usize {
    usize::try_from(counter % WINDOW / 64).unwrap_or(usize::MAX)
}
