/// How many message ids there are.
const IDS: usize = 1 << 16;
const WORDS: usize = IDS / 64;

/// Which messages of clients the server passes on to all other clients instead of handing them to
/// its application (`MessageRelayFilter`); none at first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RelayFilter {
    /// A bit for each id; none at all as long as none is set.
    words: Vec<u64>,
}

impl RelayFilter {
    /// One that relays nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self { words: Vec::new() }
    }

    /// From now on messages with this id are relayed (`EnableRelay`).
    pub fn enable_relay(&mut self, id: impl Into<u16>) {
        if self.words.is_empty() {
            self.words.resize(WORDS, 0);
        }
        let (word, bit) = word_and_bit(id.into());
        if let Some(word) = self.words.get_mut(word) {
            *word |= bit;
        }
    }

    /// From now on messages with this id are handed to the application (`DisableRelay`).
    pub fn disable_relay(&mut self, id: impl Into<u16>) {
        let (word, bit) = word_and_bit(id.into());
        if let Some(word) = self.words.get_mut(word) {
            *word &= !bit;
        }
    }

    /// Whether there may be any that are relayed.
    pub(super) const fn is_used(&self) -> bool {
        !self.words.is_empty()
    }

    /// Whether messages with this id are relayed (`ShouldRelay`).
    #[must_use]
    #[inline]
    pub fn should_relay(&self, id: impl Into<u16>) -> bool {
        let (word, bit) = word_and_bit(id.into());
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }
}

/// The word and the bit in it of an id.
fn word_and_bit(id: u16) -> (usize, u64) {
    (usize::from(id / 64), 1_u64.wrapping_shl(u32::from(id % 64)))
}

impl<I: Into<u16>> FromIterator<I> for RelayFilter {
    fn from_iter<T: IntoIterator<Item = I>>(ids: T) -> Self {
        let mut filter = Self::new();
        ids.into_iter().for_each(|id| filter.enable_relay(id));
        filter
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_the_ids_that_are_set_are_relayed() {
        let mut filter: RelayFilter = [0_u16, 63, 64, 65_535].into_iter().collect();
        filter.disable_relay(63_u16);
        let relayed: Vec<u16> = (0..=u16::MAX).filter(|id| filter.should_relay(*id)).collect();
        assert_eq!(relayed, [0, 64, 65_535]);
    }

    #[test]
    fn one_that_was_never_set_holds_nothing() {
        let mut filter = RelayFilter::new();
        filter.disable_relay(7_u8);
        assert!(!filter.should_relay(u16::MAX));
        assert_eq!(filter.words.capacity(), 0);
    }
}
