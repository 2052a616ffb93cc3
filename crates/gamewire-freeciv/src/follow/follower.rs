use std::sync::Arc;

use gamewire_machine::{ConversationSide, Follow, Instant};
use gamewire_wire::{Layer, Span, Trace};

use super::definition::Definitions;
use super::direction::{DirectionState, FollowLimits, FollowState};
use super::shared_state::{ClientCapabilities, SharedState};
use super::{run, warning};
use crate::delta::Direction;

/// A follower of both directions of one connection: frames, packets and baselines.
///
/// [`Detector`](super::Detector) detects whether a connection is Freeciv. Memory is bounded by the limits.
#[derive(Debug)]
pub struct Follower {
    pub(super) client: ConversationSide,
    pub(super) from_client: DirectionState,
    pub(super) from_server: DirectionState,
    pub(super) shared: SharedState,
    limits: FollowLimits,
    start: Start,
}

/// The start of the conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    Caught,
    /// The first bytes are missing.
    Late {
        is_reported: bool,
    },
}

impl Follower {
    /// Creates a follower for a connection that is captured from its first byte.
    pub fn new(definitions: &Arc<Definitions>, client: ConversationSide, limits: FollowLimits) -> Self {
        let definition = &definitions.handshake;
        let shared = SharedState::new(Arc::clone(definitions), true, ClientCapabilities::Unknown);
        Self {
            client,
            from_client: DirectionState::new(Direction::ToServer, definition, limits),
            from_server: DirectionState::new(Direction::ToClient, definition, limits),
            shared,
            limits,
            start: Start::Caught,
        }
    }

    /// Creates a follower for a connection without its first bytes. It only counts bytes.
    pub fn late(definitions: &Arc<Definitions>, client: ConversationSide, limits: FollowLimits) -> Self {
        let mut follower = Self::new(definitions, client, limits);
        follower.start = Start::Late { is_reported: false };
        for direction in [&mut follower.from_client, &mut follower.from_server] {
            direction.mark_lost();
        }
        follower
    }

    /// Skips `bytes` bytes of the stream from `from` that the capture does not contain.
    pub fn skip(&mut self, from: ConversationSide, bytes: u64) {
        let direction = self.direction(from);
        direction.stats.bytes = direction.stats.bytes.saturating_add(bytes);
        direction.stats.bytes_not_decoded = direction.stats.bytes_not_decoded.saturating_add(bytes);
        if !matches!(direction.state, FollowState::Lost { .. }) {
            let is_reported = direction.state == FollowState::GivenUp;
            direction.mark_lost();
            direction.state = FollowState::Lost { is_reported };
        }
    }

    /// Returns the approximate bytes on the heap.
    pub fn held_bytes(&self) -> usize {
        self.from_client.held_bytes().saturating_add(self.from_server.held_bytes())
    }

    /// Calls `report` with the name and value of each counter.
    pub fn counters(&self, mut report: impl FnMut(&'static str, u64)) {
        let (client, server) = (self.from_client.stats, self.from_server.stats);
        report("client_packets", client.packets);
        report("server_packets", server.packets);
        report("chunks", client.chunks.saturating_add(server.chunks));
        report("client_packets_not_decoded", client.packets_not_decoded);
        report("server_packets_not_decoded", server.packets_not_decoded);
        report("client_bytes_not_decoded", client.bytes_not_decoded);
        report("server_bytes_not_decoded", server.bytes_not_decoded);
    }

    fn direction(&mut self, from: ConversationSide) -> &mut DirectionState {
        if from == self.client { &mut self.from_client } else { &mut self.from_server }
    }
}

impl Follow for Follower {
    fn follow<T: Trace>(&mut self, _: Instant, from: ConversationSide, data: &[u8], trace: &mut T) {
        let Self { client, from_client, from_server, shared, limits, start } = self;
        let (direction, other) =
            if from == *client { (from_client, from_server) } else { (from_server, from_client) };
        match start {
            Start::Caught => run::run(direction, other, shared, data, limits.max_trace_nodes, trace),
            Start::Late { is_reported } => {
                let span = Span::bytes(0, data.len());
                trace.enter_source("stream", data);
                trace.enter(Layer::Packet, "run", span);
                if !*is_reported {
                    *is_reported = true;
                    trace.warning(span, &warning::LATE_START);
                }
                run::not_decoded(direction, data, 0, trace);
                trace.exit();
                trace.exit();
            }
        }
    }

    fn dialect(&self) -> Option<&'static str> {
        self.shared.dialect
    }

    fn client(&self) -> Option<ConversationSide> {
        Some(self.client)
    }
}
