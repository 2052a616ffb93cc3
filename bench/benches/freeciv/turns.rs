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
    run: Box<dyn FnMut() -> usize + 'a>,
}

impl<'a> Work<'a> {
    /// What is done says how much came of it, which must always be the same.
    pub(crate) fn new(name: &'static str, run: impl FnMut() -> usize + 'a) -> Self {
        Self { name, run: Box::new(run) }
    }

    /// Seconds that it takes once.
    fn turn(&mut self, expected: usize) -> f64 {
        let began = Instant::now();
        let mut runs = 0;
        loop {
            assert_eq!(black_box((self.run)()), expected, "what came of {}", self.name);
            runs += 1;
            let time = began.elapsed();
            if time >= TURN {
                return time.as_secs_f64() / f64::from(runs);
            }
        }
    }
}

/// Seconds that each work takes once: of each work, in each round.
pub(crate) fn seconds(works: &mut [Work<'_>]) -> Vec<Vec<f64>> {
    let expected: Vec<usize> = works.iter_mut().map(|work| (work.run)()).collect();
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
