//! Runs contenders in alternating short rounds, so that load from other programs affects all of them.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Minimum time per contender and round. Each contender runs at least once.
const TURN: Duration = Duration::from_millis(15);
/// Number of rounds, and of warm-up rounds before them.
const ROUNDS: usize = 40;
const WARM_UP: usize = 3;
/// Maximum number of rounds, and maximum time of the first contender in an undisturbed round, in multiples of its
/// fastest round.
const MAX_ROUNDS: usize = 400;
const UNDISTURBED: f64 = 1.1;

/// Work that is repeated and measured.
pub(crate) struct Work<'a> {
    pub(crate) name: &'static str,
    /// Result and time of one run.
    run: Box<dyn FnMut() -> (usize, Duration) + 'a>,
}

impl<'a> Work<'a> {
    /// Returns a contender. `work` must return the same count in each run. Creating and dropping the input is not
    /// timed.
    pub(crate) fn new<T>(
        name: &'static str,
        mut make: impl FnMut() -> T + 'a,
        mut run: impl FnMut(&mut T) -> usize + 'a,
    ) -> Self {
        let run = move || {
            let mut with = make();
            let began = Instant::now();
            let out = black_box(run(&mut with));
            (out, began.elapsed())
        };
        Self { name, run: Box::new(run) }
    }

    /// Returns the seconds of one run.
    fn turn(&mut self, expected: usize) -> f64 {
        let (mut runs, mut time) = (0, Duration::ZERO);
        while time < TURN {
            let (out, took) = (self.run)();
            assert_eq!(out, expected, "what came of {}", self.name);
            time += took;
            runs += 1;
        }
        time.as_secs_f64() / f64::from(runs)
    }
}

/// Returns the seconds per run, for each contender and round.
pub(crate) fn seconds(works: &mut [Work<'_>]) -> Vec<Vec<f64>> {
    rounds(works, |yardstick| yardstick.len() >= ROUNDS)
}

/// Returns the seconds per run of [`rounds`], without the rounds in which the first contender was slower than usual.
/// If two processors share a core, a busy neighbor slows contenders by different factors, so the ratios of such rounds
/// are meaningless.
pub(crate) fn undisturbed_seconds(works: &mut [Work<'_>]) -> Vec<Vec<f64>> {
    let all = rounds(works, |yardstick| {
        yardstick.len() >= MAX_ROUNDS || undisturbed(yardstick).filter(|is| *is).count() >= ROUNDS
    });
    let of_rounds = all.iter().map(|row| {
        let rounds = row.iter().zip(undisturbed(&all[0]));
        rounds.filter(|(_, is_undisturbed)| *is_undisturbed).map(|(time, _)| *time).collect()
    });
    let kept: Vec<Vec<f64>> = of_rounds.collect();
    println!("  {} of {} rounds count: {} was undisturbed", kept[0].len(), all[0].len(), works[0].name);
    kept
}

/// Returns for each round whether a contender's time was close to its fastest round.
fn undisturbed(times: &[f64]) -> impl Iterator<Item = bool> {
    let fastest = times.iter().copied().fold(f64::INFINITY, f64::min);
    times.iter().map(move |time| *time <= fastest * UNDISTURBED)
}

fn rounds(works: &mut [Work<'_>], is_enough: impl Fn(&[f64]) -> bool) -> Vec<Vec<f64>> {
    let expected: Vec<usize> = works.iter_mut().map(|work| (work.run)().0).collect();
    let mut seconds = vec![Vec::new(); works.len()];
    for round in 0.. {
        for turn in 0..works.len() {
            // The order rotates, so that no contender always follows the same one.
            let index = (turn + round) % works.len();
            let time = works[index].turn(expected[index]);
            if round >= WARM_UP {
                seconds[index].push(time);
            }
        }
        if is_enough(&seconds[0]) {
            break;
        }
    }
    seconds
}
