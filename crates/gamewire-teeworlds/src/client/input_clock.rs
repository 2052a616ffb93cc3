//! The clock that chooses the tick of each input, so that the input reaches the server shortly before the server plays
//! that tick. Snapshots show the approximate tick of the server. INPUTTIMING reports the error of an estimate. Both are
//! smoothed as in the games.

use core::time::Duration;
use std::collections::VecDeque;

use gamewire_machine::Instant;

/// Ticks per second.
const TICKS_PER_SECOND: f64 = 50.0;
/// Maximum distance of the clock from the latest snapshot, in ticks: one second. Beyond it the clock is reset.
const MAX_TICK_DRIFT: i32 = 50;
/// Maximum time from the arrival of an input to its tick. Servers keep inputs of four seconds.
const MAX_MARGIN: Duration = Duration::from_millis(500);
/// Maximum accepted tick. No game reaches it, and later ticks must be representable.
const MAX_TICK: i32 = i32::MAX - 1000;
const TICK: Duration = Duration::from_millis(20);
/// Minimum and maximum time until the next check of the clock.
const CHECK_INTERVAL: (Duration, Duration) = (Duration::from_millis(1), Duration::from_secs(1));
/// Maximum rounding error of times.
const ROUNDING: Duration = Duration::from_micros(2);
/// Maximum number of stored inputs without an INPUTTIMING, as in the games.
const MAX_SENT: usize = 200;
/// An input that arrives later than this, in milliseconds, counts as a spike.
const SPIKE: i32 = -50;
/// A spike is ignored while the spike counter is below this. Each spike increases the counter by five.
const SPIKE_THRESHOLD: u8 = 15;
/// Maximum of the spike counter.
const MAX_SPIKES: u8 = 50;

/// The timing of inputs at the server.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TimingStats {
    /// INPUTTIMING messages received.
    pub reports: u64,
    /// Inputs that were too late for their tick.
    pub late: u64,
    /// Milliseconds from the arrival of the last reported input to its tick.
    pub time_left: Option<i32>,
    /// Smoothed mean of the time left in milliseconds, including spikes.
    pub mean_time_left: Option<f32>,
    /// Resets of the clock.
    pub resets: u64,
}

/// An estimate of the server's time when an input that is sent now will arrive.
#[derive(Debug)]
pub(super) struct InputClock {
    time: SmoothTime,
    spikes: u8,
    /// The tick of the last input.
    last_tick: i32,
    /// Earliest time of the next check, so that there are at most 50 per second.
    next_check: Instant,
    sent: VecDeque<Sent>,
    /// Target for the time from the arrival of an input to its tick, in seconds.
    margin: f64,
}

/// An input in flight.
#[derive(Clone, Copy, Debug)]
struct Sent {
    tick: i32,
    /// Server time in seconds at which it was expected to arrive.
    predicted: f64,
    at: Instant,
}

impl InputClock {
    /// Creates a clock that starts at the tick of a snapshot. Inputs will arrive `margin` before their tick.
    pub(super) fn new(tick: i32, now: Instant, margin: Duration) -> Self {
        let tick = tick.min(MAX_TICK);
        // The first correction is applied immediately.
        Self {
            time: SmoothTime::new(seconds(tick), now, 1000.0),
            spikes: 0,
            last_tick: tick,
            next_check: now,
            sent: VecDeque::with_capacity(MAX_SENT),
            margin: margin.min(MAX_MARGIN).as_secs_f64(),
        }
    }

    /// Returns the tick for an input that is sent now, or `None` if an input was already sent for it. `snapshot` is the
    /// tick of the latest snapshot.
    pub(super) fn tick_to_send(
        &mut self,
        now: Instant,
        snapshot: i32,
        stats: &mut TimingStats,
    ) -> Option<i32> {
        self.next_check = (self.next_check + TICK).clamp(now, now + TICK);
        let (tick, snapshot) = (self.tick(now), snapshot.min(MAX_TICK));
        let away = i64::from(tick).abs_diff(i64::from(snapshot));
        if away > u64::from(MAX_TICK_DRIFT.unsigned_abs()) {
            self.time = SmoothTime::new(seconds(snapshot), now, self.time.upward);
            self.last_tick = snapshot;
            stats.resets = stats.resets.saturating_add(1);
        }
        Some(self.tick(now)).filter(|tick| *tick > self.last_tick)
    }

    /// Returns the time of the next tick without a sent input, according to the present clock.
    pub(super) fn next_tick_at(&self, now: Instant) -> Instant {
        let (min, max) = CHECK_INTERVAL;
        let begins = self.time.when(seconds(self.last_tick)) + ROUNDING;
        begins.clamp(now + min, now + max).max(self.next_check)
    }

    /// Returns the tick of the last input.
    pub(super) const fn last_tick(&self) -> i32 {
        self.last_tick
    }

    /// Records that an input was sent for `tick`.
    pub(super) fn on_send(&mut self, tick: i32, now: Instant) {
        if self.sent.len() >= MAX_SENT {
            self.sent.pop_front();
        }
        self.sent.push_back(Sent { tick, predicted: self.time.at(now), at: now });
        self.last_tick = tick;
    }

    /// Handles an INPUTTIMING: the input for `tick` arrived `time_left` milliseconds before its tick. It is ignored if
    /// no input was sent for the tick, or if the tick was reported before.
    pub(super) fn on_input_timing(
        &mut self,
        tick: i32,
        time_left: i32,
        now: Instant,
        stats: &mut TimingStats,
    ) {
        let Some(at) = self.sent.iter().position(|sent| sent.tick == tick) else { return };
        let Some(sent) = self.sent.get(at).copied() else { return };
        // The server no longer reports older inputs.
        self.sent.drain(..=at);
        stats.count(time_left);
        let late_by = self.margin - f64::from(time_left) / 1000.0;
        let target = sent.predicted + now.since(sent.at).as_secs_f64() + late_by;
        self.correct(target, time_left, now);
    }

    /// Returns the next tick of the server after an input that is sent now has arrived.
    pub(super) fn tick(&self, now: Instant) -> i32 {
        ((self.time.at(now) * TICKS_PER_SECOND) as i32).saturating_add(1)
    }

    fn correct(&mut self, target: f64, time_left: i32, now: Instant) {
        if time_left < 0 {
            if time_left < SPIKE {
                self.spikes = self.spikes.saturating_add(5).min(MAX_SPIKES);
                if self.spikes < SPIKE_THRESHOLD {
                    return;
                }
            }
            if self.time.upward < 30.0 {
                self.time.upward *= 2.0;
            }
        } else {
            self.spikes = self.spikes.saturating_sub(1);
            self.time.upward = (self.time.upward * 0.95).max(2.0);
        }
        self.time.set_target(target, now);
    }
}

impl TimingStats {
    fn count(&mut self, time_left: i32) {
        self.reports = self.reports.saturating_add(1);
        self.late = self.late.saturating_add(u64::from(time_left < 0));
        self.time_left = Some(time_left);
        let mean = self.mean_time_left.unwrap_or(time_left as f32);
        self.mean_time_left = Some(mean + (time_left as f32 - mean) / 16.0);
    }
}

/// A time in seconds that approaches its target smoothly. It rises faster than it falls.
#[derive(Clone, Copy, Debug)]
struct SmoothTime {
    set_at: Instant,
    current: f64,
    target: f64,
    /// Fraction of the difference that is corrected per second when the time is below its target.
    upward: f64,
}

impl SmoothTime {
    /// Fraction of the difference that is corrected per second when the time is above its target.
    const DOWNWARD: f64 = 0.3;

    const fn new(time: f64, now: Instant, upward: f64) -> Self {
        Self { set_at: now, current: time, target: time, upward }
    }

    fn at(&self, now: Instant) -> f64 {
        let passed = now.since(self.set_at).as_secs_f64();
        let speed = if self.target > self.current { self.upward } else { Self::DOWNWARD };
        self.current + passed + (self.target - self.current) * (passed * speed).min(1.0)
    }

    /// Returns when the time will be `time`, without another correction.
    fn when(&self, time: f64) -> Instant {
        let speed = if self.target > self.current { self.upward } else { Self::DOWNWARD };
        let (to_target, to_time) = (self.target - self.current, time - self.current);
        let nearing = to_time / (1.0 + to_target * speed);
        // Once the target is reached, the time advances at its normal rate. Until then it can even decrease.
        let is_nearing = (0.0..=1.0 / speed).contains(&nearing);
        let passed = if is_nearing { nearing } else { to_time - to_target };
        self.set_at + Duration::try_from_secs_f64(passed.max(0.0)).unwrap_or(Duration::MAX)
    }

    fn set_target(&mut self, target: f64, now: Instant) {
        self.current = self.at(now);
        self.target = target;
        self.set_at = now;
    }
}

/// Returns the start of a tick in seconds.
fn seconds(tick: i32) -> f64 {
    f64::from(tick) / TICKS_PER_SECOND
}

#[cfg(test)]
mod tests;
