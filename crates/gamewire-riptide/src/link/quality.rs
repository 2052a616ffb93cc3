use super::{ConnectionLimit, ConnectionSettings, Metrics};

/// Numbers of consecutive results beyond the quality limits.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Quality {
    send_attempts: u32,
    notify_loss: u32,
}

impl Quality {
    /// Checks the limits after a reliable message was acknowledged.
    #[inline]
    pub(super) fn delivered(
        &mut self,
        metrics: &Metrics,
        settings: &ConnectionSettings,
    ) -> Option<ConnectionLimit> {
        let violated = metrics.rolling_reliable_sends.mean_exceeds(settings.max_avg_send_attempts);
        let often = count(&mut self.send_attempts, violated, settings.avg_send_attempts_resilience);
        often.then_some(ConnectionLimit::AverageSendAttempts)
    }

    /// Checks the limits after a notify message was delivered or lost.
    pub(super) fn notified(
        &mut self,
        metrics: &Metrics,
        settings: &ConnectionSettings,
    ) -> Option<ConnectionLimit> {
        let violated = metrics.rolling_notify.loss_rate() > settings.max_notify_loss;
        let often = count(&mut self.notify_loss, violated, settings.notify_loss_resilience);
        often.then_some(ConnectionLimit::NotifyLoss)
    }
}

/// Counts consecutive violations. Returns whether there are `resilience` of them.
const fn count(violations: &mut u32, violated: bool, resilience: u32) -> bool {
    if !violated {
        *violations = 0;
        return false;
    }
    *violations = violations.saturating_add(1);
    *violations >= resilience
}

/// Number of messages in the window.
const WINDOW: usize = 64;

/// The attempts of the last 64 reliable messages (`RollingReliableSends`).
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
            // The sum of 64 values of 16 bits neither overflows nor falls below 0.
            self.sum = self.sum.wrapping_add(attempts.into()).wrapping_sub(gone.into());
        }
        self.next = self.next.wrapping_add(1) % WINDOW;
        self.filled = self.filled.wrapping_add(1).min(WINDOW);
    }

    /// Returns the attempts of each message, in no particular order.
    pub fn attempts(&self) -> &[u16] {
        self.attempts.get(..self.filled).unwrap_or_default()
    }

    fn count(&self) -> u32 {
        self.filled.try_into().unwrap_or(0)
    }

    /// Returns whether the mean is above `max`.
    #[inline]
    pub(super) fn mean_exceeds(&self, max: u32) -> bool {
        u64::from(self.sum) > u64::from(max).wrapping_mul(u64::from(self.count()))
    }

    /// Returns the mean; 0 before the first message.
    pub fn mean(&self) -> f64 {
        if self.filled == 0 { 0.0 } else { f64::from(self.sum) / f64::from(self.count()) }
    }

    /// Returns the sample variance; 0 before the second message.
    pub fn variance(&self) -> f64 {
        if self.filled < 2 {
            return 0.0;
        }
        let mean = self.mean();
        let squares: f64 = self.attempts().iter().map(|one| (f64::from(*one) - mean).powi(2)).sum();
        squares / f64::from(self.count().saturating_sub(1))
    }

    /// Returns the sample standard deviation.
    pub fn standard_dev(&self) -> f64 {
        self.variance().sqrt()
    }
}

/// The known results of the last 64 notify messages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NotifyWindow {
    /// One bit for each message. The lowest bit is the latest message.
    delivered: u64,
    filled: u32,
}

impl NotifyWindow {
    pub(super) fn add(&mut self, delivered: bool) {
        self.delivered = self.delivered.wrapping_shl(1) | u64::from(delivered);
        self.filled = self.filled.saturating_add(1).min(u64::BITS);
    }

    /// Returns the number of delivered messages (`RollingNotifyDelivered`).
    pub const fn delivered(&self) -> u32 {
        self.delivered.count_ones()
    }

    /// Returns the number of lost messages (`RollingNotifyLost`).
    pub const fn lost(&self) -> u32 {
        self.filled.saturating_sub(self.delivered())
    }

    /// Returns the lost messages as a share of 64, also while the window is not full (`RollingNotifyLossRate`).
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
