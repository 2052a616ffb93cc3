//! Works take turns in short rounds, so that what disturbs the machine disturbs all of them.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// How long a work runs in one round, at least once.
const TURN: Duration = Duration::from_millis(15);
/// How many rounds there are, and how many before them do not count.
const ROUNDS: usize = 40;
const WARM_UP: usize = 3;
/// How many rounds there are at most until so many were undisturbed, and how much longer than in the fastest
/// one the first work takes at most in those.
const MOST_ROUNDS: usize = 400;
const UNDISTURBED: f64 = 1.1;

/// Something done again and again.
pub(crate) struct Work<'a> {
    pub(crate) name: &'static str,
    /// How much came of it, and how long it took.
    run: Box<dyn FnMut() -> (usize, Duration) + 'a>,
}

impl<'a> Work<'a> {
    /// What is done says how much came of it, which must always be the same. What it is done with is made
    /// anew each time; that, and to take it down, is no part of the work.
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

    /// Seconds that it takes once.
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

/// Seconds that each work takes once: of each work, in each round.
pub(crate) fn seconds(works: &mut [Work<'_>]) -> Vec<Vec<f64>> {
    rounds(works, |yardstick| yardstick.len() >= ROUNDS)
}

/// The same without the rounds in which something else had a share of the processor; what tells is the first
/// work alone, the yardstick. Where two processors are one core, a neighbour can cost the work that waits least
/// for memory half its speed, and one that waits more a fifth: their ratio says nothing then.
pub(crate) fn undisturbed_seconds(works: &mut [Work<'_>]) -> Vec<Vec<f64>> {
    let all = rounds(works, |yardstick| {
        yardstick.len() >= MOST_ROUNDS || undisturbed(yardstick).filter(|is| *is).count() >= ROUNDS
    });
    let of_rounds = all.iter().map(|row| {
        let rounds = row.iter().zip(undisturbed(&all[0]));
        rounds.filter(|(_, is_undisturbed)| *is_undisturbed).map(|(time, _)| *time).collect()
    });
    let kept: Vec<Vec<f64>> = of_rounds.collect();
    println!("  {} of {} rounds count: {} was undisturbed", kept[0].len(), all[0].len(), works[0].name);
    kept
}

/// Of each round, whether a work was not much slower in it than in its fastest.
fn undisturbed(times: &[f64]) -> impl Iterator<Item = bool> {
    let fastest = times.iter().copied().fold(f64::INFINITY, f64::min);
    times.iter().map(move |time| *time <= fastest * UNDISTURBED)
}

fn rounds(works: &mut [Work<'_>], is_enough: impl Fn(&[f64]) -> bool) -> Vec<Vec<f64>> {
    let expected: Vec<usize> = works.iter_mut().map(|work| (work.run)().0).collect();
    let mut seconds = vec![Vec::new(); works.len()];
    for round in 0.. {
        for turn in 0..works.len() {
            // Nobody always comes after the same other.
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
