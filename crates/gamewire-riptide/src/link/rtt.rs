use core::time::Duration;

use gamewire_machine::Instant;

use super::LinkConfig;

/// The round-trip time of heartbeats, in milliseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct RoundTrip {
    known: Option<RttEstimate>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct RttEstimate {
    latest: u16,
    smooth: u16,
}

impl RoundTrip {
    /// Adds a measurement. Values up to 0 are ignored: -1 means that there is none, and the Python port sends 0.
    ///
    /// The average is truncated as in the C# library, so that it stays a little below a steady value. Integers replace its
    /// floats.
    pub(super) fn sample(&mut self, millis: i16) {
        let Some(latest) = u16::try_from(millis).ok().filter(|millis| *millis > 0) else { return };
        let smooth = match self.known {
            None => latest,
            Some(RttEstimate { smooth, .. }) => {
                let sum =
                    u32::from(smooth).saturating_mul(7).saturating_add(u32::from(latest).saturating_mul(3));
                u16::try_from(sum / 10).unwrap_or(u16::MAX).max(1)
            }
        };
        self.known = Some(RttEstimate { latest, smooth });
    }

    pub(super) fn smooth_millis(&self) -> Option<u16> {
        self.known.map(|known| known.smooth)
    }

    pub(super) fn latest_millis(&self) -> Option<u16> {
        self.known.map(|known| known.latest)
    }

    /// Returns the value for a heartbeat: the latest measurement, or -1.
    pub(super) fn wire_value(&self) -> i16 {
        self.known.map_or(-1, |known| known.latest.try_into().unwrap_or(i16::MAX))
    }
}

/// The ids of heartbeats, and the last one while it has no reply.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ping {
    next_id: u8,
    waiting: Option<(u8, Instant)>,
}

impl Ping {
    /// Returns the id of a new heartbeat.
    pub(super) const fn send(&mut self, now: Instant) -> u8 {
        let id = self.next_id;
        self.next_id = id.wrapping_add(1);
        self.waiting = Some((id, now));
        id
    }

    /// Returns the round trip in milliseconds, if this is the first reply to the last heartbeat. The C# library also
    /// measures duplicates of the reply.
    pub(super) fn match_reply(&mut self, now: Instant, id: u8) -> Option<i16> {
        let (_, sent) = self.waiting.take_if(|(waiting, _)| *waiting == id)?;
        let millis = now.since(sent).as_millis().max(1);
        Some(millis.try_into().unwrap_or(i16::MAX))
    }
}

/// Timing of retransmissions (RFC 6298).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ResendTimeout {
    /// Retransmission timeout.
    pub(super) rto: Duration,
    /// Minimum interval between two sends of the same message.
    pub(super) min_interval: Duration,
}

impl ResendTimeout {
    pub(super) fn new(config: &LinkConfig, round_trip: &RoundTrip) -> Self {
        let (delay, min_interval) = match round_trip.smooth_millis() {
            None => (config.first_resend_delay, config.first_resend_delay.checked_div(2).unwrap_or_default()),
            Some(smooth) => {
                let delay = u64::from(smooth).saturating_mul(12) / 10;
                (Duration::from_millis(delay), Duration::from_millis((smooth / 2).into()))
            }
        };
        Self { rto: delay.max(config.min_resend_delay), min_interval }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn smoothed(samples: impl IntoIterator<Item = i16>) -> Option<u16> {
        let mut round_trip = RoundTrip::default();
        samples.into_iter().for_each(|millis| round_trip.sample(millis));
        round_trip.smooth_millis()
    }

    #[test]
    fn the_average_is_truncated_and_sticks_below_a_steady_value() {
        assert_eq!(smoothed([1, 491]), Some(148));
        assert_eq!(smoothed([1, 4, 4, 4, 4, 4]), Some(1));
        assert_eq!(smoothed(core::iter::once(1).chain([50; 40])), Some(47));
        assert_eq!(smoothed(core::iter::once(200).chain([50; 40])), Some(50));
        assert_eq!(smoothed([i16::MAX; 3]), Some(32_767));
    }

    #[test]
    fn an_unknown_round_trip_is_not_a_sample() {
        assert_eq!(smoothed([-1, 0, i16::MIN]), None);
        assert_eq!(smoothed([30, 0, -1]), Some(30));
        assert_eq!(RoundTrip::default().wire_value(), -1);
    }

    #[test]
    fn only_the_latest_heartbeat_is_measured_and_only_once() {
        let at = Instant::from_micros;
        let mut ping = Ping { next_id: 255, ..Ping::default() };
        assert_eq!((ping.send(at(0)), ping.send(at(5_000))), (255, 0));
        assert_eq!(ping.match_reply(at(6_000), 255), None);
        assert_eq!(ping.match_reply(at(5_400), 0), Some(1));
        assert_eq!(ping.match_reply(at(9_000), 0), None);
        ping.send(at(0));
        assert_eq!(ping.match_reply(at(u64::MAX), 1), Some(i16::MAX));
    }

    #[test]
    fn the_delay_follows_the_smoothed_round_trip() {
        let config = LinkConfig::v21();
        let pace = |rtt: Option<i16>| {
            let mut round_trip = RoundTrip::default();
            rtt.into_iter().for_each(|rtt| round_trip.sample(rtt));
            let pace = ResendTimeout::new(&config, &round_trip);
            (pace.rto.as_millis(), pace.min_interval.as_millis())
        };
        assert_eq!(pace(None), (50, 25));
        assert_eq!(pace(Some(1)), (50, 0));
        assert_eq!(pace(Some(9)), (50, 4));
        assert_eq!(pace(Some(101)), (121, 50));
        assert_eq!(pace(Some(i16::MAX)), (39_320, 16_383));
    }
}
