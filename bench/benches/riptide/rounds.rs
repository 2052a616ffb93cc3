//! Runs contenders in turns, in short rounds, so that a disturbance of the machine affects all of them.

use std::time::{Duration, Instant};

use crate::contender::Contender;

/// Time that a contender runs in one round.
const TURN: Duration = Duration::from_millis(30);
/// Number of rounds, and of rounds before them that do not count.
const ROUNDS: usize = 60;
const WARM_UP: usize = 5;
/// Frames without a new message after which everything in flight has arrived.
const PATIENCE: usize = 100_000;

/// A contender and its settings.
pub(crate) struct Entrant {
    pub(crate) name: &'static str,
    pub(crate) contender: Box<dyn Contender>,
    /// Frames between two readings of the clock.
    pub(crate) frames: usize,
}

/// Returns the messages received in a second: of each contender, in each round.
pub(crate) fn rates(entrants: &mut [Entrant], messages: usize) -> Vec<Vec<f64>> {
    let mut rates = vec![Vec::new(); entrants.len()];
    for round in 0..WARM_UP + ROUNDS {
        for turn in 0..entrants.len() {
            // The order rotates, so that no contender always follows the same one.
            let index = (turn + round) % entrants.len();
            let rate = entrants[index].turn(messages);
            if round >= WARM_UP {
                rates[index].push(rate);
            }
        }
    }
    rates
}

impl Entrant {
    fn turn(&mut self, messages: usize) -> f64 {
        let before = self.contender.counting().arrived();
        let began = Instant::now();
        let time = loop {
            for _ in 0..self.frames {
                self.contender.frame(messages);
            }
            let time = began.elapsed();
            if time >= TURN {
                break time;
            }
        };
        let arrived = self.contender.counting().arrived() - before;
        self.drain();
        arrived as f64 / time.as_secs_f64()
    }

    /// Nothing stays in flight while the others run.
    fn drain(&mut self) {
        let mut frames = 0;
        while !self.contender.counting().is_settled() {
            frames += 1;
            assert!(frames < PATIENCE, "{} has lost a message: {:?}", self.name, self.contender.counting());
            self.contender.frame(0);
        }
        // The last acknowledgements.
        for _ in 0..3 {
            self.contender.frame(0);
        }
        self.contender.counting().check(self.name);
    }
}
