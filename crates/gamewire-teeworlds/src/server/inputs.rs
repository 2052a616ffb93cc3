use std::collections::VecDeque;

use crate::model::message::Input;

/// Maximum number of ticks that an input may be ahead of the game: one second. Clients of the games stay below it.
const MAX_TICKS_AHEAD: i32 = 50;
/// Maximum number of queued inputs: one for each tick ahead.
const MAX_QUEUED: usize = 50;

/// The inputs of a player by tick.
#[derive(Clone, Debug, Default)]
pub(super) struct Inputs {
    /// Future inputs, ordered by tick.
    queued: VecDeque<(i32, Input)>,
    current: Input,
    /// The tick of the current input.
    current_tick: Option<i32>,
    last_tick: i32,
}

impl Inputs {
    /// Queues an input that arrived when the game was at tick `now`. Returns whether it is the newest one. The server
    /// answers only a newest input with an INPUTTIMING.
    pub(super) fn push(&mut self, intended_tick: i32, now: i32, input: Input) -> bool {
        let is_new = intended_tick > self.last_tick;
        self.last_tick = intended_tick;
        let is_too_far = intended_tick > now.saturating_add(MAX_TICKS_AHEAD);
        // A newer input has already been played.
        let is_outdated = self.current_tick.is_some_and(|current| intended_tick < current);
        if !is_too_far && !is_outdated {
            self.insert(intended_tick, input);
        }
        is_new
    }

    /// Inserts an input. It replaces an existing input for the same tick.
    fn insert(&mut self, tick: i32, input: Input) {
        let mut index = self.queued.partition_point(|(queued, _)| *queued < tick);
        if let Some((queued_tick, queued)) = self.queued.get_mut(index)
            && *queued_tick == tick
        {
            *queued = input;
            return;
        }
        if self.queued.len() >= MAX_QUEUED {
            self.queued.pop_front();
            index = index.saturating_sub(1);
        }
        self.queued.insert(index, (tick, input));
    }

    /// Returns the input for `now`: the newest one for this tick or an earlier one.
    pub(super) fn at(&mut self, now: i32) -> Input {
        while let Some((tick, input)) = self.queued.front().copied().filter(|(tick, _)| *tick <= now) {
            (self.current, self.current_tick) = (input, Some(tick));
            self.queued.pop_front();
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
    fn an_input_is_valid_from_its_tick_on() {
        let mut inputs = Inputs::default();
        assert!(inputs.push(12, 10, walking(1)));
        assert_eq!([11, 12, 13].map(|tick| inputs.at(tick).direction), [0, 1, 1]);
    }

    #[test]
    fn a_late_input_is_used_in_the_next_tick() {
        let mut inputs = Inputs::default();
        assert!(inputs.push(5, 10, walking(-1)));
        assert_eq!(inputs.at(11).direction, -1);
        assert!(!inputs.push(5, 11, walking(1)), "its timing is not reported again");
    }

    #[test]
    fn an_outdated_input_is_not_used_after_a_newer_one() {
        let mut inputs = Inputs::default();
        inputs.push(13, 10, walking(1));
        inputs.push(12, 10, walking(-1));
        assert_eq!([11, 12, 13, 14].map(|tick| inputs.at(tick).direction), [0, -1, 1, 1]);
        inputs.push(12, 14, walking(-1));
        assert_eq!(inputs.at(15).direction, 1, "the newer one has been played");
    }

    #[test]
    fn an_input_for_a_distant_tick_is_dropped_and_delays_no_other() {
        let mut inputs = Inputs::default();
        for tick in [i32::MAX, 1000, 61, 60, 12] {
            inputs.push(tick, 10, walking(tick));
        }
        assert_eq!(
            [11, 12, 59, 60, 61, i32::MAX].map(|tick| inputs.at(tick).direction),
            [0, 12, 12, 60, 60, 60]
        );
    }

    #[test]
    fn a_flood_of_inputs_keeps_the_last_ones() {
        let mut inputs = Inputs::default();
        for tick in 0..1000 {
            inputs.push(tick, 999, walking(tick));
        }
        assert_eq!(inputs.queued.len(), MAX_QUEUED);
        assert_eq!(inputs.at(1000).direction, 999);
    }
}
