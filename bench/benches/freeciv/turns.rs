//! Runs contenders in turns, in short rounds, so that a disturbance of the machine affects all of them.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// Time that a contender runs in one round, at least once.
const TURN: Duration = Duration::from_millis(15);
/// Number of rounds, and of rounds before them that do not count.
const ROUNDS: usize = 40;
const WARM_UP: usize = 3;
/// Maximum number of rounds until enough were undisturbed, and how much longer than in its fastest round the first
/// contender may take in those.
const MAX_ROUNDS: usize = 400;
const UNDISTURBED: f64 = 1.1;

/// Work that is repeated and measured.
pub(crate) struct Work<'a> {
    pub(crate) name: &'static str,
    /// Result and time of one run.
    run: Box<dyn FnMut() -> (usize, Duration) + 'a>,
}

impl<'a> Work<'a> {
    /// Creates a contender. `work` returns a count that must always be the same. Setting up and dropping its input is not
    /// measured.
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

/// Returns the seconds of one run: of each contender, in each round.
pub(crate) fn seconds(works: &mut [Work<'_>]) -> Vec<Vec<f64>> {
    rounds(works, |yardstick| yardstick.len() >= ROUNDS)
}

/// Returns the seconds of [`turns`], without the rounds in which another program used the processor. The first contender
/// alone is the yardstick. Where two processors share a core, a busy neighbor can halve the speed of the contender that
/// waits least for memory and cost another one only a fifth, so the ratio of such rounds means nothing.
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

/// Returns for each round whether a contender was about as fast as in its fastest one.
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
