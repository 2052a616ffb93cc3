use std::collections::VecDeque;

use crate::model::message::Input;

/// Maximum number of stored inputs, as in the games.
const MAX_INPUTS: usize = 200;

/// The inputs that a client has sent, with their ticks in ascending order.
#[derive(Clone, Debug, Default)]
pub(crate) struct SentInputs(VecDeque<(i32, Input)>);

impl SentInputs {
    /// Creates a list that never allocates again.
    pub(crate) fn new() -> Self {
        Self(VecDeque::with_capacity(MAX_INPUTS))
    }

    /// Adds an input. Inputs for later ticks are removed: the clock was reset.
    pub(crate) fn push(&mut self, tick: i32, input: Input) {
        while self.0.back().is_some_and(|(last, _)| *last >= tick) {
            self.0.pop_back();
        }
        if self.0.len() >= MAX_INPUTS {
            self.0.pop_front();
        }
        self.0.push_back((tick, input));
    }

    /// Returns the tick of the last input.
    pub(crate) fn last_tick(&self) -> Option<i32> {
        self.0.back().map(|(tick, _)| *tick)
    }

    /// Returns the input that the server uses at a tick: the last one for this tick or an earlier one.
    pub(crate) fn at(&self, tick: i32) -> Input {
        let count = self.0.partition_point(|(of, _)| *of <= tick);
        let last = count.checked_sub(1).and_then(|index| self.0.get(index));
        last.map(|(_, input)| *input).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_input_stays_until_the_next_one() {
        let walking = |direction| Input { direction, ..Input::default() };
        let mut sent = SentInputs::default();
        assert_eq!(sent.at(5), Input::default());
        sent.push(5, walking(1));
        sent.push(9, walking(-1));
        let directions: Vec<i32> = (4..11).map(|tick| sent.at(tick).direction).collect();
        assert_eq!(directions, [0, 1, 1, 1, 1, -1, -1]);
        sent.push(6, walking(0));
        assert_eq!(sent.at(9).direction, 0, "a reset clock replaces later inputs");
        (10..1000).for_each(|tick| sent.push(tick, walking(1)));
        assert!(sent.0.len() <= MAX_INPUTS);
    }
}
