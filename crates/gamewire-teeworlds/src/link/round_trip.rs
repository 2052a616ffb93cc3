use core::time::Duration;

use gamewire_machine::Instant;

use super::codec::in_backroom;

/// The measurement of the round trip, with one vital message at a time. A message that was resent is not measured,
/// because the ack does not show which copy arrived.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RoundTrip {
    /// The sequence number of the measured message, and the time when it was sent.
    timed: Option<(u16, Instant)>,
    /// The smoothed round trip in microseconds.
    smoothed: Option<u64>,
}

impl RoundTrip {
    /// Starts a measurement for a sent packet, if none is active. `sequence` is the last new vital message of the
    /// packet.
    pub(super) fn on_send(&mut self, sequence: u16, now: Instant) {
        self.timed.get_or_insert((sequence, now));
    }

    /// Cancels the measurement.
    pub(super) const fn on_resend(&mut self) {
        self.timed = None;
    }

    /// Ends the measurement if `ack` acknowledges its message.
    pub(super) fn on_ack(&mut self, ack: u16, now: Instant) {
        let Some((sequence, sent)) = self.timed else { return };
        if !in_backroom(sequence, ack) {
            return;
        }
        self.timed = None;
        let sample = u64::try_from(now.since(sent).as_micros()).unwrap_or(u64::MAX);
        // Smoothed as in TCP: the new sample has a weight of one eighth.
        let smooth = |old: u64| old.saturating_sub(old / 8).saturating_add(sample / 8);
        self.smoothed = Some(self.smoothed.map_or(sample, smooth));
    }

    /// Returns the smoothed round trip, after the first acknowledgement.
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
    fn one_message_at_a_time_is_measured_and_the_result_is_smoothed() {
        let mut trip = RoundTrip::default();
        trip.on_send(3, at(0));
        trip.on_send(4, at(10));
        trip.on_ack(2, at(20));
        assert_eq!(trip.smoothed(), None);
        trip.on_ack(4, at(80));
        assert_eq!(trip.smoothed(), Some(Duration::from_millis(80)));
        trip.on_send(5, at(100));
        trip.on_ack(5, at(100));
        assert_eq!(trip.smoothed(), Some(Duration::from_millis(70)));
    }

    #[test]
    fn a_resent_message_is_not_timed() {
        let mut trip = RoundTrip::default();
        trip.on_send(1, at(0));
        trip.on_resend();
        trip.on_ack(1, at(5000));
        assert_eq!(trip.smoothed(), None);
    }
}
