use std::sync::Arc;

use gamewire_machine::{ConversationSide, Follow, Instant};
use gamewire_wire::{Layer, Span, Trace};

use super::definition::Definitions;
use super::half::{DirectionState, FollowState};
use super::limits::FollowLimits;
use super::talk::{Client, SharedState};
use super::{run, warning};
use crate::delta::Direction;

/// Follows both directions of one connection: frames, packets, and what is remembered of them.
///
/// [`Detector`](super::Detector) finds out whether a connection is Freeciv's at all. What is kept
/// is bounded by the limits.
#[derive(Debug)]
pub struct Follower {
    client: ConversationSide,
    from_client: DirectionState,
    from_server: DirectionState,
    talk: SharedState,
    limits: FollowLimits,
    start: Start,
}

/// Whether the conversation was caught from its first byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Start {
    Caught,
    /// Too late; whether that was told.
    Late {
        is_told: bool,
    },
}

impl Follower {
    /// Of a connection whose next bytes are its first ones.
    #[must_use]
    pub fn new(definitions: &Arc<Definitions>, client: ConversationSide, limits: FollowLimits) -> Self {
        let definition = &definitions.handshake;
        let talk = SharedState::new(Arc::clone(definitions), true, Client::Unknown);
        Self {
            client,
            from_client: DirectionState::new(Direction::ToServer, definition, limits),
            from_server: DirectionState::new(Direction::ToClient, definition, limits),
            talk,
            limits,
            start: Start::Caught,
        }
    }

    /// Of a connection that has begun before: its bytes are counted.
    #[must_use]
    pub fn late(definitions: &Arc<Definitions>, client: ConversationSide, limits: FollowLimits) -> Self {
        let mut follower = Self::new(definitions, client, limits);
        follower.start = Start::Late { is_told: false };
        for half in [&mut follower.from_client, &mut follower.from_server] {
            half.mark_lost();
        }
        follower
    }

    /// So many bytes of the stream of `from` will not be shown.
    pub fn missed(&mut self, from: ConversationSide, bytes: u64) {
        let half = self.half(from);
        half.counts.bytes = half.counts.bytes.saturating_add(bytes);
        half.counts.bytes_not_decoded = half.counts.bytes_not_decoded.saturating_add(bytes);
        if !matches!(half.state, FollowState::Lost { .. }) {
            let is_told = half.state == FollowState::GivenUp;
            half.mark_lost();
            half.state = FollowState::Lost { is_told };
        }
    }

    /// About how much memory the follower holds beside itself, in bytes.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        self.from_client.held_bytes().saturating_add(self.from_server.held_bytes())
    }

    /// Tells what was counted so far, by name.
    pub fn counters(&self, mut tell: impl FnMut(&'static str, u64)) {
        let (client, server) = (self.from_client.counts, self.from_server.counts);
        tell("client_packets", client.packets);
        tell("server_packets", server.packets);
        tell("chunks", client.chunks.saturating_add(server.chunks));
        tell("client_packets_not_decoded", client.packets_not_decoded);
        tell("server_packets_not_decoded", server.packets_not_decoded);
        tell("client_bytes_not_decoded", client.bytes_not_decoded);
        tell("server_bytes_not_decoded", server.bytes_not_decoded);
    }

    fn half(&mut self, from: ConversationSide) -> &mut DirectionState {
        if from == self.client { &mut self.from_client } else { &mut self.from_server }
    }
}

impl Follow for Follower {
    fn follow<T: Trace>(&mut self, _: Instant, from: ConversationSide, data: &[u8], trace: &mut T) {
        let Self { client, from_client, from_server, talk, limits, start } = self;
        let (half, other) =
            if from == *client { (from_client, from_server) } else { (from_server, from_client) };
        match start {
            Start::Caught => run::run(half, other, talk, (data, limits.max_trace_nodes), trace),
            Start::Late { is_told } => {
                let span = Span::bytes(0, data.len());
                trace.enter_source("stream", data);
                trace.enter(Layer::Packet, "run", span);
                if !*is_told {
                    *is_told = true;
                    trace.warning(span, &warning::LATE_START);
                }
                run::not_decoded(half, data, 0, trace);
                trace.exit();
                trace.exit();
            }
        }
    }

    fn dialect(&self) -> Option<&'static str> {
        self.talk.dialect
    }

    fn client(&self) -> Option<ConversationSide> {
        Some(self.client)
    }
}
