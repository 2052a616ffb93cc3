//! Recovery of lost messages during the login, when a lost message delays everything after it.

use core::time::Duration;

use gamewire_machine::{Instant, Wake};

use crate::link::{Link, LinkProgress};

/// Minimum time without progress before messages are recovered. The games wait for one second and then resend one
/// message.
const MIN_INTERVAL: Duration = Duration::from_millis(300);

/// A timer that detects that nothing new is delivered in either direction.
#[derive(Debug)]
pub(super) struct StallTimer {
    progress: LinkProgress,
    since: Instant,
}

impl StallTimer {
    pub(super) fn new(now: Instant) -> Self {
        Self { progress: LinkProgress::default(), since: now }
    }

    /// Restarts the timer for a message that is sent now.
    pub(super) const fn restart(&mut self, now: Instant) {
        self.since = now;
    }

    /// Returns the time at which messages are recovered if nothing is delivered until then.
    pub(super) fn poll_timeout(&self, link: &Link) -> Wake {
        let round_trip = link.stats().round_trip.unwrap_or_default();
        Wake { at: self.since + MIN_INTERVAL.max(round_trip.saturating_mul(2)), reason: "stalled login" }
    }

    /// Returns whether messages must be recovered now. Restarts the timer then.
    pub(super) fn is_due(&mut self, link: &Link, now: Instant) -> bool {
        let progress = link.progress();
        if progress != self.progress {
            *self = Self { progress, since: now };
        }
        let is_due = now >= self.poll_timeout(link).at;
        if is_due {
            self.since = now;
        }
        is_due
    }
}
