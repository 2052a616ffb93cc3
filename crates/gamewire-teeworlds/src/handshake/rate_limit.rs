//! Rate limits for unverified addresses, in constant memory.

use std::hash::{DefaultHasher, Hasher as _};
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use gamewire_machine::{Instant, limited_network};

use super::seeded_rng::SeededRng;

/// Number of buckets of a table. Every address prefix maps to one of them.
const BUCKETS: usize = 4096;

/// A rate: at most `burst` at the same time, and one more after each `interval`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Maximum number at the same time.
    pub burst: u32,
    /// Time after which one more is allowed.
    pub interval: Duration,
}

/// A token bucket of eight bytes.
///
/// It stores the time at which it will be full again, so it needs no timer.
#[derive(Clone, Copy, Debug, Default)]
pub struct TokenBucket {
    full_at: Instant,
}

impl TokenBucket {
    /// Takes a token out of the bucket. Returns `false` if it is empty.
    pub fn try_acquire(&mut self, now: Instant, rate: Rate) -> bool {
        let full_at = self.full_after_next(now, rate);
        if let Some(full_at) = full_at {
            self.full_at = full_at;
        }
        full_at.is_some()
    }

    /// Returns whether the bucket has a token, and leaves it there.
    pub fn has_token(&self, now: Instant, rate: Rate) -> bool {
        self.full_after_next(now, rate).is_some()
    }

    /// Returns the time at which the bucket is full again if a token is taken out now; `None` if it is empty.
    fn full_after_next(&self, now: Instant, rate: Rate) -> Option<Instant> {
        let depth = rate.interval.saturating_mul(rate.burst);
        let full_at = self.full_at.max(now) + rate.interval;
        (full_at - now <= depth).then_some(full_at)
    }
}

/// A [`TokenBucket`] for each address prefix: /24 of IPv4, because one sender can forge all of its addresses, and in IPv6 the network
/// of [`limited_network`].
///
/// The table has a constant size (32 KiB). Prefixes that map to the same bucket share it. The mapping depends on a
/// secret key.
#[derive(Clone)]
pub struct PrefixRateLimiter {
    rate: Rate,
    key: [u8; 16],
    buckets: Box<[TokenBucket]>,
}

impl PrefixRateLimiter {
    /// Creates full buckets and takes a key from `rng`.
    pub fn new(rate: Rate, rng: &mut SeededRng) -> Self {
        Self::with_buckets(BUCKETS, rate, rng)
    }

    /// Creates a table with `buckets` buckets. Verified addresses need fewer buckets than unverified ones.
    pub(crate) fn with_buckets(buckets: usize, rate: Rate, rng: &mut SeededRng) -> Self {
        Self { rate, key: rng.key(), buckets: vec![TokenBucket::default(); buckets].into_boxed_slice() }
    }

    /// Takes a token out of the bucket of `address`. Returns `false` if it is empty.
    pub fn try_acquire(&mut self, now: Instant, address: SocketAddr) -> bool {
        let index = self.index(address.ip());
        self.buckets.get_mut(index).is_some_and(|bucket| bucket.try_acquire(now, self.rate))
    }

    fn index(&self, ip: IpAddr) -> usize {
        let mut hasher = DefaultHasher::new();
        hasher.write(&self.key);
        match limited_network(ip) {
            IpAddr::V4(ip) => {
                let [a, b, c, _] = ip.octets();
                hasher.write(&[4, a, b, c]);
            }
            IpAddr::V6(network) => {
                hasher.write(&[6]);
                hasher.write(&network.octets());
            }
        }
        let buckets = u64::try_from(self.buckets.len()).unwrap_or(u64::MAX);
        let index = hasher.finish().checked_rem(buckets).unwrap_or_default();
        usize::try_from(index).unwrap_or_default()
    }

    /// Returns the heap memory in bytes.
    pub fn held_bytes(&self) -> usize {
        size_of_val::<[TokenBucket]>(&self.buckets)
    }
}

impl core::fmt::Debug for PrefixRateLimiter {
    /// Omits the key, which must not appear in a log, and the buckets.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("PrefixRateLimiter").field("rate", &self.rate).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: Rate = Rate { burst: 3, interval: Duration::from_secs(1) };

    fn at(seconds: u64) -> Instant {
        Instant::from_micros(seconds.saturating_mul(1_000_000))
    }

    fn limit() -> PrefixRateLimiter {
        PrefixRateLimiter::new(RATE, &mut SeededRng::new([5; 32]))
    }

    fn address(text: &str) -> SocketAddr {
        text.parse().unwrap()
    }

    #[test]
    fn a_bucket_allows_its_burst_and_then_its_rate() {
        let mut bucket = TokenBucket::default();
        let mut taken = |second| (0..5).filter(|_| bucket.try_acquire(at(second), RATE)).count();
        assert_eq!([taken(0), taken(0), taken(1), taken(3), taken(60)], [3, 0, 1, 2, 3]);
    }

    #[test]
    fn a_look_into_a_bucket_takes_nothing_out() {
        let mut bucket = TokenBucket::default();
        for left in [true, true, true, false] {
            assert_eq!([bucket.has_token(at(0), RATE), bucket.has_token(at(0), RATE)], [left; 2]);
            assert_eq!(bucket.try_acquire(at(0), RATE), left);
        }
    }

    #[test]
    fn a_clock_at_its_maximum_does_not_limit() {
        let mut bucket = TokenBucket::default();
        let end = Instant::from_micros(u64::MAX);
        assert!((0..10).all(|_| bucket.try_acquire(end, RATE)), "the bucket cannot measure time");
    }

    #[test]
    fn t4_the_addresses_of_a_prefix_share_a_bucket() {
        for (one, neighbor, stranger) in [
            ("10.0.0.1:1", "10.0.0.255:9", "10.0.1.1:1"),
            ("[2001:db8::1]:1", "[2001:db8:0:ff::1]:1", "[2001:db8:0:100::1]:1"),
            ("10.0.0.1:1", "[::ffff:10.0.0.77]:1", "[::10.0.0.1]:1"),
        ] {
            let mut limit = limit();
            assert_eq!((0..5).filter(|_| limit.try_acquire(at(0), address(one))).count(), 3);
            assert!(!limit.try_acquire(at(0), address(neighbor)), "{neighbor}");
            assert!(limit.try_acquire(at(0), address(stranger)), "{stranger}");
        }
    }

    #[test]
    fn t4_a_million_prefixes_use_no_more_memory_than_one() {
        let mut limit = limit();
        let before = limit.held_bytes();
        let taken = (0..1_000_000_u32)
            .filter(|number| limit.try_acquire(at(0), SocketAddr::from((number.to_be_bytes(), 1))))
            .count();
        assert_eq!(limit.held_bytes(), before);
        assert!(before <= 32 * 1024);
        assert!(taken <= BUCKETS * 3, "{taken}");
    }
}
