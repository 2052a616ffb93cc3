use core::time::Duration;

use gamewire_machine::Instant;

/// A rate limiter for new clients, with a burst.
#[derive(Clone, Copy, Debug)]
pub(super) struct NewClients {
    burst: u32,
    per_second: u32,
    tokens: u32,
    /// Time up to which tokens have been added.
    filled_at: Instant,
}

impl NewClients {
    pub(super) const fn new(burst: u32, per_second: u32) -> Self {
        Self { burst, per_second, tokens: burst, filled_at: Instant::ZERO }
    }

    /// Takes a token. Returns whether another client may be accepted.
    pub(super) fn accept(&mut self, now: Instant) -> bool {
        let elapsed = now.since(self.filled_at).as_millis();
        let more = elapsed.saturating_mul(u128::from(self.per_second)) / 1_000;
        if more > 0 {
            let more = u32::try_from(more).unwrap_or(u32::MAX);
            self.tokens = self.tokens.saturating_add(more).min(self.burst);
            // The rest of the elapsed time counts at the next call.
            let used = Duration::from_secs(more.into()).checked_div(self.per_second).unwrap_or_default();
            self.filled_at = (self.filled_at + used).min(now);
            if self.tokens == self.burst {
                self.filled_at = now;
            }
        }
        let accepted = self.tokens.checked_sub(1);
        self.tokens = accepted.unwrap_or(0);
        accepted.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_accepted_and_then_a_rate() {
        let mut new = NewClients::new(10, 4);
        let at = |millis: u64| Instant::from_micros(millis.saturating_mul(1_000));
        let accepted = |new: &mut NewClients, millis| (0..20).filter(|_| new.accept(at(millis))).count();
        assert_eq!(accepted(&mut new, 1_000), 10);
        assert_eq!(accepted(&mut new, 1_200), 0);
        assert_eq!(accepted(&mut new, 2_000), 4);
        assert_eq!(accepted(&mut new, 60_000), 10, "no more than the burst is saved up");
    }
}
