use core::time::Duration;

use gamewire_machine::Instant;

/// The clock of a replay. It has a speed, and can be paused and stepped.
#[derive(Clone, Copy, Debug)]
pub struct Playback {
    speed: f64,
    is_paused: bool,
    /// The replay time at `since`.
    time: Duration,
    since: Instant,
}

impl Playback {
    /// The minimum speed.
    pub const MIN_SPEED: f64 = 0.01;
    /// The maximum speed.
    pub const MAX_SPEED: f64 = 1_000.0;

    /// Returns a clock that starts at `now` with the recorded speed.
    #[must_use]
    pub const fn new(now: Instant) -> Self {
        Self { speed: 1.0, is_paused: false, time: Duration::ZERO, since: now }
    }

    /// Returns the replay time at `now`.
    #[must_use]
    pub fn time(&self, now: Instant) -> Duration {
        let passed = if self.is_paused { Duration::ZERO } else { now.since(self.since).mul_f64(self.speed) };
        self.time.saturating_add(passed)
    }

    /// Returns the instant at which the replay reaches `time`; `None` if it is paused before `time`.
    #[must_use]
    pub fn when(&self, time: Duration) -> Option<Instant> {
        let left = time.saturating_sub(self.time);
        if left.is_zero() {
            return Some(self.since);
        }
        (!self.is_paused).then(|| self.since + left.div_f64(self.speed))
    }

    /// Changes the speed, clamped to [`Self::MIN_SPEED`] and [`Self::MAX_SPEED`]. 2 is twice the recorded speed.
    pub fn set_speed(&mut self, now: Instant, speed: f64) {
        self.advance(now);
        self.speed = speed.clamp(Self::MIN_SPEED, Self::MAX_SPEED);
    }

    /// Pauses or resumes the clock.
    pub fn set_paused(&mut self, now: Instant, is_paused: bool) {
        self.advance(now);
        self.is_paused = is_paused;
    }

    /// Pauses, and immediately advances the replay time by `time`.
    pub fn step(&mut self, now: Instant, time: Duration) {
        self.set_paused(now, true);
        self.time = self.time.saturating_add(time);
    }

    fn advance(&mut self, now: Instant) {
        self.time = self.time(now);
        self.since = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn a_replay_runs_at_its_speed_pauses_and_steps() {
        let start = Instant::ZERO;
        let mut playback = Playback::new(start);
        playback.set_speed(start, 4.0);
        assert_eq!(playback.time(start + SECOND), 4 * SECOND);
        assert_eq!(playback.when(8 * SECOND), Some(start + 2 * SECOND));
        playback.set_paused(start + SECOND, true);
        assert_eq!(playback.time(start + 9 * SECOND), 4 * SECOND);
        assert_eq!(playback.when(5 * SECOND), None);
        playback.step(start + 9 * SECOND, SECOND);
        assert_eq!(playback.time(start + 10 * SECOND), 5 * SECOND);
        playback.set_speed(start + 10 * SECOND, 0.0);
        playback.set_paused(start + 10 * SECOND, false);
        assert_eq!(playback.time(start + 110 * SECOND), 6 * SECOND);
    }
}
