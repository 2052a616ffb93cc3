use std::collections::VecDeque;

use crate::session::message::Input;

/// How many inputs wait for their tick: half a second, as much as a client is ever ahead.
const WAITING: usize = 25;

/// What a player does, by the tick that it is meant for.
#[derive(Clone, Debug, Default)]
pub(super) struct Inputs {
    waiting: VecDeque<(i32, Input)>,
    current: Input,
    last_tick: i32,
}

impl Inputs {
    /// Takes an input that arrived while the game was at tick `now`; whether it is newer than all
    /// before, so that its sender is told how early it came.
    pub(super) fn take(&mut self, intended_tick: i32, now: i32, input: Input) -> bool {
        let is_new = intended_tick > self.last_tick;
        self.last_tick = intended_tick;
        if self.waiting.len() >= WAITING {
            self.waiting.pop_front();
        }
        // What comes too late is for the next tick.
        self.waiting.push_back((intended_tick.max(now.saturating_add(1)), input));
        is_new
    }

    /// What the player does in `tick`: the newest input that is meant for it or an earlier one.
    pub(super) fn at(&mut self, tick: i32) -> Input {
        while let Some((_, input)) = self.waiting.front().copied().filter(|(meant, _)| *meant <= tick) {
            self.current = input;
            self.waiting.pop_front();
        }
        self.current
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walking(direction: i32) -> Input {
        Input { direction, ..Input::default() }
    }

    #[test]
    fn an_input_acts_from_its_tick_on() {
        let mut inputs = Inputs::default();
        assert!(inputs.take(12, 10, walking(1)));
        assert_eq!([11, 12, 13].map(|tick| inputs.at(tick).direction), [0, 1, 1]);
    }

    #[test]
    fn an_input_that_is_late_acts_in_the_next_tick() {
        let mut inputs = Inputs::default();
        assert!(inputs.take(5, 10, walking(-1)));
        assert_eq!([10, 11].map(|tick| inputs.at(tick).direction), [0, -1]);
        assert!(!inputs.take(5, 11, walking(1)), "it is not told again how late it came");
    }

    #[test]
    fn a_flood_of_inputs_keeps_the_last_ones() {
        let mut inputs = Inputs::default();
        for tick in 0..1000 {
            inputs.take(tick, 0, walking(tick));
        }
        assert_eq!(inputs.waiting.len(), WAITING);
        assert_eq!(inputs.at(999).direction, 999);
    }
}
