//! The ticks at which the inputs of a player act.

use std::collections::BTreeMap;

use gamewire_tee::input::TeeInput;
use gamewire_tee::rules::Rules;

use super::capture::SentInput;

/// Milliseconds of a tick.
const TICK_MILLIS: i32 = 20;

/// The inputs of one player.
#[derive(Debug, Default)]
pub(crate) struct PlayerInputs {
    /// Inputs of the movement by their tick.
    pub by_tick: BTreeMap<i32, TeeInput>,
    /// Ticks around which an input arrived late, so that its tick is not known.
    late: Vec<(i32, i32)>,
    /// Inputs in the order of their arrival, with the tick that was finished last then.
    pub arrivals: Vec<(i32, TeeInput)>,
}

impl PlayerInputs {
    /// Sorts the inputs of a player. The server with these rules reports how early each one arrived.
    pub(crate) fn new(rules: Rules, sent: &[SentInput]) -> Self {
        let mut inputs = Self::default();
        let mut last = i32::MIN;
        for sent in sent {
            let Some(left) = sent.time_left else {
                // Without a report, the datagram was lost or the capture ended.
                inputs.late.push((sent.tick, sent.tick.saturating_add(5)));
                continue;
            };
            let early = if left <= 0 { left / TICK_MILLIS } else { left / TICK_MILLIS + 1 };
            let mut arrival = sent.tick.saturating_sub(early);
            let mut is_exact = false;
            // A server that waited for a processor computes several ticks at once, so that the time in its report is
            // wrong. It sends the report with the next snapshot, and reads no input between a tick and its snapshot.
            if let Some((before, after)) = sent.snapshots.filter(|(before, after)| before < after) {
                arrival = arrival.clamp(before, after - 1);
                is_exact = before == after - 1;
            }
            let mut tick = sent.tick;
            if left <= 0 {
                // A late input counts for the tick after its arrival.
                tick = tick.max(arrival.saturating_add(1));
                // DDNet 16.4 lets the weapons react to each of several inputs for a tick.
                if !is_exact || rules == Rules::Ddnet16 {
                    inputs.late.push((sent.tick, tick.saturating_add(1)));
                }
            }
            // The first of several inputs for a tick counts.
            inputs.by_tick.entry(tick).or_insert(sent.input);
            if left < i32::MAX {
                last = last.max(arrival);
                inputs.arrivals.push((last, sent.input));
            }
        }
        inputs
    }

    /// Returns whether the input of a tick is not known.
    pub(crate) fn is_uncertain(&self, tick: i32) -> bool {
        self.late.iter().any(|(first, last)| (*first..=*last).contains(&tick))
    }
}
