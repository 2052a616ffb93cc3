use std::collections::VecDeque;

use super::bits::Bits;
use crate::shared::snapshot::{AckState, MAX_AGE_TICKS, Snapshot};

/// Maximum number of snapshots that a client can acknowledge: three seconds at 50 per second.
const MAX_SNAPSHOTS: usize = 150;

/// The part of a frame that one client gets.
#[derive(Debug, Default)]
pub(super) struct Shown {
    pub(super) tick: i32,
    /// The items of the frame. None of them is in `own`.
    pub(super) visible: Bits,
    /// The items that only this client gets, or that it gets with other integers than the other clients.
    pub(super) own: Snapshot,
}

/// The snapshots that were sent to one client, and its acknowledgements.
#[derive(Debug, Default)]
pub(in crate::server) struct ClientSnapshots {
    pub(in crate::server) acks: AckState,
    sent: VecDeque<Shown>,
    /// Dropped snapshots. Their memory is reused.
    spare: Vec<Shown>,
}

impl ClientSnapshots {
    /// Handles the tick that the client acknowledges with an input. -1 requests a full snapshot.
    pub(in crate::server) fn acknowledge(&mut self, tick: i32) {
        let Self { acks, sent, .. } = self;
        acks.acknowledge(tick, |tick| sent.iter().any(|shown| shown.tick == tick));
    }

    /// Returns the allocated memory in bytes.
    pub(in crate::server) fn held_bytes(&self) -> usize {
        let shown = self.sent.iter().chain(&self.spare).map(|shown| shown.own.held_bytes());
        let places = self.sent.capacity().saturating_add(self.spare.capacity());
        places.saturating_mul(size_of::<Shown>()).saturating_add(shown.sum())
    }

    /// Drops the snapshots that are too old to be a base at `tick`, and returns an empty one for `tick`.
    pub(super) fn start(&mut self, tick: i32) -> Shown {
        let oldest = tick.saturating_sub(MAX_AGE_TICKS);
        while self.sent.len() >= MAX_SNAPSHOTS || self.sent.front().is_some_and(|shown| shown.tick < oldest) {
            self.spare.extend(self.sent.pop_front());
        }
        let mut shown = self.spare.pop().unwrap_or_default();
        shown.tick = tick;
        shown.own.clear();
        shown
    }

    /// Returns the acknowledged snapshot, if it is stored.
    pub(super) fn base(&self) -> Option<&Shown> {
        self.sent.iter().rev().find(|shown| shown.tick == self.acks.acked)
    }

    /// Stores a snapshot that was sent.
    pub(super) fn keep(&mut self, shown: Shown) {
        self.sent.push_back(shown);
    }

    /// Reuses the memory of a snapshot that was not sent.
    pub(super) fn discard(&mut self, shown: Shown) {
        self.spare.push(shown);
    }
}
