use core::time::Duration;

use gamewire_machine::{Clock, Instant, Machine};

/// Nanoseconds of a second.
const SECOND: u128 = 1_000_000_000;
/// Nanoseconds of a microsecond.
const MICROSECOND: u128 = 1_000;

/// A machine that plays one side of a recording, and that a user can control.
pub trait ReplayMachine: Machine {
    /// Returns the clock of the replay.
    fn playback_mut(&mut self) -> &mut Playback;

    /// Closes all connections. `reason` is sent to the peers, if the protocol has a field for it.
    fn close(&mut self, reason: &str);

    /// Returns whether the replay has ended. A server never ends on its own.
    fn is_closed(&self) -> bool;
}

/// The clock of a replay. It has a speed, and can be paused and stepped.
#[derive(Clone, Copy, Debug)]
pub struct Playback {
    clock: Clock,
    /// Nanoseconds of the recording in a second.
    speed: u128,
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
        Self { clock: Clock::new(now), speed: SECOND, is_paused: false, time: Duration::ZERO, since: now }
    }

    /// Advances the clock to `now` and returns its time. An earlier `now` is ignored.
    pub fn advance(&mut self, now: Instant) -> Instant {
        self.clock.advance(now)
    }

    /// Returns the time of the last [`advance`](Self::advance).
    #[must_use]
    pub const fn now(&self) -> Instant {
        self.clock.now()
    }

    /// Returns the replay time.
    #[must_use]
    pub fn time(&self) -> Duration {
        if self.is_paused {
            return self.time;
        }
        let passed = self.clock.now().since(self.since).as_nanos().saturating_mul(self.speed);
        self.time.saturating_add(duration(passed.div_euclid(SECOND)))
    }

    /// Returns the first instant at which the replay has reached `time`; `None` if it is paused before `time`.
    #[must_use]
    pub fn when(&self, time: Duration) -> Option<Instant> {
        let left = time.saturating_sub(self.time);
        if left.is_zero() {
            return Some(self.since);
        }
        // An instant has whole microseconds.
        let passed = left.as_nanos().saturating_mul(SECOND).div_ceil(self.speed).div_ceil(MICROSECOND);
        (!self.is_paused).then(|| self.since + duration(passed.saturating_mul(MICROSECOND)))
    }

    /// Changes the speed, clamped to [`Self::MIN_SPEED`] and [`Self::MAX_SPEED`]. 2 is twice the recorded speed. A
    /// speed that is not a number has no effect.
    pub fn set_speed(&mut self, speed: f64) {
        self.restart();
        let speed = Duration::try_from_secs_f64(speed.clamp(Self::MIN_SPEED, Self::MAX_SPEED));
        self.speed = speed.map_or(self.speed, |speed| speed.as_nanos());
    }

    /// Pauses or resumes the clock.
    pub fn set_paused(&mut self, is_paused: bool) {
        self.restart();
        self.is_paused = is_paused;
    }

    /// Pauses, and immediately advances the replay time by `time`.
    pub fn step(&mut self, time: Duration) {
        self.set_paused(true);
        self.time = self.time.saturating_add(time);
    }

    /// Lets a new speed apply from now on.
    fn restart(&mut self) {
        self.time = self.time();
        self.since = self.now();
    }
}

fn duration(nanos: u128) -> Duration {
    Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECONDS: Duration = Duration::from_secs(1);

    #[test]
    fn a_replay_runs_at_its_speed_pauses_and_steps() {
        let start = Instant::ZERO;
        let mut playback = Playback::new(start);
        playback.set_speed(4.0);
        playback.advance(start + SECONDS);
        assert_eq!(playback.time(), 4 * SECONDS);
        assert_eq!(playback.when(8 * SECONDS), Some(start + 2 * SECONDS));
        playback.set_paused(true);
        playback.advance(start + 9 * SECONDS);
        assert_eq!(playback.time(), 4 * SECONDS);
        assert_eq!(playback.when(5 * SECONDS), None);
        playback.step(SECONDS);
        playback.advance(start + 10 * SECONDS);
        assert_eq!(playback.time(), 5 * SECONDS);
        playback.set_speed(0.0);
        playback.set_speed(f64::NAN);
        playback.set_paused(false);
        playback.advance(start + 110 * SECONDS);
        assert_eq!(playback.time(), 6 * SECONDS);
    }

    #[test]
    fn a_time_is_reached_when_it_is_announced_and_not_a_microsecond_earlier() {
        let mut playback = Playback::new(Instant::from_micros(7));
        for (step, speed) in (1_u64..).zip([0.01, 0.3, 0.7, 1.0, 3.0, 7.77, 999.9, 1_000.0]) {
            playback.set_speed(speed);
            let time =
                playback.time().saturating_add(Duration::from_nanos(123_456_789_012).saturating_mul(3));
            let at = playback.when(time).map(Instant::as_micros).unwrap_or_default();
            playback.advance(Instant::from_micros(at.saturating_sub(1)));
            assert!(playback.time() < time, "{step}: {speed}");
            playback.advance(Instant::from_micros(at));
            assert!(playback.time() >= time, "{step}: {speed}");
        }
    }
}
