use super::{ConnectionSettings, Metrics, QualityFailure};

/// How often in a row the rules of quality were violated.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Quality {
    send_attempts: u32,
    notify_loss: u32,
}

impl Quality {
    /// A reliable message was acknowledged.
    #[inline]
    pub(super) fn delivered(
        &mut self,
        metrics: &Metrics,
        settings: &ConnectionSettings,
    ) -> Option<QualityFailure> {
        let violated = metrics.rolling_reliable_sends.mean_exceeds(settings.max_avg_send_attempts);
        let often = count(&mut self.send_attempts, violated, settings.avg_send_attempts_resilience);
        often.then_some(QualityFailure::AverageSendAttempts)
    }

    /// A notify message was delivered or lost.
    pub(super) fn notified(
        &mut self,
        metrics: &Metrics,
        settings: &ConnectionSettings,
    ) -> Option<QualityFailure> {
        let violated = metrics.rolling_notify.loss_rate() > settings.max_notify_loss;
        let often = count(&mut self.notify_loss, violated, settings.notify_loss_resilience);
        often.then_some(QualityFailure::NotifyLoss)
    }
}

/// Whether a rule has been violated too often in a row.
const fn count(violations: &mut u32, violated: bool, resilience: u32) -> bool {
    if !violated {
        *violations = 0;
        return false;
    }
    *violations = violations.saturating_add(1);
    *violations >= resilience
}
