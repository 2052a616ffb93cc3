use core::time::Duration;
use std::collections::BTreeMap;

use fastrand::Rng;
use gamewire_machine::Instant;

use crate::Conditions;

/// Maximum number of bytes in flight. Further datagrams are lost, as in a full router.
const MAX_BYTES: usize = 8 << 20;
/// Maximum number of datagrams in flight.
const MAX_DATAGRAMS: usize = 16_384;
/// Maximum number of buffers that are kept for reuse.
const MAX_SPARE: usize = 256;

/// One direction of a link under [`Conditions`]. A datagram that is pushed in at one end can be popped at the other
/// when it has arrived, unless it was lost.
///
/// Each datagram has a tag, such as its addresses. The number of datagrams in flight is bounded.
#[derive(Clone, Debug)]
pub struct Conditioner<T> {
    conditions: Conditions,
    random: Rng,
    /// The datagrams by time of arrival, then by order of departure.
    in_flight: BTreeMap<(Instant, u64), (T, Vec<u8>)>,
    bytes: usize,
    spare: Vec<Vec<u8>>,
    /// Arrival time of the last datagram that was not held back.
    latest: Instant,
    /// Time at which a link with a limited rate has transmitted the last datagram.
    free_at: Instant,
    /// True if the last datagram was lost in a burst.
    is_in_burst: bool,
    copies: u64,
    tally: ConditionerStats,
}

/// The counters of a conditioner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConditionerStats {
    /// Datagrams pushed.
    pub pushed: u64,
    /// Datagrams lost by chance or by [`Conditions::drop_every`].
    pub lost: u64,
    /// Datagrams lost because they are longer than the MTU.
    pub over_mtu: u64,
    /// Datagrams lost because too much was in flight, or because they would have waited too long.
    pub queue_full: u64,
    /// Datagrams held back.
    pub reordered: u64,
    /// Datagrams duplicated.
    pub duplicated: u64,
    /// Datagrams corrupted.
    pub corrupted: u64,
    /// Datagrams popped, including copies.
    pub popped: u64,
}

impl<T: Clone> Conditioner<T> {
    /// Creates an empty link. Equal seeds give equal links.
    pub fn new(conditions: Conditions, seed: u64) -> Self {
        Self {
            conditions,
            random: Rng::with_seed(seed),
            in_flight: BTreeMap::new(),
            bytes: 0,
            spare: Vec::new(),
            latest: Instant::ZERO,
            free_at: Instant::ZERO,
            is_in_burst: false,
            copies: 0,
            tally: ConditionerStats::default(),
        }
    }

    /// Replaces the conditions. Datagrams in flight keep the old ones.
    pub const fn set_conditions(&mut self, conditions: Conditions) {
        self.conditions = conditions;
    }

    /// Returns the conditions.
    pub const fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    /// Sends a datagram. Returns false if it is lost.
    pub fn push(&mut self, now: Instant, tag: T, datagram: &[u8]) -> bool {
        self.tally.pushed = self.tally.pushed.saturating_add(1);
        if datagram.len() > self.conditions.mtu {
            self.tally.over_mtu = self.tally.over_mtu.saturating_add(1);
            return false;
        }
        let is_nth =
            self.conditions.drop_every.is_some_and(|n| self.tally.pushed.is_multiple_of(n.get().into()));
        if self.is_lost() || is_nth {
            self.tally.lost = self.tally.lost.saturating_add(1);
            return false;
        }
        if self.random_bool(self.conditions.duplicate) {
            self.tally.duplicated = self.tally.duplicated.saturating_add(1);
            self.send(now, tag.clone(), datagram);
        }
        self.send(now, tag, datagram)
    }

    /// Replaces the content of `buffer` with the next datagram that has arrived by `now`, and returns its tag.
    pub fn pop(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<T> {
        let first = self.in_flight.first_entry().filter(|entry| entry.key().0 <= now)?;
        let (tag, mut datagram) = first.remove();
        core::mem::swap(buffer, &mut datagram);
        self.bytes = self.bytes.saturating_sub(buffer.len());
        if self.spare.len() < MAX_SPARE {
            self.spare.push(datagram);
        }
        self.tally.popped = self.tally.popped.saturating_add(1);
        Some(tag)
    }

    /// Returns the time of the next arrival.
    pub fn wake(&self) -> Option<Instant> {
        self.in_flight.first_key_value().map(|((at, _), _)| *at)
    }

    /// Returns the number of bytes in flight.
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the counters.
    pub const fn tally(&self) -> &ConditionerStats {
        &self.tally
    }

    fn send(&mut self, now: Instant, tag: T, datagram: &[u8]) -> bool {
        let bytes = self.bytes.saturating_add(datagram.len());
        let has_room = bytes <= MAX_BYTES && self.in_flight.len() < MAX_DATAGRAMS;
        let Some(departure) = has_room.then(|| self.departure(now, datagram.len())).flatten() else {
            self.tally.queue_full = self.tally.queue_full.saturating_add(1);
            return false;
        };
        self.bytes = bytes;
        let at = self.arrival(departure);
        let mut copy = self.spare.pop().unwrap_or_default();
        copy.clear();
        copy.extend_from_slice(datagram);
        if self.random_bool(self.conditions.corrupt) {
            self.tally.corrupted = self.tally.corrupted.saturating_add(1);
            self.flip_bits(&mut copy);
        }
        self.copies = self.copies.saturating_add(1);
        self.in_flight.insert((at, self.copies), (tag, copy));
        true
    }

    /// Decides whether the next datagram is lost by chance.
    fn is_lost(&mut self) -> bool {
        let Conditions { loss, burst, .. } = self.conditions;
        if burst <= 1.0 || loss >= 1.0 {
            return self.random_bool(loss);
        }
        // The share of time in bursts is `loss`, and a burst lasts `burst` datagrams on average.
        let change = if self.is_in_burst { 1.0 / burst } else { loss / (burst * (1.0 - loss)) };
        self.is_in_burst ^= self.random_bool(change);
        self.is_in_burst
    }

    /// Returns the time at which a datagram of this length has been transmitted, or `None` if it would wait too long.
    fn departure(&mut self, now: Instant, length: usize) -> Option<Instant> {
        let Some(rate) = self.conditions.rate else { return Some(now) };
        let start = self.free_at.max(now);
        if start.since(now) > Conditions::MAX_WAIT {
            return None;
        }
        let length = u64::try_from(length).unwrap_or(u64::MAX);
        let micros = length.saturating_mul(1_000_000).div_ceil(rate.get());
        self.free_at = start + Duration::from_micros(micros);
        Some(self.free_at)
    }

    fn arrival(&mut self, now: Instant) -> Instant {
        let Conditions { delay, jitter, reorder, .. } = self.conditions;
        let at = now + delay + self.random_duration(jitter);
        if self.random_bool(reorder) {
            self.tally.reordered = self.tally.reordered.saturating_add(1);
            return at + self.random_duration(delay.max(Conditions::HELD_BACK));
        }
        // Arrive no earlier than the last datagram. If `now` has gone back, the jitter limits the additional wait.
        let at = at.max(self.latest.min(now + delay + jitter));
        self.latest = at;
        at
    }

    fn flip_bits(&mut self, datagram: &mut [u8]) {
        // Flip adjacent bits, so that no flip reverts another one. Bits after the end are skipped.
        let bits = datagram.len().saturating_mul(8);
        let first = self.random.usize(..bits.max(1));
        for bit in first..first.saturating_add(self.random.usize(1..=3)) {
            if let Some(byte) = datagram.get_mut(bit / 8) {
                *byte ^= 1 << (bit % 8);
            }
        }
    }

    fn random_bool(&mut self, probability: f64) -> bool {
        self.random.f64() < probability
    }

    fn random_duration(&mut self, most: Duration) -> Duration {
        let most = u64::try_from(most.as_micros()).unwrap_or(u64::MAX);
        Duration::from_micros(self.random.u64(..=most))
    }
}

#[cfg(test)]
mod tests {
    use core::num::{NonZeroU32, NonZeroU64};

    use super::*;

    const fn ms(millis: u64) -> Instant {
        Instant::from_micros(millis.saturating_mul(1_000))
    }

    /// Pushes datagrams 0, 1, 2.., one each millisecond, and pops all. Returns the time, the number and the bytes of
    /// each arrival.
    fn all_of(conditions: Conditions, seed: u64, count: u32) -> Vec<(Instant, u32, Vec<u8>)> {
        let (mut link, mut arrived) = (Conditioner::new(conditions, seed), Vec::new());
        let mut now = Instant::ZERO;
        let mut take = |link: &mut Conditioner<u32>, now| {
            let mut buffer = b"left over".to_vec();
            while let Some(tag) = link.pop(now, &mut buffer) {
                arrived.push((now, tag, buffer.clone()));
            }
        };
        for number in 0..count {
            now = ms(u64::from(number));
            link.push(now, number, &number.to_be_bytes());
            take(&mut link, now);
        }
        while let Some(at) = link.wake() {
            assert!(at > now, "what has arrived was not popped");
            now = at;
            take(&mut link, now);
        }
        arrived
    }

    fn is_in_order(arrived: &[(Instant, u32, Vec<u8>)]) -> bool {
        arrived.iter().is_sorted_by_key(|(_, number, _)| *number)
    }

    #[test]
    fn a_perfect_link_hands_everything_over_at_once_and_intact() {
        let arrived = all_of(Conditions::PERFECT, 1, 100);
        assert_eq!(arrived.len(), 100);
        for (number, (at, tag, bytes)) in (0_u32..).zip(arrived) {
            assert_eq!((at, tag, bytes), (ms(u64::from(number)), number, number.to_be_bytes().to_vec()));
        }
    }

    #[test]
    fn delay_and_jitter_hold_up_and_keep_the_order() {
        let (delay, jitter) = (Duration::from_millis(50), Duration::from_millis(30));
        let arrived = all_of(Conditions { delay, jitter, ..Conditions::PERFECT }, 2, 500);
        assert_eq!(arrived.len(), 500);
        assert!(is_in_order(&arrived));
        for (at, tag, _) in &arrived {
            let took = at.since(ms(u64::from(*tag)));
            assert!((delay..=delay + jitter).contains(&took), "{took:?}");
        }
        assert!(arrived.iter().any(|(at, tag, _)| at.since(ms(u64::from(*tag))) > delay));
    }

    #[test]
    fn each_probability_is_met_approximately() {
        let perfect = Conditions::PERFECT;
        let lost = 1_000 - all_of(Conditions { loss: 0.2, ..perfect }, 3, 1_000).len();
        assert!((150..250).contains(&lost), "{lost}");

        let twice = all_of(Conditions { duplicate: 0.2, ..perfect }, 3, 1_000).len() - 1_000;
        assert!((150..250).contains(&twice), "{twice}");

        let corrupt = all_of(Conditions { corrupt: 0.2, ..perfect }, 3, 1_000);
        let changed: Vec<u32> = corrupt
            .iter()
            .map(|(_, tag, bytes)| (u32::from_be_bytes(bytes[..].try_into().unwrap()) ^ tag).count_ones())
            .filter(|bits| *bits > 0)
            .collect();
        assert!((150..250).contains(&changed.len()), "{}", changed.len());
        assert!(changed.iter().all(|bits| *bits <= 3));

        let mixed = all_of(Conditions { reorder: 0.2, ..perfect }, 3, 1_000);
        assert_eq!(mixed.len(), 1_000);
        assert!(!is_in_order(&mixed));
    }

    #[test]
    fn probabilities_beyond_the_ends_are_never_and_always() {
        let perfect = Conditions::PERFECT;
        for (loss, arrive) in [(-1.0, 50), (f64::NAN, 50), (1.0, 0), (7.0, 0)] {
            assert_eq!(all_of(Conditions { loss, ..perfect }, 4, 50).len(), arrive, "{loss}");
        }
        assert!(all_of(Conditions::BLACKHOLE, 4, 50).is_empty());
    }

    #[test]
    fn each_nth_datagram_and_those_beyond_the_mtu_are_lost() {
        let drop_every = NonZeroU32::new(3);
        let tags: Vec<u32> = all_of(Conditions { drop_every, ..Conditions::PERFECT }, 5, 7)
            .iter()
            .map(|(_, tag, _)| *tag)
            .collect();
        assert_eq!(tags, [0, 1, 3, 4, 6]);

        let mut link = Conditioner::new(Conditions { mtu: 3, ..Conditions::PERFECT }, 5);
        link.push(ms(0), "long", b"abcd");
        link.push(ms(0), "short", b"abc");
        assert_eq!(link.pop(ms(0), &mut Vec::new()), Some("short"));
        assert_eq!((link.wake(), link.tally().over_mtu), (None, 1));
    }

    #[test]
    fn losses_in_bursts_have_the_same_share_and_come_in_rows() {
        let losses = |burst| {
            let conditions = Conditions { loss: 0.1, burst, ..Conditions::PERFECT };
            let arrived = all_of(conditions, 11, 20_000);
            let gaps = arrived.windows(2).filter(|pair| pair[1].1 - pair[0].1 > 1).count();
            (20_000 - arrived.len(), gaps)
        };
        let (alone, gaps_alone) = losses(1.0);
        let (rows, gaps_rows) = losses(8.0);
        assert!((1_800..2_200).contains(&alone) && (1_500..2_500).contains(&rows), "{alone} {rows}");
        let mean = |lost: usize, gaps: usize| lost / gaps;
        assert_eq!(mean(alone, gaps_alone), 1);
        assert!((6..=10).contains(&mean(rows, gaps_rows)), "{rows} in {gaps_rows} rows");
    }

    #[test]
    fn a_limited_rate_spreads_datagrams_in_order_and_loses_what_would_wait_too_long() {
        let conditions = Conditions { rate: NonZeroU64::new(10_000), ..Conditions::PERFECT };
        let mut link = Conditioner::new(conditions, 12);
        (0..25).for_each(|number| _ = link.push(ms(0), number, &[0; 1_000]));
        let mut arrived = Vec::new();
        while let Some(at) = link.wake() {
            arrived.push((at, link.pop(at, &mut Vec::new()).unwrap()));
        }
        let expected: Vec<_> = (0..11).map(|number| (ms((number + 1) * 100), number)).collect();
        assert_eq!(arrived, expected, "ten a second, the eleventh began after one second");
        assert_eq!(link.tally().queue_full, 14);
        link.push(ms(5_000), 99, &[0; 1_000]);
        assert_eq!(link.wake(), Some(ms(5_100)), "an idle link saves nothing up");
    }

    #[test]
    fn a_seed_decides_everything() {
        assert_eq!(all_of(Conditions::POOR, 6, 300), all_of(Conditions::POOR, 6, 300));
        assert_ne!(all_of(Conditions::POOR, 6, 300), all_of(Conditions::POOR, 7, 300));
    }

    #[test]
    fn messages_in_flight_are_limited_in_number_and_bytes() {
        let slow = Conditions { delay: Duration::from_secs(60), ..Conditions::PERFECT };
        let mut link = Conditioner::new(slow, 8);
        (0..20_000).for_each(|_| _ = link.push(ms(0), (), b"x"));
        assert_eq!((link.tally().pushed, link.tally().queue_full), (20_000, 20_000 - 16_384));

        let mut link = Conditioner::new(slow, 8);
        let long = vec![0; 65_507];
        (0..200).for_each(|_| _ = link.push(ms(0), (), &long));
        assert_eq!(link.tally().queue_full, 200 - 128);
        let mut buffer = Vec::new();
        while link.pop(ms(60_000), &mut buffer).is_some() {}
        assert_eq!((link.bytes, link.tally().popped), (0, 128));
    }

    #[test]
    fn a_clock_that_goes_back_delays_nothing() {
        let mut link =
            Conditioner::new(Conditions { jitter: Duration::from_millis(5), ..Conditions::PERFECT }, 9);
        link.push(ms(3_600_000), "late", b"");
        assert_eq!(link.pop(ms(3_600_005), &mut Vec::new()), Some("late"));
        link.push(ms(1), "early", b"");
        assert_eq!(link.pop(ms(6), &mut Vec::new()), Some("early"));
    }

    #[test]
    fn new_conditions_apply_to_bytes_pushed_after_them() {
        let mut link = Conditioner::new(Conditions::PERFECT, 10);
        link.push(ms(0), 1, b"");
        link.set_conditions(Conditions::BLACKHOLE);
        link.push(ms(0), 2, b"");
        link.set_conditions(Conditions::LAN);
        link.push(ms(0), 3, b"");
        let mut arrived = Vec::new();
        while let Some(tag) = link.pop(ms(1), &mut Vec::new()) {
            arrived.push(tag);
        }
        assert_eq!((arrived.as_slice(), link.tally().lost), ([1, 3].as_slice(), 1));
    }
}
