use core::fmt;

/// A count that stays at its maximum instead of overflowing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Counter(u64);

impl Counter {
    /// Adds one.
    #[inline]
    pub const fn increment(&mut self) {
        self.add(1);
    }

    /// Adds `count`.
    #[inline]
    pub const fn add(&mut self, count: u64) {
        self.0 = self.0.saturating_add(count);
    }

    /// Returns the count.
    #[inline]
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Counter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_stays_at_its_maximum() {
        let mut counter = Counter::default();
        counter.increment();
        assert_eq!(counter.get(), 1);
        counter.add(u64::MAX);
        assert_eq!(counter.to_string(), u64::MAX.to_string());
    }
}
