use std::sync::Arc;

use super::definition::Definition;
use crate::delta::{DeltaDecoder, DeltaLimits, Direction, Variants};
use crate::frame::{FrameLimits, FrameSplitter, StreamOffset};

/// Limits of a followed conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FollowLimits {
    /// Limits of the stream of each direction. Nested chunks are always rejected.
    pub frame: FrameLimits,
    /// Limits of the baselines of each direction.
    pub delta: DeltaLimits,
    /// Maximum number of groups and fields in the report of one run. The packets after the limit are decoded and
    /// counted, but not reported.
    pub max_trace_nodes: usize,
}

impl FollowLimits {
    /// The default limits of frames and baselines, and 1,048,576 groups and fields per run.
    pub const DEFAULT: Self =
        Self { frame: FrameLimits::DEFAULT, delta: DeltaLimits::DEFAULT, max_trace_nodes: 1 << 20 };
}

impl Default for FollowLimits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// One direction of a conversation.
#[derive(Debug)]
pub(super) struct DirectionState {
    pub(super) direction: Direction,
    pub(super) splitter: FrameSplitter,
    pub(super) decoder: DeltaDecoder,
    pub(super) limits: DeltaLimits,
    pub(super) state: FollowState,
    pub(super) stats: DirectionStats,
}

/// The state of a followed direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FollowState {
    /// All packets are decoded.
    Followed,
    /// A packet could not be decoded. Frames are split, and packets are only counted.
    GivenUp,
    /// Frames can no longer be split. `is_reported` is true once the trace has the warning.
    Lost { is_reported: bool },
}

/// Counters of a direction.
#[derive(Clone, Copy, Debug, Default)]
pub struct DirectionStats {
    pub(super) bytes: u64,
    /// Number of packets, including those that are not decoded.
    pub packets: u64,
    /// Number of chunks.
    pub chunks: u64,
    /// Number of packets after a decode error.
    pub packets_not_decoded: u64,
    /// Number of bytes that could not be split into frames.
    pub bytes_not_decoded: u64,
}

impl DirectionState {
    pub(super) fn new(direction: Direction, definition: &Definition, limits: FollowLimits) -> Self {
        Self {
            direction,
            splitter: FrameSplitter::new(FrameLimits { depth: 1, ..limits.frame }),
            decoder: DeltaDecoder::new(Arc::clone(&definition.before_join), direction, limits.delta),
            limits: limits.delta,
            state: FollowState::Followed,
            stats: DirectionStats::default(),
        }
    }

    /// Marks the direction as lost, because frames can no longer be split.
    pub(super) fn mark_lost(&mut self) {
        self.give_up();
        self.state = FollowState::Lost { is_reported: true };
        self.splitter = FrameSplitter::default();
    }

    /// Stops decoding, and frees the baselines.
    fn give_up(&mut self) {
        self.state = FollowState::GivenUp;
        self.reset_decoder(Arc::clone(self.decoder.variants()));
    }

    fn reset_decoder(&mut self, variants: Arc<Variants>) {
        self.decoder = DeltaDecoder::new(variants, self.direction, self.limits);
    }

    /// Counts a packet, and also its chunk if the packet is the first one in the chunk.
    pub(super) fn count(&mut self, offset: StreamOffset) {
        self.stats.packets = self.stats.packets.saturating_add(1);
        self.stats.chunks = self.stats.chunks.saturating_add(u64::from(offset.inflated == Some(0)));
        if self.state != FollowState::Followed {
            self.stats.packets_not_decoded = self.stats.packets_not_decoded.saturating_add(1);
        }
    }

    /// Counts bytes that are not decoded.
    pub(super) fn count_skipped(&mut self, bytes: usize) {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        self.stats.bytes_not_decoded = self.stats.bytes_not_decoded.saturating_add(bytes);
    }

    pub(super) fn held_bytes(&self) -> usize {
        self.splitter.held_bytes().saturating_add(self.decoder.memory_usage().bytes)
    }
}

/// The effect of a packet on both directions.
#[derive(Debug)]
pub(super) enum PacketEffect {
    /// No effect.
    Followed,
    /// The version is known, or the capabilities are negotiated, or both.
    Negotiated { definition: Option<Arc<Definition>>, variants: Option<Arc<Variants>> },
    /// Both sides remove the baselines that describe the game.
    ForgetGame,
    /// The packet cannot be decoded, and therefore no later packet of its direction.
    GivenUp,
    /// Frames of its direction can no longer be split.
    Lost,
}

impl PacketEffect {
    /// Applies the effect to the direction of the packet, and to the other one.
    pub(super) fn apply(self, direction: &mut DirectionState, other: Option<&mut DirectionState>) {
        match self {
            Self::Followed => {}
            Self::GivenUp => direction.give_up(),
            Self::Lost => direction.mark_lost(),
            Self::ForgetGame => {
                for direction in [Some(direction), other].into_iter().flatten() {
                    direction.decoder.forget_game_info();
                }
            }
            Self::Negotiated { definition, variants } => {
                for direction in [Some(direction), other].into_iter().flatten() {
                    if let Some(definition) = &definition {
                        direction.reset_decoder(Arc::clone(&definition.before_join));
                    }
                    if let Some(variants) = &variants {
                        direction.decoder.set_variants(Arc::clone(variants));
                    }
                }
            }
        }
    }
}
