/// How many of the latest are counted.
const WINDOW: usize = 64;

/// How often the last 64 reliable messages had to be sent (`RollingReliableSends`).
#[derive(Clone, Debug)]
pub struct RollingSends {
    attempts: [u16; WINDOW],
    sum: u32,
    filled: usize,
    next: usize,
}

impl Default for RollingSends {
    fn default() -> Self {
        Self { attempts: [0; WINDOW], sum: 0, filled: 0, next: 0 }
    }
}

impl RollingSends {
    #[inline(always)]
    pub(super) fn add(&mut self, attempts: u16) {
        if let Some(slot) = self.attempts.get_mut(self.next) {
            let gone = core::mem::replace(slot, attempts);
            // It is the sum of what stands there, so that it neither overflows nor falls below 0.
            self.sum = self.sum.wrapping_add(attempts.into()).wrapping_sub(gone.into());
        }
        self.next = self.next.wrapping_add(1) % WINDOW;
        self.filled = self.filled.wrapping_add(1).min(WINDOW);
    }

    /// The attempts of each, in no order.
    #[must_use]
    pub fn attempts(&self) -> &[u16] {
        self.attempts.get(..self.filled).unwrap_or_default()
    }

    fn count(&self) -> u32 {
        self.filled.try_into().unwrap_or(0)
    }

    /// Whether the mean is above `most`.
    #[inline]
    pub(super) fn mean_exceeds(&self, most: u32) -> bool {
        u64::from(self.sum) > u64::from(most).wrapping_mul(u64::from(self.count()))
    }

    /// The mean; 0 before the first message was delivered.
    #[must_use]
    pub fn mean(&self) -> f64 {
        if self.filled == 0 { 0.0 } else { f64::from(self.sum) / f64::from(self.count()) }
    }

    /// The variance of a sample; 0 before the second message was delivered.
    #[must_use]
    pub fn variance(&self) -> f64 {
        if self.filled < 2 {
            return 0.0;
        }
        let mean = self.mean();
        let squares: f64 = self.attempts().iter().map(|one| (f64::from(*one) - mean).powi(2)).sum();
        squares / f64::from(self.count().saturating_sub(1))
    }

    /// The standard deviation of a sample.
    #[must_use]
    pub fn standard_dev(&self) -> f64 {
        self.variance().sqrt()
    }
}

/// What became of the last 64 notify messages of which it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NotifyWindow {
    /// The lowest bit is the latest.
    delivered: u64,
    filled: u32,
}

impl NotifyWindow {
    pub(super) fn add(&mut self, delivered: bool) {
        self.delivered = self.delivered.wrapping_shl(1) | u64::from(delivered);
        self.filled = self.filled.saturating_add(1).min(u64::BITS);
    }

    /// How many of them were delivered (`RollingNotifyDelivered`).
    #[must_use]
    pub const fn delivered(&self) -> u32 {
        self.delivered.count_ones()
    }

    /// How many of them were lost (`RollingNotifyLost`).
    #[must_use]
    pub const fn lost(&self) -> u32 {
        self.filled.saturating_sub(self.delivered())
    }

    /// How many were lost, as a part of 64, however many there were (`RollingNotifyLossRate`).
    #[must_use]
    pub fn loss_rate(&self) -> f32 {
        u16::try_from(self.lost()).map_or(1.0, f32::from) / 64.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_64_make_the_mean_and_the_variance() {
        let mut sends = RollingSends::default();
        assert_eq!((sends.mean(), sends.variance()), (0.0, 0.0));
        sends.add(15);
        assert_eq!((sends.mean(), sends.variance()), (15.0, 0.0));
        (0..32).for_each(|_| sends.add(1));
        (0..32).for_each(|_| sends.add(3));
        assert_eq!(sends.attempts().len(), 64);
        assert_eq!(sends.mean(), 2.0);
        assert!((sends.variance() - 64.0 / 63.0).abs() < 1e-9);
        assert!((sends.standard_dev() - (64.0_f64 / 63.0).sqrt()).abs() < 1e-9);
        assert!(sends.mean_exceeds(1) && !sends.mean_exceeds(2));
    }

    #[test]
    fn the_loss_rate_is_a_part_of_64_from_the_first_message_on() {
        let mut window = NotifyWindow::default();
        window.add(false);
        assert_eq!((window.lost(), window.loss_rate()), (1, 1.0 / 64.0));
        (0..63).for_each(|_| window.add(true));
        assert_eq!((window.lost(), window.delivered()), (1, 63));
        window.add(true);
        assert_eq!((window.lost(), window.delivered(), window.loss_rate()), (0, 64, 0.0));
    }
}
