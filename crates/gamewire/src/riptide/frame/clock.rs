use core::time::Duration;
use std::time::Instant as Monotonic;

use gamewire_machine::Instant;

/// No program waits longer in one go.
const MAX_WAIT: Duration = Duration::from_secs(3_600);

/// The time of a machine without a driver: it begins when this is made.
pub(super) struct Clock(Monotonic);

impl Clock {
    pub(super) fn start() -> Self {
        Self(Monotonic::now())
    }

    pub(super) fn now(&self) -> Instant {
        Instant::ZERO + self.0.elapsed()
    }
}

/// When a wait of `most` that begins now is over.
pub(super) fn deadline(most: Duration) -> Monotonic {
    let now = Monotonic::now();
    now.checked_add(most.min(MAX_WAIT)).unwrap_or(now)
}
