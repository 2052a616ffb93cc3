use std::sync::Arc;

use super::definition::Definition;
use super::limits::FollowLimits;
use crate::delta::{DeltaDecoder, Direction};
use crate::frame::{FrameLimits, FrameSplitter};

/// One direction of a conversation.
#[derive(Debug)]
pub(super) struct DirectionState {
    pub(super) direction: Direction,
    pub(super) splitter: FrameSplitter,
    pub(super) decoder: DeltaDecoder,
    limits: FollowLimits,
    pub(super) state: FollowState,
    pub(super) counts: DirectionStats,
}

/// Whether a direction is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FollowState {
    /// From its first byte on.
    Followed,
    /// Behind an error in a packet: frames are known, packets are only counted.
    GivenUp,
    /// It is not known where frames begin; whether that was told.
    Lost { is_told: bool },
}

/// What went by in a direction.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct DirectionStats {
    pub(super) bytes: u64,
    pub(super) packets: u64,
    pub(super) chunks: u64,
    /// Packets behind one that could not be decoded.
    pub(super) packets_not_decoded: u64,
    /// Bytes of the stream of which not even frames are known.
    pub(super) bytes_not_decoded: u64,
}

impl DirectionState {
    pub(super) fn new(direction: Direction, definition: &Definition, limits: FollowLimits) -> Self {
        Self {
            direction,
            splitter: FrameSplitter::new(FrameLimits { depth: 1, ..limits.frame }),
            decoder: decoder(direction, definition, limits),
            limits,
            state: FollowState::Followed,
            counts: DirectionStats::default(),
        }
    }

    pub(super) fn set_definition(&mut self, definition: &Definition) {
        self.decoder = decoder(self.direction, definition, self.limits);
    }

    /// Where frames begin is not known any more.
    pub(super) fn mark_lost(&mut self) {
        self.give_up();
        self.state = FollowState::Lost { is_told: true };
        self.splitter = FrameSplitter::default();
    }

    /// Packets cannot be decoded any more. What was remembered may be large.
    pub(super) fn give_up(&mut self) {
        self.state = FollowState::GivenUp;
        self.decoder =
            DeltaDecoder::new(Arc::clone(self.decoder.variants()), self.direction, self.limits.delta);
    }

    /// A packet went by, as the first of a chunk or not.
    pub(super) const fn count(&mut self, begins_chunk: bool) {
        self.counts.packets = self.counts.packets.saturating_add(1);
        self.counts.chunks = self.counts.chunks.saturating_add(begins_chunk as u64);
        if !matches!(self.state, FollowState::Followed) {
            self.counts.packets_not_decoded = self.counts.packets_not_decoded.saturating_add(1);
        }
    }

    /// Bytes that cannot be read went by.
    pub(super) fn count_skipped(&mut self, bytes: usize) {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        self.counts.bytes_not_decoded = self.counts.bytes_not_decoded.saturating_add(bytes);
    }

    pub(super) fn held_bytes(&self) -> usize {
        self.splitter.held_bytes().saturating_add(self.decoder.memory_usage().1)
    }
}

fn decoder(direction: Direction, definition: &Definition, limits: FollowLimits) -> DeltaDecoder {
    DeltaDecoder::new(Arc::clone(&definition.before_join), direction, limits.delta)
}
