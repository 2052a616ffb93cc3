use core::ops::{Add, Sub};
use core::time::Duration;

/// A point in time: microseconds since an origin that the caller chose.
///
/// There is no `now()`: the caller owns the clock. Arithmetic saturates, so that no time makes a machine panic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(u64);

impl Instant {
    /// The origin.
    pub const ZERO: Self = Self(0);

    /// Returns the time `micros` microseconds after the origin.
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros)
    }

    /// Returns the microseconds since the origin.
    #[must_use]
    pub const fn as_micros(self) -> u64 {
        self.0
    }

    /// Returns the time from `earlier` to `self`, or zero if `earlier` is later.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(self.0.saturating_sub(earlier.0))
    }
}

impl Add<Duration> for Instant {
    type Output = Self;

    #[inline]
    fn add(self, span: Duration) -> Self {
        // Avoid the 128-bit arithmetic of `as_micros`.
        let micros = span.as_secs().saturating_mul(1_000_000).saturating_add(span.subsec_micros().into());
        Self(self.0.saturating_add(micros))
    }
}

impl Sub for Instant {
    type Output = Duration;

    fn sub(self, earlier: Self) -> Duration {
        self.since(earlier)
    }
}

/// The clock of a machine. It never goes back, even if the caller's clock does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    now: Instant,
}

impl Clock {
    /// Creates a clock with the time `now`.
    pub const fn new(now: Instant) -> Self {
        Self { now }
    }

    /// Advances the clock to `now` and returns its time. An earlier `now` is ignored.
    #[inline]
    pub fn advance(&mut self, now: Instant) -> Instant {
        self.now = self.now.max(now);
        self.now
    }

    /// Returns the time of the last [`advance`](Self::advance). Commands run at this time, because they do not take the
    /// time as an argument.
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
    fn arithmetic_saturates_at_both_ends() {
        let (early, late) = (Instant::from_micros(5), Instant::from_micros(u64::MAX));
        assert_eq!(early - late, Duration::ZERO);
        assert_eq!(late + Duration::from_secs(1), late);
        assert_eq!(early + Duration::from_micros(2), Instant::from_micros(7));
    }

    #[test]
    fn an_earlier_time_is_ignored() {
        let mut clock = Clock::new(Instant::from_micros(5));
        assert_eq!(clock.advance(Instant::from_micros(9)), Instant::from_micros(9));
        assert_eq!(clock.advance(Instant::from_micros(3)), Instant::from_micros(9));
        assert_eq!(clock.now(), Instant::from_micros(9));
    }
}
