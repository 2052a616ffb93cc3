use crate::shared::snapshot::MAX_ITEMS;

const WORD: usize = u64::BITS as usize;

/// A set of items of a frame, by their index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bits([u64; MAX_ITEMS / WORD]);

impl Bits {
    /// Returns the set of the first `count` items.
    pub(super) fn first(count: usize) -> Self {
        let mut bits = Self::default();
        for (word, start) in bits.0.iter_mut().zip((0..).step_by(WORD)) {
            let ones = u32::try_from(count.saturating_sub(start)).unwrap_or(u32::MAX);
            *word = u64::MAX.checked_shr(u64::BITS.saturating_sub(ones)).unwrap_or(0);
        }
        bits
    }

    pub(super) fn contains(&self, at: usize) -> bool {
        self.0.get(at / WORD).is_some_and(|word| word & mask(at) != 0)
    }

    pub(super) fn insert(&mut self, at: usize) {
        if let Some(word) = self.0.get_mut(at / WORD) {
            *word |= mask(at);
        }
    }

    pub(super) fn remove(&mut self, at: usize) {
        if let Some(word) = self.0.get_mut(at / WORD) {
            *word &= !mask(at);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0 == [0; MAX_ITEMS / WORD]
    }

    /// Returns the items that are in both sets.
    #[must_use]
    pub(super) fn and(&self, other: &Self) -> Self {
        self.combine(other, |one, other| one & other)
    }

    /// Returns the items that are in either set.
    #[must_use]
    pub(super) fn or(&self, other: &Self) -> Self {
        self.combine(other, |one, other| one | other)
    }

    /// Returns the items that are not in the other set.
    #[must_use]
    pub(super) fn without(&self, other: &Self) -> Self {
        self.combine(other, |one, other| one & !other)
    }

    fn combine(mut self, other: &Self, combine: impl Fn(u64, u64) -> u64) -> Self {
        for (word, other) in self.0.iter_mut().zip(other.0) {
            *word = combine(*word, other);
        }
        self
    }

    /// Returns the items in their order.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        self.0.into_iter().zip((0_usize..).step_by(WORD)).flat_map(|(mut word, start)| {
            core::iter::from_fn(move || {
                let bit = word.trailing_zeros();
                // Clears the lowest bit.
                word &= word.checked_sub(1)?;
                Some(start | bit as usize)
            })
        })
    }
}

const fn mask(at: usize) -> u64 {
    1 << (at % WORD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_the_items_that_were_put_into_it() {
        for count in [0, 1, 63, 64, 65, 1023, 1024] {
            let bits = Bits::first(count);
            assert!(bits.iter().eq(0..count), "{count}");
            assert_eq!((bits.contains(count), bits.is_empty()), (false, count == 0));
        }
        let mut bits = Bits::default();
        [1000, 3, 64].into_iter().for_each(|at| bits.insert(at));
        assert!(bits.iter().eq([3, 64, 1000]));
        bits.remove(64);
        assert!(bits.iter().eq([3, 1000]) && bits.without(&Bits::first(4)).iter().eq([1000]));
        assert!(bits.and(&Bits::first(4)).iter().eq([3]));
        assert!(bits.or(&Bits::first(2)).iter().eq([0, 1, 3, 1000]));
    }
}
