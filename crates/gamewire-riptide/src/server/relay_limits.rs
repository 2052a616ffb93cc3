//! The messages that a server relays, and how many.

use core::time::Duration;

use gamewire_machine::Instant;

const IDS: usize = 1 << 16;
const WORDS: usize = IDS / 64;
/// The part of a budget that is available immediately after a pause.
const BURST: Duration = Duration::from_secs(1);

/// The ids of the messages that the server relays to all other clients instead of emitting them as events
/// (`MessageRelayFilter`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RelayFilter {
    /// One bit for each id; empty until the first id is enabled.
    words: Vec<u64>,
}

impl RelayFilter {
    /// Creates a filter that relays no messages.
    pub const fn new() -> Self {
        Self { words: Vec::new() }
    }

    /// Enables the relay of messages with this id (`EnableRelay`).
    pub fn enable_relay(&mut self, id: impl Into<u16>) {
        if self.words.is_empty() {
            self.words.resize(WORDS, 0);
        }
        let (word, bit) = word_and_bit(id.into());
        if let Some(word) = self.words.get_mut(word) {
            *word |= bit;
        }
    }

    /// Disables the relay of messages with this id (`DisableRelay`).
    pub fn disable_relay(&mut self, id: impl Into<u16>) {
        let (word, bit) = word_and_bit(id.into());
        if let Some(word) = self.words.get_mut(word) {
            *word &= !bit;
        }
    }

    /// Returns whether an id was ever enabled.
    pub(super) const fn is_used(&self) -> bool {
        !self.words.is_empty()
    }

    /// Returns whether messages with this id are relayed (`ShouldRelay`).
    pub fn should_relay(&self, id: impl Into<u16>) -> bool {
        let (word, bit) = word_and_bit(id.into());
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }
}

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

/// Rate limit of one client's relayed messages. A pause allows a burst of one second.
///
/// Above the limit, the server drops unreliable and notify messages of the client, and does not acknowledge its
/// reliable messages. The client resends those, so no reliable message is lost silently. A client with the rules of the C#
/// library that stays above the limit closes the connection (`PoorConnection`), as on a network that is too slow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RelayBudget {
    /// Messages of the client per second. Default: 10,000; rooms with many receivers reach the limit of bytes first.
    pub messages_per_second: u32,
    /// Bytes per second for all receivers together; each packet counts 32 bytes in addition to its payload.
    /// Default: 8 MiB.
    pub bytes_per_second: u32,
}

impl Default for RelayBudget {
    fn default() -> Self {
        Self { messages_per_second: 10_000, bytes_per_second: 8 << 20 }
    }
}

/// The rate limiter of one client's relayed messages.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RelayLimiter {
    messages: TokenBucket,
    bytes: TokenBucket,
}

impl RelayLimiter {
    /// Returns whether the budget is used up.
    pub(super) fn is_exhausted(&self, now: Instant) -> bool {
        self.messages.is_empty(now) || self.bytes.is_empty(now)
    }

    /// Takes one message, of `bytes` for all receivers together, from the budget.
    pub(super) fn acquire(&mut self, now: Instant, bytes: usize, budget: &RelayBudget) {
        self.messages.take(now, 1, budget.messages_per_second);
        self.bytes.take(now, u64::try_from(bytes).unwrap_or(u64::MAX), budget.bytes_per_second);
    }
}

/// A token bucket, stored as the time at which it is full again (GCRA).
#[derive(Clone, Copy, Debug, Default)]
struct TokenBucket {
    full_at: Instant,
}

impl TokenBucket {
    fn is_empty(self, now: Instant) -> bool {
        self.full_at.since(now) >= BURST
    }

    /// Takes an amount, which may exceed the remaining tokens.
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

    #[test]
    fn exactly_the_ids_that_are_set_are_relayed() {
        let mut filter: RelayFilter = [0_u16, 63, 64, 65_535].into_iter().collect();
        filter.disable_relay(63_u16);
        let relayed: Vec<u16> = (0..=u16::MAX).filter(|id| filter.should_relay(*id)).collect();
        assert_eq!(relayed, [0, 64, 65_535]);
    }

    #[test]
    fn an_unset_relay_filter_allocates_nothing() {
        let mut filter = RelayFilter::new();
        filter.disable_relay(7_u8);
        assert!(!filter.should_relay(u16::MAX));
        assert_eq!(filter.words.capacity(), 0);
    }

    fn try_acquire(limiter: &mut RelayLimiter, now: Instant, bytes: usize, budget: &RelayBudget) -> bool {
        let is_allowed = !limiter.is_exhausted(now);
        if is_allowed {
            limiter.acquire(now, bytes, budget);
        }
        is_allowed
    }

    const fn at(millis: u64) -> Instant {
        Instant::from_micros(millis * 1_000)
    }

    #[test]
    fn a_burst_is_one_second_of_messages() {
        let budget = RelayBudget { messages_per_second: 10, bytes_per_second: 1_000_000 };
        let mut limiter = RelayLimiter::default();
        let mut taken = |now| (0..50).filter(|_| try_acquire(&mut limiter, now, 10, &budget)).count();
        assert_eq!([taken(at(5_000)), taken(at(5_000)), taken(at(5_300)), taken(at(60_000))], [10, 0, 3, 10]);
    }

    #[test]
    fn a_message_to_many_clients_uses_up_the_bytes() {
        let budget = RelayBudget { messages_per_second: 1_000, bytes_per_second: 1_000 };
        let mut limiter = RelayLimiter::default();
        assert!(
            try_acquire(&mut limiter, at(0), 5_000, &budget),
            "a single message is allowed, whatever its size"
        );
        assert!(!try_acquire(&mut limiter, at(4_000), 1, &budget), "the next one waits");
        assert!(try_acquire(&mut limiter, at(4_001), 1, &budget));
    }

    #[test]
    fn a_budget_of_zero_allows_one_message() {
        let budget = RelayBudget { messages_per_second: 0, bytes_per_second: 0 };
        let mut limiter = RelayLimiter::default();
        assert!(try_acquire(&mut limiter, at(0), 1, &budget));
        assert!(!try_acquire(&mut limiter, at(1_000_000_000), 1, &budget));
    }
}
