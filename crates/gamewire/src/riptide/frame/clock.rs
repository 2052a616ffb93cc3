use core::time::Duration;
use std::time::Instant as Monotonic;

use gamewire_machine::Instant;

/// Maximum time of one wait.
const MAX_WAIT: Duration = Duration::from_secs(3_600);

/// The clock of a machine without a driver. It starts when it is created.
pub(super) struct Clock(Monotonic);

impl Clock {
    pub(super) fn start() -> Self {
        Self(Monotonic::now())
    }

    pub(super) fn now(&self) -> Instant {
        Instant::ZERO + self.0.elapsed()
    }
}

/// Returns the end of a wait of `most` that starts now.
pub(super) fn deadline(most: Duration) -> Monotonic {
    let now = Monotonic::now();
    now.checked_add(most.min(MAX_WAIT)).unwrap_or(now)
}
