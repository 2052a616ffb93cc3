use core::time::Duration;

use super::LinkConfig;
use super::ping::RoundTrip;

/// When a reliable message is sent again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ResendTimeout {
    /// How long after it was sent.
    pub(super) rto: Duration,
    /// Nor sooner than this after it was last sent, whatever the reason.
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
        assert_eq!(pace(Some(1)), (10, 0));
        assert_eq!(pace(Some(9)), (10, 4));
        assert_eq!(pace(Some(101)), (121, 50));
        assert_eq!(pace(Some(i16::MAX)), (39_320, 16_383));
    }
}
