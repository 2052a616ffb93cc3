use std::sync::Arc;

use gamewire_wire::{Layer, Span, Trace};

use super::definition::{Definition, Definitions};
use super::direction::{DirectionState, DirectionStats, FollowLimits, FollowState, PacketEffect};
use super::packet::packet;
use super::run::frame_error;
use super::shared_state::{ClientCapabilities, SharedState};
use crate::delta::Direction;
use crate::frame::StreamOffset;

/// A follower of one direction of a connection, packet by packet.
#[derive(Debug)]
pub struct StreamFollower {
    direction: DirectionState,
    shared: SharedState,
}

/// The position of a packet that a [`StreamFollower`] reported, or of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamPacket {
    /// Position of the packet.
    pub offset: StreamOffset,
    /// Bytes of the packet, including its header; 0 for an error in a frame.
    pub length: usize,
}

/// Detects the direction of a stream by its first bytes, because a client starts with its join request. Returns `None`
/// if there are too few bytes.
pub fn sender(start: &[u8]) -> Option<Direction> {
    match start {
        [high, _, 4, ..] if *high < 0x40 => Some(Direction::ToServer),
        [_, _, _, ..] => Some(Direction::ToClient),
        _ => None,
    }
}

impl StreamFollower {
    /// Creates a follower of a direction. A server's stream does not contain the client's capabilities. They are
    /// `capabilities`, or if it is `None`, all capabilities of the server.
    pub fn new(
        definitions: &Arc<Definitions>,
        direction: Direction,
        capabilities: Option<String>,
        limits: FollowLimits,
    ) -> Self {
        let client = capabilities.map_or(ClientCapabilities::Unknown, ClientCapabilities::Configured);
        let shared = SharedState::new(Arc::clone(definitions), false, client);
        Self { direction: DirectionState::new(direction, &shared.definition, limits), shared }
    }

    /// Creates a follower of a direction that begins after the join. Both sides have all capabilities of `definition`.
    pub fn joined(
        definitions: &Arc<Definitions>,
        definition: &Arc<Definition>,
        direction: Direction,
        limits: FollowLimits,
    ) -> Self {
        let mut shared = SharedState::new(Arc::clone(definitions), false, ClientCapabilities::Unknown);
        let variants = shared.assume_join(definition, direction);
        let mut followed = DirectionState::new(direction, definition, limits);
        followed.decoder.set_variants(variants);
        if direction == Direction::ToClient {
            followed.splitter.use_wide_types();
        }
        Self { direction: followed, shared }
    }

    /// Reports the next packet that ends in `data` to `trace`, and removes the consumed bytes from `data`. Returns
    /// `None` if no packet ends in `data`. After an error, the other bytes are only counted.
    pub fn next<T: Trace>(&mut self, data: &mut &[u8], trace: &mut T) -> Option<StreamPacket> {
        let Self { direction, shared } = self;
        loop {
            if let FollowState::Lost { .. } = direction.state {
                direction.count_skipped(data.len());
                *data = &[];
                return None;
            }
            let (packet, effect) = match direction.splitter.next(data) {
                Ok(None) => return None,
                Ok(Some(found)) if direction.state != FollowState::Followed => {
                    let offset = found.offset;
                    direction.count(offset);
                    continue;
                }
                Err(_) if direction.state != FollowState::Followed => {
                    direction.mark_lost();
                    continue;
                }
                Ok(Some(found)) => {
                    let reported = StreamPacket { offset: found.offset, length: found.bytes.len() };
                    trace.enter_source("packet", found.bytes);
                    let effect =
                        packet(&mut direction.decoder, direction.direction, shared, &found, 0, trace);
                    trace.exit();
                    direction.count(reported.offset);
                    (reported, effect)
                }
                Err(error) => {
                    trace.enter_source("packet", &[]);
                    trace.enter(Layer::Group, "frame", Span::default());
                    frame_error(&error, 0, trace);
                    trace.exit();
                    trace.exit();
                    (StreamPacket { offset: error.offset, length: 0 }, PacketEffect::Lost)
                }
            };
            effect.apply(direction, None);
            return Some(packet);
        }
    }

    /// Returns the direction.
    pub const fn direction(&self) -> Direction {
        self.direction.direction
    }

    /// Returns the dialect, once known.
    pub const fn dialect(&self) -> Option<&'static str> {
        self.shared.dialect
    }

    /// Returns the counters.
    pub const fn stats(&self) -> DirectionStats {
        self.direction.stats
    }

    /// Returns the number of bytes of an incomplete frame. It is above 0 at the end of a truncated stream.
    pub fn pending_bytes(&self) -> u64 {
        self.direction.splitter.pending_bytes()
    }
}
