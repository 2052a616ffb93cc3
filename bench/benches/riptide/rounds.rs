//! Runs contenders in alternating short rounds, so that load from other programs affects all of them.

use std::time::{Duration, Instant};

use crate::contender::Contender;

/// Time per contender and round.
const TURN: Duration = Duration::from_millis(30);
/// Number of rounds, and of warm-up rounds before them.
const ROUNDS: usize = 60;
const WARM_UP: usize = 5;
/// Maximum number of frames until all messages in flight have arrived.
const MAX_FRAMES: usize = 100_000;

/// A contender and its settings.
pub(crate) struct Entrant {
    pub(crate) name: &'static str,
    pub(crate) contender: Box<dyn Contender>,
    /// Frames between two clock readings.
    pub(crate) frames: usize,
}

/// Returns the messages received per second, for each contender and round.
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

    /// Waits until no message is in flight, so that none is in flight while other contenders run.
    fn drain(&mut self) {
        let mut frames = 0;
        while !self.contender.counting().is_settled() {
            frames += 1;
            assert!(frames < MAX_FRAMES, "{} has lost a message: {:?}", self.name, self.contender.counting());
            self.contender.frame(0);
        }
        // Exchanges the last acks.
        for _ in 0..3 {
            self.contender.frame(0);
        }
        self.contender.counting().check(self.name);
    }
}
