//! How often something may be done for a peer that has proved nothing, in constant memory.

use std::hash::{DefaultHasher, Hasher as _};
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use gamewire_machine::Instant;

use super::entropy::SeededRng;

/// Buckets of a table: every prefix of addresses falls into one of them.
const BUCKETS: usize = 4096;

/// `burst` at once, and one more each `every`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// How many are taken at once after a rest.
    pub burst: u32,
    /// After this time one more is taken.
    pub interval: Duration,
}

/// A token bucket that fills with time; eight bytes.
///
/// It keeps the time at which it would be full again, so that nothing is to be done while it
/// fills.
#[derive(Clone, Copy, Debug, Default)]
pub struct TokenBucket {
    full_at: Instant,
}

impl TokenBucket {
    /// Takes one out; whether there was one.
    pub fn take(&mut self, now: Instant, rate: Rate) -> bool {
        let depth = rate.interval.saturating_mul(rate.burst);
        let full_at = self.full_at.max(now) + rate.interval;
        let is_there = full_at - now <= depth;
        if is_there {
            self.full_at = full_at;
        }
        is_there
    }
}

/// A [`TokenBucket`] for each prefix of addresses: /24 of IPv4, /56 of IPv6, as one customer of a
/// provider may have.
///
/// The table has a constant size (32 KiB). Prefixes that fall into the same bucket share it; which
/// those are nobody knows who does not know the key.
#[derive(Clone)]
pub struct PrefixRateLimiter {
    rate: Rate,
    key: [u8; 16],
    buckets: Box<[TokenBucket]>,
}

impl PrefixRateLimiter {
    /// Full buckets, and a key out of `entropy`.
    #[must_use]
    pub fn new(rate: Rate, entropy: &mut SeededRng) -> Self {
        Self::with_buckets(BUCKETS, rate, entropy)
    }

    /// The same with so many buckets: fewer do where only proven addresses count.
    pub(crate) fn with_buckets(buckets: usize, rate: Rate, entropy: &mut SeededRng) -> Self {
        Self { rate, key: entropy.key(), buckets: vec![TokenBucket::default(); buckets].into_boxed_slice() }
    }

    /// Takes one out of the bucket of `address`; whether there was one.
    pub fn take(&mut self, now: Instant, address: SocketAddr) -> bool {
        let index = self.index(address.ip());
        self.buckets.get_mut(index).is_some_and(|bucket| bucket.take(now, self.rate))
    }

    fn index(&self, ip: IpAddr) -> usize {
        let mut hasher = DefaultHasher::new();
        hasher.write(&self.key);
        match ip.to_canonical() {
            IpAddr::V4(ip) => {
                let [a, b, c, _] = ip.octets();
                hasher.write(&[4, a, b, c]);
            }
            IpAddr::V6(ip) => {
                hasher.write(&[6]);
                hasher.write(&customer_prefix(ip));
            }
        }
        let buckets = u64::try_from(self.buckets.len()).unwrap_or(u64::MAX);
        let index = hasher.finish().checked_rem(buckets).unwrap_or_default();
        usize::try_from(index).unwrap_or_default()
    }

    /// Memory that the table takes beside itself, in bytes.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        size_of_val::<[TokenBucket]>(&self.buckets)
    }
}

/// The /56 of an address: what one customer of a provider may have.
pub(crate) const fn customer_prefix(ip: Ipv6Addr) -> [u8; 7] {
    let [a, b, c, d, e, f, g, ..] = ip.octets();
    [a, b, c, d, e, f, g]
}

impl core::fmt::Debug for PrefixRateLimiter {
    /// Leaves out the key, which a log must not give away, and the thousands of buckets.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("PrefixLimit").field("rate", &self.rate).finish_non_exhaustive()
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
    fn a_bucket_gives_its_burst_and_then_its_rate() {
        let mut bucket = TokenBucket::default();
        let mut taken = |second| (0..5).filter(|_| bucket.take(at(second), RATE)).count();
        assert_eq!([taken(0), taken(0), taken(1), taken(3), taken(60)], [3, 0, 1, 2, 3]);
    }

    #[test]
    fn a_clock_at_its_end_fills_no_bucket() {
        let mut bucket = TokenBucket::default();
        let end = Instant::from_micros(u64::MAX);
        assert!((0..10).all(|_| bucket.take(end, RATE)), "time does not go on, so nothing can be counted");
    }

    #[test]
    fn t4_all_of_a_prefix_share_a_bucket_and_other_prefixes_have_others() {
        for (one, neighbour, stranger) in [
            ("10.0.0.1:1", "10.0.0.255:9", "10.0.1.1:1"),
            ("[2001:db8::1]:1", "[2001:db8:0:ff::1]:1", "[2001:db8:0:100::1]:1"),
            ("10.0.0.1:1", "[::ffff:10.0.0.77]:1", "[::10.0.0.1]:1"),
        ] {
            let mut limit = limit();
            assert_eq!((0..5).filter(|_| limit.take(at(0), address(one))).count(), 3);
            assert!(!limit.take(at(0), address(neighbour)), "{neighbour}");
            assert!(limit.take(at(0), address(stranger)), "{stranger}");
        }
    }

    #[test]
    fn t4_a_million_prefixes_take_no_more_memory_than_one() {
        let mut limit = limit();
        let before = limit.held_bytes();
        let taken = (0..1_000_000_u32)
            .filter(|number| limit.take(at(0), SocketAddr::from((number.to_be_bytes(), 1))))
            .count();
        assert_eq!(limit.held_bytes(), before);
        assert!(before <= 32 * 1024);
        assert!(taken <= BUCKETS * 3, "{taken}");
    }
}
