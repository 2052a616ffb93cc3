use core::time::Duration;

use gamewire_machine::Instant;

/// The first tick of a clock that ticks each `interval` since `start` by which more than `limit`
/// has passed since `last`: when a silence is noticed.
pub(super) fn deadline(start: Instant, interval: Duration, last: Instant, limit: Duration) -> Instant {
    let interval = u64::try_from(interval.as_micros()).unwrap_or(u64::MAX).max(1);
    let allowed = (last + limit).since(start).as_micros();
    let allowed = u64::try_from(allowed).unwrap_or(u64::MAX);
    let ticks = allowed.checked_div(interval).unwrap_or(0).saturating_add(1);
    start + Duration::from_micros(ticks.saturating_mul(interval))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_is_noticed_at_the_first_tick_after_it_lasted_too_long() {
        let at = |millis: u64| Instant::from_micros(millis.saturating_mul(1000));
        let (second, limit) = (Duration::from_secs(1), Duration::from_secs(5));
        let noticed = |last| deadline(at(300), second, at(last), limit);
        assert_eq!(noticed(300), at(6_300));
        assert_eq!(noticed(301), at(6_300));
        assert_eq!(noticed(299), at(5_300));
        assert_eq!(noticed(1_300), at(7_300));
        assert_eq!(deadline(at(0), Duration::ZERO, at(0), Duration::ZERO), Instant::from_micros(1));
    }
}
