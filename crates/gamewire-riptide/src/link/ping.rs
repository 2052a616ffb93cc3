use gamewire_machine::Instant;

/// The time that a heartbeat and its answer take, in milliseconds.
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
    /// Takes a measurement. What is not above 0 is none: -1 says so, and the Python port says 0.
    ///
    /// The average is truncated as in the original, so it sticks a little below a steady value
    /// when it comes from below; whole numbers stand in for its single precision.
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

    /// What a heartbeat says: the latest, or -1.
    pub(super) fn wire_value(&self) -> i16 {
        self.known.map_or(-1, |known| known.latest.try_into().unwrap_or(i16::MAX))
    }
}

/// The heartbeat that waits for its answer.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Ping {
    next_id: u8,
    waiting: Option<(u8, Instant)>,
}

impl Ping {
    /// The id of a heartbeat that is sent now.
    pub(super) const fn send(&mut self, now: Instant) -> u8 {
        let id = self.next_id;
        self.next_id = id.wrapping_add(1);
        self.waiting = Some((id, now));
        id
    }

    /// How many milliseconds the answer with this id took, if it is the one that is waited for and
    /// the first. The original measures again by each copy of it.
    pub(super) fn match_reply(&mut self, now: Instant, id: u8) -> Option<i16> {
        let (_, sent) = self.waiting.take_if(|(waiting, _)| *waiting == id)?;
        let millis = now.since(sent).as_millis().max(1);
        Some(millis.try_into().unwrap_or(i16::MAX))
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
    fn an_unknown_round_trip_is_no_sample() {
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
}
