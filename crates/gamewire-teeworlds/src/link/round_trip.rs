use core::time::Duration;

use gamewire_machine::Instant;

use super::window::in_backroom;

/// Measures how long acknowledgements take: of one vital message at a time, and never of one that
/// was sent again, since it would not be known which copy was acknowledged.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RoundTrip {
    /// The message that is timed, and when it left.
    timed: Option<(u16, Instant)>,
    /// In microseconds.
    smoothed: Option<u64>,
}

impl RoundTrip {
    /// A packet left whose newest new vital message is `sequence`.
    pub(super) fn sent(&mut self, sequence: u16, now: Instant) {
        self.timed.get_or_insert((sequence, now));
    }

    /// Something was sent again.
    pub(super) const fn resent(&mut self) {
        self.timed = None;
    }

    /// The peer acknowledged `ack`.
    pub(super) fn acknowledged(&mut self, ack: u16, now: Instant) {
        let Some((sequence, sent)) = self.timed else { return };
        if !in_backroom(sequence, ack) {
            return;
        }
        self.timed = None;
        let sample = u64::try_from(now.since(sent).as_micros()).unwrap_or(u64::MAX);
        // The usual smoothing of TCP: an eighth of the new, the rest of the old.
        let smooth = |old: u64| old.saturating_sub(old / 8).saturating_add(sample / 8);
        self.smoothed = Some(self.smoothed.map_or(sample, smooth));
    }

    /// The smoothed time, once there was an acknowledgement.
    pub(super) fn smoothed(&self) -> Option<Duration> {
        self.smoothed.map(Duration::from_micros)
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests {
    use super::*;

    fn at(millis: u64) -> Instant {
        Instant::from_micros(millis * 1000)
    }

    #[test]
    fn one_message_is_timed_and_the_times_are_smoothed() {
        let mut trip = RoundTrip::default();
        trip.sent(3, at(0));
        trip.sent(4, at(10));
        trip.acknowledged(2, at(20));
        assert_eq!(trip.smoothed(), None);
        trip.acknowledged(4, at(80));
        assert_eq!(trip.smoothed(), Some(Duration::from_millis(80)));
        trip.sent(5, at(100));
        trip.acknowledged(5, at(100));
        assert_eq!(trip.smoothed(), Some(Duration::from_millis(70)));
    }

    #[test]
    fn what_was_sent_again_is_not_timed() {
        let mut trip = RoundTrip::default();
        trip.sent(1, at(0));
        trip.resent();
        trip.acknowledged(1, at(5000));
        assert_eq!(trip.smoothed(), None);
    }
}
