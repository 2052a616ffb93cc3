use core::time::Duration;

use gamewire_machine::Instant;

const SECOND: Duration = Duration::from_secs(1);

/// Watches how many bytes the chunks of a peer inflate to within a second.
#[derive(Clone, Copy, Debug)]
pub(super) struct InflateLimiter {
    limit: u64,
    /// When the second at hand began, and how many bytes there were by then.
    since: Instant,
    before: u64,
    /// How many there were when it was last asked.
    last: u64,
}

impl InflateLimiter {
    pub(super) const fn new(limit: u64, now: Instant) -> Self {
        Self { limit, since: now, before: 0, last: 0 }
    }

    /// Whether it is too much, given what all chunks so far inflated to.
    pub(super) fn is_exceeded(&mut self, now: Instant, inflated: u64) -> bool {
        // A clock that went back begins anew.
        if now < self.since || now.since(self.since) >= SECOND {
            (self.since, self.before) = (now, self.last);
        }
        self.last = inflated;
        inflated.saturating_sub(self.before) > self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_much_may_come_in_a_second_and_again_in_the_next() {
        let at = |millis: u64| Instant::from_micros(millis.saturating_mul(1000));
        let mut inflation = InflateLimiter::new(1000, at(0));
        assert!(!inflation.is_exceeded(at(10), 900));
        assert!(!inflation.is_exceeded(at(1_010), 1_000));
        assert!(!inflation.is_exceeded(at(1_020), 1_900));
        assert!(inflation.is_exceeded(at(2_000), 1_901));
        assert!(InflateLimiter::new(10, at(0)).is_exceeded(at(5_000), 11));
    }
}
