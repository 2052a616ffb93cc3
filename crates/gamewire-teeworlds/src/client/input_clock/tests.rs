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
