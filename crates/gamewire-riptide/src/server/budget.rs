use core::time::Duration;

use gamewire_machine::Instant;

use super::RelayBudget;

/// What may be taken at once after a rest: as much as in a second.
const BURST: Duration = Duration::from_secs(1);

/// What one client has used of its [`RelayBudget`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RelayLimiter {
    messages: TokenBucket,
    bytes: TokenBucket,
}

impl RelayLimiter {
    /// Takes one message that makes so many bytes for all its receivers together; whether there
    /// was enough.
    pub(super) fn take(&mut self, now: Instant, bytes: usize, budget: &RelayBudget) -> bool {
        if self.messages.is_empty(now) || self.bytes.is_empty(now) {
            return false;
        }
        self.messages.take(now, 1, budget.messages_per_second);
        self.bytes.take(now, u64::try_from(bytes).unwrap_or(u64::MAX), budget.bytes_per_second);
        true
    }
}

/// Something that fills with time. It keeps when it is full again, so that nothing is to be done
/// while it fills.
#[derive(Clone, Copy, Debug, Default)]
struct TokenBucket {
    full_at: Instant,
}

impl TokenBucket {
    fn is_empty(self, now: Instant) -> bool {
        self.full_at.since(now) >= BURST
    }

    /// Takes an amount, which may be more than there is left.
    fn take(&mut self, now: Instant, amount: u64, per_second: u32) {
        let micros = u128::from(amount).saturating_mul(1_000_000).checked_div(per_second.into());
        let micros = micros.and_then(|micros| u64::try_from(micros).ok()).unwrap_or(u64::MAX);
        self.full_at = self.full_at.max(now) + Duration::from_micros(micros);
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests {
    use super::*;

    const fn at(millis: u64) -> Instant {
        Instant::from_micros(millis * 1_000)
    }

    #[test]
    fn as_many_messages_as_in_a_second_go_at_once_then_only_as_time_passes() {
        let limit = RelayBudget { messages_per_second: 10, bytes_per_second: 1_000_000 };
        let mut budget = RelayLimiter::default();
        let mut taken = |now| (0..50).filter(|_| budget.take(now, 10, &limit)).count();
        assert_eq!([taken(at(5_000)), taken(at(5_000)), taken(at(5_300)), taken(at(60_000))], [10, 0, 3, 10]);
    }

    #[test]
    fn a_message_for_many_uses_up_the_bytes() {
        let limit = RelayBudget { messages_per_second: 1_000, bytes_per_second: 1_000 };
        let mut budget = RelayLimiter::default();
        assert!(budget.take(at(0), 5_000, &limit), "a single one goes, however large");
        assert!(!budget.take(at(4_000), 1, &limit), "and is paid for");
        assert!(budget.take(at(4_001), 1, &limit));
    }

    #[test]
    fn nothing_a_second_is_one_message_for_ever() {
        let limit = RelayBudget { messages_per_second: 0, bytes_per_second: 0 };
        let mut budget = RelayLimiter::default();
        assert!(budget.take(at(0), 1, &limit));
        assert!(!budget.take(at(1_000_000_000), 1, &limit));
    }
}
