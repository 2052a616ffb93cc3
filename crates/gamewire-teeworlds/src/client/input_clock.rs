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

    /// Returns the time of the next tick without an input. A correction of the clock can change it.
    pub(super) fn next_tick_at(&self, now: Instant) -> Instant {
        let (min, max) = CHECK_INTERVAL;
        let begins = self.time.when(seconds(self.last_tick)) + ROUNDING;
        begins.clamp(now + min, now + max).max(self.next_check)
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
    fn tick(&self, now: Instant) -> i32 {
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
mod tests {
    use super::*;

    /// The margin of the games.
    const MARGIN: Duration = Duration::from_millis(10);

    /// A server with a one-way delay.
    struct Server {
        delay: Duration,
        /// The tick at time zero.
        tick: i32,
    }

    impl Server {
        fn seconds_at(&self, now: Instant) -> f64 {
            seconds(self.tick) + now.since(Instant::ZERO).as_secs_f64()
        }

        fn snapshot(&self, now: Instant) -> i32 {
            ((self.seconds_at(now) - self.delay.as_secs_f64()) * TICKS_PER_SECOND) as i32
        }

        /// Returns the milliseconds left when an input sent at `now` arrives.
        fn time_left(&self, tick: i32, now: Instant) -> i32 {
            ((seconds(tick) - self.seconds_at(now + self.delay)) * 1000.0) as i32
        }
    }

    /// Checks the clock every millisecond for `span` and returns every `time_left`.
    fn play(clock: &mut InputClock, server: &Server, from: Instant, span: Duration) -> Vec<i32> {
        let (mut reports, mut in_flight) = (Vec::new(), VecDeque::<(Instant, i32, i32)>::new());
        for millis in 0..u64::try_from(span.as_millis()).unwrap() {
            let now = from + Duration::from_millis(millis);
            while in_flight.front().is_some_and(|(at, ..)| *at <= now) {
                let (_, tick, time_left) = in_flight.pop_front().unwrap();
                clock.on_input_timing(tick, time_left, now, &mut TimingStats::default());
                reports.push(time_left);
            }
            if let Some(tick) = clock.tick_to_send(now, server.snapshot(now), &mut TimingStats::default()) {
                clock.on_send(tick, now);
                in_flight.push_back((now + server.delay + server.delay, tick, server.time_left(tick, now)));
            }
        }
        reports
    }

    const START: Instant = Instant::from_micros(1_000_000);

    #[test]
    fn inputs_arrive_shortly_before_their_tick_at_any_distance() {
        for millis in [0, 5, 20, 50, 100, 200] {
            let server = Server { delay: Duration::from_millis(millis), tick: 5000 };
            let mut clock = InputClock::new(server.snapshot(START), START, MARGIN);
            let reports = play(&mut clock, &server, START, Duration::from_secs(10));
            let settled = &reports[reports.len() / 2..];
            assert!(settled.len() > 200, "{millis} ms away: {} inputs", settled.len());
            assert!(settled.iter().all(|left| (0..=40).contains(left)), "{millis} ms away: {settled:?}");
        }
    }

    #[test]
    fn inputs_arrive_earlier_with_a_larger_margin() {
        let server = Server { delay: Duration::from_millis(20), tick: 5000 };
        let mut clock = InputClock::new(server.snapshot(START), START, Duration::from_millis(60));
        let reports = play(&mut clock, &server, START, Duration::from_secs(10));
        let settled = &reports[reports.len() / 2..];
        assert!(settled.iter().all(|left| (40..=80).contains(left)), "{settled:?}");
    }

    #[test]
    fn one_input_is_sent_for_every_tick() {
        let server = Server { delay: Duration::from_millis(20), tick: 100 };
        let mut clock = InputClock::new(server.snapshot(START), START, MARGIN);
        play(&mut clock, &server, START, Duration::from_secs(2));
        let from = START + Duration::from_secs(2);
        let mut ticks = Vec::new();
        for millis in 0..1000 {
            let now = from + Duration::from_millis(millis);
            if let Some(tick) = clock.tick_to_send(now, server.snapshot(now), &mut TimingStats::default()) {
                clock.on_send(tick, now);
                ticks.push(tick);
            }
        }
        assert!((49..=51).contains(&ticks.len()), "{}", ticks.len());
        assert!(ticks.windows(2).all(|pair| pair[0] + 1 == pair[1]), "{ticks:?}");
    }

    #[test]
    fn a_single_spike_does_not_move_the_clock() {
        let server = Server { delay: Duration::from_millis(20), tick: 100 };
        let mut clock = InputClock::new(server.snapshot(START), START, MARGIN);
        play(&mut clock, &server, START, Duration::from_secs(5));
        let now = START + Duration::from_secs(5);
        let before = clock.time.at(now);
        let tick = clock.last_tick + 1;
        clock.on_send(tick, now);
        clock.on_input_timing(tick, -300, now, &mut TimingStats::default());
        assert!((clock.time.at(now + Duration::from_secs(1)) - before - 1.0).abs() < 0.02);
    }

    #[test]
    fn the_clock_follows_a_lasting_change_of_the_delay() {
        let mut server = Server { delay: Duration::from_millis(20), tick: 100 };
        let mut clock = InputClock::new(server.snapshot(START), START, MARGIN);
        play(&mut clock, &server, START, Duration::from_secs(5));
        server.delay = Duration::from_millis(150);
        let reports = play(&mut clock, &server, START + Duration::from_secs(5), Duration::from_secs(5));
        assert!(reports[reports.len() - 50..].iter().all(|left| (0..=40).contains(left)), "{reports:?}");
    }

    #[test]
    fn g9_after_an_hour_of_sleep_the_clock_is_reset_and_sends_once() {
        let server = Server { delay: Duration::from_millis(20), tick: 100 };
        let mut clock = InputClock::new(server.snapshot(START), START, MARGIN);
        play(&mut clock, &server, START, Duration::from_secs(5));
        let now = START + Duration::from_secs(3605);
        let stale = server.snapshot(START + Duration::from_secs(5));
        let mut stats = TimingStats::default();
        let tick = clock.tick_to_send(now, stale, &mut stats).unwrap();
        assert!((stale..=stale + 2).contains(&tick), "{tick} {stale}");
        clock.on_send(tick, now);
        assert_eq!(clock.tick_to_send(now, stale, &mut stats), None);
        assert_eq!(stats.resets, 1);
    }

    #[test]
    fn extreme_numbers_do_no_harm() {
        for tick in [i32::MIN, -1, i32::MAX - 1, i32::MAX] {
            let (mut clock, mut stats) = (InputClock::new(tick, START, MARGIN), TimingStats::default());
            for left in [i32::MIN, i32::MAX, 0] {
                let now = START + Duration::from_secs(1);
                if let Some(meant) = clock.tick_to_send(now, tick, &mut stats) {
                    clock.on_send(meant, now);
                    clock.on_input_timing(meant, left, now, &mut stats);
                }
                assert!(clock.next_tick_at(now) > now);
            }
        }
    }

    /// Checks the clock when it is due, for 10 s. Returns the number of checks and of inputs.
    fn check(snapshot: i32, mut reports: impl FnMut(&mut InputClock, i32, Instant)) -> (usize, usize) {
        let (mut clock, mut now) = (InputClock::new(snapshot, START, MARGIN), START);
        let (mut checks, mut inputs) = (0_usize, 0_usize);
        while now < START + Duration::from_secs(10) {
            checks = checks.saturating_add(1);
            if let Some(tick) = clock.tick_to_send(now, snapshot, &mut TimingStats::default()) {
                inputs = inputs.saturating_add(1);
                clock.on_send(tick, now);
                reports(&mut clock, tick, now);
            }
            let next = clock.next_tick_at(now);
            assert!(next > now);
            now = next;
        }
        (checks, inputs)
    }

    #[test]
    fn t9_ticks_near_the_maximum_do_not_stop_inputs() {
        for snapshot in [0, 1_000_000, i32::MAX - 1001, i32::MAX - 60, i32::MAX - 1, i32::MAX] {
            let (checks, inputs) = check(snapshot, |_, _, _| {});
            assert!(checks <= 502 && inputs >= 490, "{snapshot}: {inputs} inputs of {checks} checks");
        }
    }

    #[test]
    fn the_clock_is_checked_fifty_times_a_second_for_any_server_report() {
        for left in [i32::MIN, -1000, -100, -21, 0, 10, 20, 100, 500, 3330, 3333, 3340, 10_000, i32::MAX] {
            let (checks, inputs) = check(5000, |clock, tick, now| {
                clock.on_input_timing(tick, left, now, &mut TimingStats::default());
            });
            assert!(checks <= 502 && inputs > 0, "{left} ms: {inputs} inputs of {checks} checks");
        }
    }

    #[test]
    fn a_report_without_an_input_changes_nothing() {
        let (mut clock, mut stats) = (InputClock::new(100, START, MARGIN), TimingStats::default());
        clock.on_input_timing(101, -1000, START, &mut stats);
        assert_eq!(stats, TimingStats::default());
    }
}
