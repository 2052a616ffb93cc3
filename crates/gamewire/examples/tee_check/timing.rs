//! The ticks at which the inputs of a player act.

use std::collections::{BTreeMap, BTreeSet};

use gamewire_tee::input::TeeInput;

use super::capture::SentInput;

/// Milliseconds of a tick.
const TICK_MILLIS: i32 = 20;

/// The ticks of a recording's snapshots.
#[derive(Debug, Default)]
pub(crate) struct SnapshotTicks {
    ticks: BTreeSet<i32>,
    /// True if the server sends a snapshot after each tick, or each row of ticks, before it reads inputs.
    is_high_bandwidth: bool,
}

impl SnapshotTicks {
    pub(crate) fn new(ticks: impl Iterator<Item = i32>) -> Self {
        let ticks: BTreeSet<i32> = ticks.collect();
        // Without `sv_high_bandwidth`, the ticks of all snapshots are even.
        let is_high_bandwidth = ticks.iter().any(|tick| tick % 2 != 0);
        Self { ticks, is_high_bandwidth }
    }

    /// Returns the tick that was finished last when an input arrived between the snapshots of `before` and `after`, and true
    /// if that is certain. `arrival` is an estimate.
    fn finished(&self, before: i32, after: i32, arrival: i32) -> (i32, bool) {
        let mut finished = arrival.clamp(before, after - 1);
        if self.is_high_bandwidth {
            finished = self.ticks.range(before..=finished).next_back().copied().unwrap_or(before);
        }
        // Without a snapshot, the server has computed several ticks in a row, or the datagram was lost.
        (finished, before == after - 1)
    }
}

/// How the arrival of an input differs from the report of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shift {
    /// A tick earlier.
    Earlier,
    /// A tick later.
    Later,
    /// A tick earlier, while the weapon reloaded.
    Lost,
}

/// The inputs of one player.
#[derive(Debug, Default)]
pub(crate) struct PlayerInputs {
    /// Inputs by their tick, with their places.
    by_tick: BTreeMap<i32, Vec<(usize, TeeInput)>>,
    /// Ticks around which an input arrived late, so that its tick is not known.
    late: Vec<(i32, i32)>,
    /// Inputs in the order of their arrival, with the tick that was finished last then.
    pub arrivals: Vec<(i32, TeeInput)>,
}

impl PlayerInputs {
    /// Sorts the inputs of a player. The server reports how early each one arrived.
    pub(crate) fn new(snapshots: &SnapshotTicks, sent: &[SentInput]) -> Self {
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
            // A server that waited for a processor computes several ticks together, so that the time in its report is
            // wrong. It sends the report with the next snapshot, and reads no input between a tick and its snapshot.
            if let Some((before, after)) = sent.snapshots.filter(|(before, after)| before < after) {
                (arrival, is_exact) = snapshots.finished(before, after, arrival);
            }
            let mut tick = sent.tick;
            if left <= 0 {
                // A late input counts for the tick after its arrival.
                tick = tick.max(arrival.saturating_add(1));
                if !is_exact {
                    inputs.late.push((sent.tick, tick.saturating_add(1)));
                }
            }
            let same_tick = inputs.by_tick.entry(tick).or_default();
            let index = same_tick.partition_point(|(place, _)| *place <= sent.place);
            same_tick.insert(index, (sent.place, sent.input));
            if left < i32::MAX {
                last = last.max(arrival);
                inputs.arrivals.push((last, sent.input));
            }
        }
        inputs
    }

    /// Returns the inputs for a tick in the order in which the server finds them. The first one moves the tee.
    pub(crate) fn of_tick(&self, tick: i32) -> impl Iterator<Item = TeeInput> + '_ {
        self.by_tick.get(&tick).into_iter().flatten().map(|(_, input)| *input)
    }

    /// Returns whether at least `count` ticks from `first` to `last` have an input.
    pub(crate) fn has(&self, count: usize, first: i32, last: i32) -> bool {
        first <= last && self.by_tick.range(first..=last).take(count).count() == count
    }

    /// Returns whether the input of a tick is not known.
    pub(crate) fn is_uncertain(&self, tick: i32) -> bool {
        self.late.iter().any(|(first, last)| (*first..=*last).contains(&tick))
    }
}
