use core::time::Duration;
use std::time::{Instant as Monotonic, SystemTime};

use gamewire_machine::Instant;

/// The time since a driver was made, and what the wall clock said then. The wall clock is not
/// asked again, so that neither of them jumps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    start: Monotonic,
    wall: Duration,
}

impl Clock {
    pub(crate) fn start() -> Self {
        let wall = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Self { start: Monotonic::now(), wall }
    }

    pub(crate) fn now(&self) -> Instant {
        Instant::ZERO + self.start.elapsed()
    }

    /// The time of `at` in microseconds since 1970.
    pub(crate) fn unix_micros(&self, at: Instant) -> u64 {
        (Instant::ZERO + self.wall.saturating_add(at.since(Instant::ZERO))).as_micros()
    }

    /// `None` if the system's clock does not reach that far.
    pub(crate) fn monotonic(&self, at: Instant) -> Option<Monotonic> {
        self.start.checked_add(at.since(Instant::ZERO))
    }
}
