use core::fmt;
use core::hash::Hash;

/// What packets of one type are remembered by.
pub trait Key: Copy + Eq + Hash + fmt::Debug {
    /// Whether there is only one.
    const IS_ONE: bool = false;

    /// The key that a packet cancels whose first field has this value.
    fn cancelled(first: i64) -> Self;

    /// A small number that no other key has, for those that have one.
    fn small(self) -> Option<usize>;
}

/// Below it numbers are small.
const SMALL: usize = 1 << 16;

/// Of packets without key, of which one is remembered.
impl Key for () {
    const IS_ONE: bool = true;

    #[inline(always)]
    fn cancelled(_: i64) -> Self {}

    #[inline(always)]
    fn small(self) -> Option<usize> {
        Some(0)
    }
}

impl Key for i64 {
    #[inline(always)]
    fn cancelled(first: i64) -> Self {
        first
    }

    #[inline(always)]
    fn small(self) -> Option<usize> {
        usize::try_from(self).ok().filter(|key| *key < SMALL)
    }
}

impl<const N: usize> Key for [i64; N] {
    fn cancelled(first: i64) -> Self {
        let mut key = [0; N];
        if let Some(part) = key.first_mut() {
            *part = first;
        }
        key
    }

    fn small(self) -> Option<usize> {
        match self.as_slice() {
            [one] => one.small(),
            _ => None,
        }
    }
}

/// The keys of a packet whose keys depend on capabilities: those that are there, one behind the other.
#[derive(Clone, Copy, Debug)]
pub struct KeyParts<const N: usize> {
    parts: [i64; N],
    count: usize,
}

impl<const N: usize> KeyParts<N> {
    /// No key yet.
    pub const NONE: Self = Self { parts: [0; N], count: 0 };

    /// Adds a key.
    #[inline(always)]
    pub fn push(&mut self, part: i64) {
        if let Some(place) = self.parts.get_mut(self.count) {
            *place = part;
        }
        self.count = self.count.saturating_add(1);
    }

    /// All of them.
    #[inline(always)]
    #[must_use]
    pub const fn get(self) -> [i64; N] {
        self.parts
    }
}
