use std::collections::VecDeque;

use crate::session::message::Input;

/// How many ticks an input may be ahead of the game: one second. No client of the games is further.
const MAX_TICKS_AHEAD: i32 = 50;
/// How many inputs wait: one for each of those ticks.
const MAX_QUEUED: usize = 50;

/// What a player does, by the tick that it is meant for.
#[derive(Clone, Debug, Default)]
pub(super) struct Inputs {
    /// Sorted by the tick.
    waiting: VecDeque<(i32, Input)>,
    current: Input,
    /// The tick that the current one is meant for; nothing until there is one.
    played: Option<i32>,
    last_tick: i32,
}

impl Inputs {
    /// Takes an input that arrived while the game was at tick `now`; whether it is newer than all
    /// before, so that its sender is told how early it came.
    pub(super) fn take(&mut self, intended_tick: i32, now: i32, input: Input) -> bool {
        let is_new = intended_tick > self.last_tick;
        self.last_tick = intended_tick;
        let is_too_far = intended_tick > now.saturating_add(MAX_TICKS_AHEAD);
        // What was overtaken on the way is over.
        let is_over = self.played.is_some_and(|played| intended_tick < played);
        if !is_too_far && !is_over {
            self.keep(intended_tick, input);
        }
        is_new
    }

    /// Keeps an input among those that wait, instead of an older one for the same tick.
    fn keep(&mut self, tick: i32, input: Input) {
        let mut at = self.waiting.partition_point(|(meant, _)| *meant < tick);
        if let Some((meant, waiting)) = self.waiting.get_mut(at)
            && *meant == tick
        {
            *waiting = input;
            return;
        }
        if self.waiting.len() >= MAX_QUEUED {
            self.waiting.pop_front();
            at = at.saturating_sub(1);
        }
        self.waiting.insert(at, (tick, input));
    }

    /// What the player does in `tick`: the newest input that is meant for it or an earlier one.
    pub(super) fn at(&mut self, tick: i32) -> Input {
        while let Some((meant, input)) = self.waiting.front().copied().filter(|(meant, _)| *meant <= tick) {
            (self.current, self.played) = (input, Some(meant));
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
        assert_eq!(inputs.at(11).direction, -1);
        assert!(!inputs.take(5, 11, walking(1)), "it is not told again how late it came");
    }

    #[test]
    fn an_input_that_was_overtaken_does_not_act_after_a_newer_one() {
        let mut inputs = Inputs::default();
        inputs.take(13, 10, walking(1));
        inputs.take(12, 10, walking(-1));
        assert_eq!([11, 12, 13, 14].map(|tick| inputs.at(tick).direction), [0, -1, 1, 1]);
        inputs.take(12, 14, walking(-1));
        assert_eq!(inputs.at(15).direction, 1, "it came when the newer one had acted");
    }

    #[test]
    fn an_input_for_a_tick_far_away_is_not_kept_and_holds_up_no_other() {
        let mut inputs = Inputs::default();
        for tick in [i32::MAX, 1000, 61, 60, 12] {
            inputs.take(tick, 10, walking(tick));
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
            inputs.take(tick, 999, walking(tick));
        }
        assert_eq!(inputs.waiting.len(), MAX_QUEUED);
        assert_eq!(inputs.at(1000).direction, 999);
    }
}
