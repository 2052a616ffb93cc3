//! Works take turns in short rounds, so that what disturbs the machine disturbs all of them.

use std::hint::black_box;
use std::time::{Duration, Instant};

/// How long a work runs in one round, at least once.
const TURN: Duration = Duration::from_millis(15);
/// How many rounds there are, and how many before them do not count.
const ROUNDS: usize = 40;
const WARM_UP: usize = 3;

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
    let expected: Vec<usize> = works.iter_mut().map(|work| (work.run)().0).collect();
    let mut seconds = vec![Vec::new(); works.len()];
    for round in 0..WARM_UP + ROUNDS {
        for turn in 0..works.len() {
            // Nobody always comes after the same other.
            let index = (turn + round) % works.len();
            let time = works[index].turn(expected[index]);
            if round >= WARM_UP {
                seconds[index].push(time);
            }
        }
    }
    seconds
}
