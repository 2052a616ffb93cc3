use core::time::Duration;

use gamewire_machine::Instant;

/// The length of a tick.
const TICK: Duration = Duration::from_millis(20);
/// Maximum number of ticks that are played in a row after a pause. The other ticks are skipped.
const MAX_CATCH_UP: i32 = 10;

/// The ticks of the game: 50 per second.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ticks {
    /// Time of tick 0.
    start: Instant,
    current: i32,
}

impl Ticks {
    pub(super) const fn new(start: Instant) -> Self {
        Self { start, current: 0 }
    }

    /// Returns the last tick that was played. It is 0 at first.
    pub(super) const fn current(self) -> i32 {
        self.current
    }

    /// Begins the next tick and returns its number.
    pub(super) const fn begin_next(&mut self) -> i32 {
        self.current = self.current.saturating_add(1);
        self.current
    }

    /// Returns the start of the next tick.
    pub(super) fn next_start(self) -> Instant {
        self.start_of(self.current.saturating_add(1))
    }

    /// Returns the milliseconds from `now` to the start of a tick. The result is negative after the start.
    pub(super) fn time_left(self, now: Instant, tick: i32) -> i32 {
        let start = self.start_of(tick);
        let millis = |span: Duration| i32::try_from(span.as_millis()).unwrap_or(i32::MAX);
        millis(start.since(now)).saturating_sub(millis(now.since(start)))
    }

    /// Returns the number of ticks that are due at `now`. Ticks over the maximum are skipped.
    pub(super) fn due(&mut self, now: Instant) -> i32 {
        let passed = now.since(self.start).as_millis().checked_div(TICK.as_millis()).unwrap_or(0);
        let due = i32::try_from(passed).unwrap_or(i32::MAX).saturating_sub(self.current);
        if due > MAX_CATCH_UP {
            let skipped = TICK.saturating_mul(due.saturating_sub(MAX_CATCH_UP).unsigned_abs());
            self.start = self.start + skipped;
        }
        due.min(MAX_CATCH_UP)
    }

    fn start_of(self, tick: i32) -> Instant {
        self.start + TICK.saturating_mul(u32::try_from(tick).unwrap_or(0))
    }
}
