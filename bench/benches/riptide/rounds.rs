//! Contenders take turns in short rounds, so that what disturbs the machine disturbs all of them.

use std::time::{Duration, Instant};

use crate::contender::Contender;

/// How long a contender runs in one round.
const TURN: Duration = Duration::from_millis(30);
/// How many rounds there are, and how many before them do not count.
const ROUNDS: usize = 60;
const WARM_UP: usize = 5;
/// After so many frames without a new message, whatever was under way has arrived.
const PATIENCE: usize = 100_000;

/// Somebody who takes part.
pub(crate) struct Entrant {
    pub(crate) name: &'static str,
    pub(crate) contender: Box<dyn Contender>,
    /// How often the clock is read: after so many frames.
    pub(crate) frames: usize,
}

/// Messages that arrived in a second: of each entrant, in each round.
pub(crate) fn rates(entrants: &mut [Entrant], messages: usize) -> Vec<Vec<f64>> {
    let mut rates = vec![Vec::new(); entrants.len()];
    for round in 0..WARM_UP + ROUNDS {
        for turn in 0..entrants.len() {
            // Nobody always comes after the same other.
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
        let before = self.contender.tally().arrived();
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
        let arrived = self.contender.tally().arrived() - before;
        self.settle();
        arrived as f64 / time.as_secs_f64()
    }

    /// Nothing is left under way while the others run.
    fn settle(&mut self) {
        let mut frames = 0;
        while !self.contender.tally().is_settled() {
            frames += 1;
            assert!(frames < PATIENCE, "{} has lost a message: {:?}", self.name, self.contender.tally());
            self.contender.frame(0);
        }
        // The last acknowledgements.
        for _ in 0..3 {
            self.contender.frame(0);
        }
        self.contender.tally().check(self.name);
    }
}
