use core::time::Duration;

use gamewire_machine::Instant;

const SECOND: Duration = Duration::from_secs(1);

/// Limits the bytes per second that the chunks of a peer inflate to.
#[derive(Clone, Copy, Debug)]
pub(super) struct InflateLimiter {
    limit: u64,
    /// Start of the current second.
    since: Instant,
    /// Total bytes at the start of the current second.
    before: u64,
    /// Total bytes at the last check.
    last: u64,
}

impl InflateLimiter {
    /// Creates a limiter that allows `limit` bytes per second.
    pub(super) const fn new(limit: u64, now: Instant) -> Self {
        Self { limit, since: now, before: 0, last: 0 }
    }

    /// Returns the limit if it is exceeded. `total` is the number of bytes that all chunks up to now inflated to.
    pub(super) fn exceeded(&mut self, now: Instant, total: u64) -> Option<u64> {
        if now.since(self.since) >= SECOND {
            (self.since, self.before) = (now, self.last);
        }
        self.last = total;
        (total.saturating_sub(self.before) > self.limit).then_some(self.limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_holds_for_each_second() {
        let at = |millis: u64| Instant::from_micros(millis.saturating_mul(1000));
        let mut limiter = InflateLimiter::new(1000, at(0));
        assert_eq!(limiter.exceeded(at(10), 900), None);
        assert_eq!(limiter.exceeded(at(1_010), 1_000), None);
        assert_eq!(limiter.exceeded(at(1_020), 1_900), None);
        assert_eq!(limiter.exceeded(at(2_000), 1_901), Some(1000));
        assert_eq!(InflateLimiter::new(10, at(0)).exceeded(at(5_000), 11), Some(10));
    }
}
