//! The game's clock: which tick an input is to be meant for, so that it reaches the server shortly
//! before that tick is played. Snapshots say roughly what tick it is there; INPUTTIMING says by how
//! much the last guess was off. The way it is smoothed is that of the games' clients.

use core::time::Duration;
use std::collections::VecDeque;

use gamewire_machine::Instant;

/// Ticks in a second.
const TICKS_A_SECOND: f64 = 50.0;
/// How long before its tick an input is to arrive, in seconds: half a tick, as in the games.
const MARGIN: f64 = 0.01;
/// The clock is set anew when it is further than this from the latest snapshot: one second.
const MAX_TICK_DRIFT: i32 = 50;
/// The last tick that is believed. No game comes near it, and behind it there must be more ticks.
const LAST_TICK: i32 = i32::MAX - 1000;
const TICK: Duration = Duration::from_millis(20);
/// How long it takes at least until the clock is looked at again, and at most.
const WAIT: (Duration, Duration) = (Duration::from_millis(1), Duration::from_secs(1));
/// What times may lose when they are rounded.
const ROUNDING: Duration = Duration::from_micros(2);
/// How many inputs are remembered until the server has said how they arrived, as in the games.
const REMEMBERED: usize = 200;
/// An input that comes later than this, in milliseconds, counts as an accident...
const SPIKE: i32 = -50;
/// ...and is ignored unless there are this many, counted in fives.
const SPIKES_TO_BELIEVE: u8 = 15;
/// Up to where spikes are counted.
const MOST_SPIKES: u8 = 50;

/// How well inputs arrive.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TimingStats {
    /// How often the server said how an input arrived.
    pub reports: u64,
    /// How many of those came too late for their tick.
    pub late: u64,
    /// Milliseconds that were left before its tick when the last one arrived.
    pub time_left: Option<i32>,
    /// The smoothed mean of that, in milliseconds; accidents are in it.
    pub mean_time_left: Option<f32>,
    /// How often the clock was so far off that it was set anew.
    pub resets: u64,
}

/// The server's time as an input sent now will meet it.
#[derive(Debug)]
pub(super) struct InputClock {
    time: SmoothTime,
    spikes: u8,
    /// The tick of the last input.
    last_tick: i32,
    /// When it may be looked at again without a cause: 50 times a second, whatever a server says.
    next_check: Instant,
    sent: VecDeque<Sent>,
}

/// An input on its way. Times are in seconds of the game, or as the machine counts.
#[derive(Clone, Copy, Debug)]
struct Sent {
    tick: i32,
    predicted: f64,
    at: Instant,
}

impl InputClock {
    /// A clock that begins at a snapshot's tick.
    pub(super) fn new(tick: i32, now: Instant) -> Self {
        let tick = tick.min(LAST_TICK);
        // The first correction is taken over at once.
        Self {
            time: SmoothTime::new(seconds(tick), now, 1000.0),
            spikes: 0,
            last_tick: tick,
            next_check: now,
            sent: VecDeque::with_capacity(REMEMBERED),
        }
    }

    /// The tick that an input sent now is meant for, if no input for it was sent yet. `snapshot`
    /// is the tick of the latest snapshot.
    pub(super) fn tick_to_send(
        &mut self,
        now: Instant,
        snapshot: i32,
        stats: &mut TimingStats,
    ) -> Option<i32> {
        self.next_check = (self.next_check + TICK).clamp(now, now + TICK);
        let (tick, snapshot) = (self.tick(now), snapshot.min(LAST_TICK));
        let away = i64::from(tick).abs_diff(i64::from(snapshot));
        if away > u64::from(MAX_TICK_DRIFT.unsigned_abs()) {
            self.time = SmoothTime::new(seconds(snapshot), now, self.time.upward);
            self.last_tick = snapshot;
            stats.resets = stats.resets.saturating_add(1);
        }
        Some(self.tick(now)).filter(|tick| *tick > self.last_tick)
    }

    /// When the tick after the last one that was sent begins, if the clock goes on as it does.
    pub(super) fn next_tick_at(&self, now: Instant) -> Instant {
        let (shortest, longest) = WAIT;
        let begins = self.time.when(seconds(self.last_tick)) + ROUNDING;
        begins.clamp(now + shortest, now + longest).max(self.next_check)
    }

    /// An input was sent, meant for `tick`.
    pub(super) fn sent(&mut self, tick: i32, now: Instant) {
        if self.sent.len() >= REMEMBERED {
            self.sent.pop_front();
        }
        self.sent.push_back(Sent { tick, predicted: self.time.at(now), at: now });
        self.last_tick = tick;
    }

    /// The server says how many milliseconds were left when the input for `tick` arrived. An
    /// input that was not sent, or was told of before, changes nothing.
    pub(super) fn on_input_timing(
        &mut self,
        tick: i32,
        time_left: i32,
        now: Instant,
        stats: &mut TimingStats,
    ) {
        let Some(at) = self.sent.iter().position(|sent| sent.tick == tick) else { return };
        let Some(sent) = self.sent.get(at).copied() else { return };
        // Those before it are not told of any more: the server skips what is old.
        self.sent.drain(..=at);
        stats.count(time_left);
        let late_by = MARGIN - f64::from(time_left) / 1000.0;
        let target = sent.predicted + now.since(sent.at).as_secs_f64() + late_by;
        self.correct(target, time_left, now);
    }

    /// The next tick that begins at the server when an input sent now arrives.
    fn tick(&self, now: Instant) -> i32 {
        ((self.time.at(now) * TICKS_A_SECOND) as i32).saturating_add(1)
    }

    fn correct(&mut self, target: f64, time_left: i32, now: Instant) {
        if time_left < 0 {
            if time_left < SPIKE {
                self.spikes = self.spikes.saturating_add(5).min(MOST_SPIKES);
                if self.spikes < SPIKES_TO_BELIEVE {
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

/// A time in seconds that nears its target instead of jumping there; faster upward than downward.
#[derive(Clone, Copy, Debug)]
struct SmoothTime {
    set_at: Instant,
    current: f64,
    target: f64,
    /// How much of the difference is made up for in a second.
    upward: f64,
}

impl SmoothTime {
    /// How much of the difference is made up for in a second when the time is ahead.
    const DOWNWARD: f64 = 0.3;

    const fn new(time: f64, now: Instant, upward: f64) -> Self {
        Self { set_at: now, current: time, target: time, upward }
    }

    fn at(&self, now: Instant) -> f64 {
        let passed = now.since(self.set_at).as_secs_f64();
        let speed = if self.target > self.current { self.upward } else { Self::DOWNWARD };
        self.current + passed + (self.target - self.current) * (passed * speed).min(1.0)
    }

    /// When it is `time`, if nothing is said in between.
    fn when(&self, time: f64) -> Instant {
        let speed = if self.target > self.current { self.upward } else { Self::DOWNWARD };
        let (to_target, to_time) = (self.target - self.current, time - self.current);
        let nearing = to_time / (1.0 + to_target * speed);
        // Once the target is reached, the time passes as it does elsewhere; on the way there it may even go back.
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

/// When a tick begins, in seconds of the game.
fn seconds(tick: i32) -> f64 {
    f64::from(tick) / TICKS_A_SECOND
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server at a distance: plays input for `delay` each way.
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
            ((self.seconds_at(now) - self.delay.as_secs_f64()) * TICKS_A_SECOND) as i32
        }

        /// How many milliseconds are left when an input sent at `now` arrives.
        fn time_left(&self, tick: i32, now: Instant) -> i32 {
            ((seconds(tick) - self.seconds_at(now + self.delay)) * 1000.0) as i32
        }
    }

    /// Plays for `span`, looking at the clock every millisecond; every `time_left` there was.
    fn play(clock: &mut InputClock, server: &Server, from: Instant, span: Duration) -> Vec<i32> {
        let (mut told, mut on_the_way) = (Vec::new(), VecDeque::<(Instant, i32, i32)>::new());
        for millis in 0..u64::try_from(span.as_millis()).unwrap() {
            let now = from + Duration::from_millis(millis);
            while on_the_way.front().is_some_and(|(at, ..)| *at <= now) {
                let (_, tick, time_left) = on_the_way.pop_front().unwrap();
                clock.on_input_timing(tick, time_left, now, &mut TimingStats::default());
                told.push(time_left);
            }
            if let Some(tick) = clock.tick_to_send(now, server.snapshot(now), &mut TimingStats::default()) {
                clock.sent(tick, now);
                on_the_way.push_back((now + server.delay + server.delay, tick, server.time_left(tick, now)));
            }
        }
        told
    }

    const START: Instant = Instant::from_micros(1_000_000);

    #[test]
    fn inputs_soon_arrive_shortly_before_their_tick_however_far_the_server_is() {
        for millis in [0, 5, 20, 50, 100, 200] {
            let server = Server { delay: Duration::from_millis(millis), tick: 5000 };
            let mut clock = InputClock::new(server.snapshot(START), START);
            let told = play(&mut clock, &server, START, Duration::from_secs(10));
            let settled = &told[told.len() / 2..];
            assert!(settled.len() > 200, "{millis} ms away: {} inputs", settled.len());
            assert!(settled.iter().all(|left| (0..=40).contains(left)), "{millis} ms away: {settled:?}");
        }
    }

    #[test]
    fn one_input_is_sent_for_a_tick_and_none_is_left_out() {
        let server = Server { delay: Duration::from_millis(20), tick: 100 };
        let mut clock = InputClock::new(server.snapshot(START), START);
        play(&mut clock, &server, START, Duration::from_secs(2));
        let from = START + Duration::from_secs(2);
        let mut ticks = Vec::new();
        for millis in 0..1000 {
            let now = from + Duration::from_millis(millis);
            if let Some(tick) = clock.tick_to_send(now, server.snapshot(now), &mut TimingStats::default()) {
                clock.sent(tick, now);
                ticks.push(tick);
            }
        }
        assert!((49..=51).contains(&ticks.len()), "{}", ticks.len());
        assert!(ticks.windows(2).all(|pair| pair[0] + 1 == pair[1]), "{ticks:?}");
    }

    #[test]
    fn a_single_accident_does_not_move_the_clock() {
        let server = Server { delay: Duration::from_millis(20), tick: 100 };
        let mut clock = InputClock::new(server.snapshot(START), START);
        play(&mut clock, &server, START, Duration::from_secs(5));
        let now = START + Duration::from_secs(5);
        let before = clock.time.at(now);
        let tick = clock.last_tick + 1;
        clock.sent(tick, now);
        clock.on_input_timing(tick, -300, now, &mut TimingStats::default());
        assert!((clock.time.at(now + Duration::from_secs(1)) - before - 1.0).abs() < 0.02);
    }

    #[test]
    fn the_clock_follows_when_the_way_becomes_longer_for_good() {
        let mut server = Server { delay: Duration::from_millis(20), tick: 100 };
        let mut clock = InputClock::new(server.snapshot(START), START);
        play(&mut clock, &server, START, Duration::from_secs(5));
        server.delay = Duration::from_millis(150);
        let told = play(&mut clock, &server, START + Duration::from_secs(5), Duration::from_secs(5));
        assert!(told[told.len() - 50..].iter().all(|left| (0..=40).contains(left)), "{told:?}");
    }

    #[test]
    fn g9_after_an_hour_of_sleep_the_clock_is_set_anew_and_sends_once() {
        let server = Server { delay: Duration::from_millis(20), tick: 100 };
        let mut clock = InputClock::new(server.snapshot(START), START);
        play(&mut clock, &server, START, Duration::from_secs(5));
        let now = START + Duration::from_secs(3605);
        let stale = server.snapshot(START + Duration::from_secs(5));
        let mut stats = TimingStats::default();
        let tick = clock.tick_to_send(now, stale, &mut stats).unwrap();
        assert!((stale..=stale + 2).contains(&tick), "{tick} {stale}");
        clock.sent(tick, now);
        assert_eq!(clock.tick_to_send(now, stale, &mut stats), None);
        assert_eq!(stats.resets, 1);
    }

    #[test]
    fn numbers_that_no_game_reaches_do_no_harm() {
        for tick in [i32::MIN, -1, i32::MAX - 1, i32::MAX] {
            let (mut clock, mut stats) = (InputClock::new(tick, START), TimingStats::default());
            for left in [i32::MIN, i32::MAX, 0] {
                let now = START + Duration::from_secs(1);
                if let Some(meant) = clock.tick_to_send(now, tick, &mut stats) {
                    clock.sent(meant, now);
                    clock.on_input_timing(meant, left, now, &mut stats);
                }
                assert!(clock.next_tick_at(now) > now);
            }
        }
    }

    /// Looks at the clock whenever it wants that, for 10 s: how often, and how many inputs were sent.
    fn look(snapshot: i32, mut told: impl FnMut(&mut InputClock, i32, Instant)) -> (usize, usize) {
        let (mut clock, mut now) = (InputClock::new(snapshot, START), START);
        let (mut looks, mut inputs) = (0_usize, 0_usize);
        while now < START + Duration::from_secs(10) {
            looks = looks.saturating_add(1);
            if let Some(tick) = clock.tick_to_send(now, snapshot, &mut TimingStats::default()) {
                inputs = inputs.saturating_add(1);
                clock.sent(tick, now);
                told(&mut clock, tick, now);
            }
            let next = clock.next_tick_at(now);
            assert!(next > now);
            now = next;
        }
        (looks, inputs)
    }

    #[test]
    fn t9_ticks_near_the_end_of_numbers_stop_no_inputs_and_wake_no_more_than_others() {
        for snapshot in [0, 1_000_000, i32::MAX - 1001, i32::MAX - 60, i32::MAX - 1, i32::MAX] {
            let (looks, inputs) = look(snapshot, |_, _, _| {});
            assert!(looks <= 502 && inputs >= 490, "{snapshot}: {inputs} inputs of {looks} looks");
        }
    }

    #[test]
    fn whatever_a_server_says_of_inputs_the_clock_is_looked_at_fifty_times_a_second() {
        for left in [i32::MIN, -1000, -100, -21, 0, 10, 20, 100, 500, 3330, 3333, 3340, 10_000, i32::MAX] {
            let (looks, inputs) = look(5000, |clock, tick, now| {
                clock.on_input_timing(tick, left, now, &mut TimingStats::default());
            });
            assert!(looks <= 502 && inputs > 0, "{left} ms: {inputs} inputs of {looks} looks");
        }
    }

    #[test]
    fn what_was_never_sent_changes_nothing() {
        let (mut clock, mut stats) = (InputClock::new(100, START), TimingStats::default());
        clock.on_input_timing(101, -1000, START, &mut stats);
        assert_eq!(stats, TimingStats::default());
    }
}
