use crate::Instant;

/// The time of a machine. It never goes back, whatever the caller's clock does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    now: Instant,
}

impl Clock {
    /// Creates a clock that shows `now`.
    #[must_use]
    pub const fn new(now: Instant) -> Self {
        Self { now }
    }

    /// Moves the clock to `now` and returns the time that it shows then. An earlier `now` is ignored.
    #[inline]
    pub fn advance(&mut self, now: Instant) -> Instant {
        self.now = self.now.max(now);
        self.now
    }

    /// Returns the time of the last [`advance`](Self::advance): commands, which take no time, run at it.
    #[inline]
    #[must_use]
    pub const fn now(self) -> Instant {
        self.now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_earlier_time_is_ignored() {
        let mut clock = Clock::new(Instant::from_micros(5));
        assert_eq!(clock.advance(Instant::from_micros(9)), Instant::from_micros(9));
        assert_eq!(clock.advance(Instant::from_micros(3)), Instant::from_micros(9));
        assert_eq!(clock.now(), Instant::from_micros(9));
    }
}
