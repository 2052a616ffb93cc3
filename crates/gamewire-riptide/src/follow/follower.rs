use std::sync::Arc;

use gamewire_machine::{ConversationSide, Follow, Instant};
use gamewire_wire::Trace;

use super::framing::Framing;
use super::tracker::ConversationTracker;
use crate::Format;
use crate::layout::MessageLayouts;
use crate::shared::version::Version as _;
use crate::versions::by_format;

/// A follower of one conversation of either format, in datagrams or in the two streams of a connection: packets,
/// sequence numbers, heartbeats and their replies.
///
/// A [`Detector`](super::Detector) detects whether a conversation is Riptide. The memory is bounded: a few
/// numbers, and a part of one packet per stream.
#[derive(Debug)]
pub struct Follower {
    pub(super) framing: Framing,
    pub(super) tracker: ConversationTracker,
}

impl Follower {
    /// Creates a follower of datagrams in the format named `version`, or returns `None` if there is no such
    /// format.
    pub fn of_datagrams(version: &str) -> Option<Self> {
        format(version).map(Self::datagrams)
    }

    /// Creates a follower of the two streams of a connection in the format named `version`, or returns `None`
    /// if there is no such format.
    pub fn of_streams(version: &str) -> Option<Self> {
        format(version).map(Self::streams)
    }

    pub(super) fn datagrams(format: Format) -> Self {
        Self { framing: Framing::Datagrams, tracker: ConversationTracker::new(format) }
    }

    pub(super) fn streams(format: Format) -> Self {
        Self { framing: Framing::streams(format), tracker: ConversationTracker::new(format) }
    }

    /// Creates a follower of the two streams of a WebSocket in the format named `version`, or returns `None` if there is
    /// no such format.
    pub fn of_websocket(version: &str) -> Option<Self> {
        format(version).map(Self::websockets)
    }

    pub(super) fn websockets(format: Format) -> Self {
        Self { framing: Framing::websockets(), tracker: ConversationTracker::new(format) }
    }

    /// Sets the layouts by which the application's messages are traced.
    pub fn set_layouts(&mut self, layouts: Arc<MessageLayouts>) {
        self.tracker.layouts = layouts;
    }

    /// Skips `bytes` bytes of the stream from `from` that the capture does not contain.
    pub fn skip(&mut self, from: ConversationSide, bytes: u64) {
        if let Some(stream) = self.framing.stream(from) {
            stream.skip(bytes);
        } else if let Some(stream) = self.framing.websocket(from) {
            stream.skip(bytes);
        }
        self.tracker.skip(from);
    }

    /// Returns the approximate heap memory of the follower in bytes.
    pub const fn held_bytes(&self) -> usize {
        match self.framing {
            Framing::Datagrams => 0,
            // Each direction may hold a part of a packet.
            Framing::Streams(_) | Framing::WebSockets(_) => 4096,
        }
    }

    /// Reports the counters by name.
    pub fn counters(&self, mut report: impl FnMut(&'static str, u64)) {
        report("duplicate_messages", self.tracker.stats.duplicates);
        report("sequence_gaps", self.tracker.stats.gaps);
        report("answered_heartbeats", self.tracker.stats.round_trips);
    }
}

/// Returns the format with a name.
fn format(name: &str) -> Option<Format> {
    Format::ALL.into_iter().find(|format| by_format!(format, V => V::NAME) == name)
}

impl Follow for Follower {
    fn follow<T: Trace>(&mut self, at: Instant, from: ConversationSide, data: &[u8], trace: &mut T) {
        if let Some(stream) = self.framing.stream(from) {
            return stream.read(at, from, data, &mut self.tracker, trace);
        }
        if let Some(stream) = self.framing.websocket(from) {
            return stream.read(at, from, data, &mut self.tracker, trace);
        }
        trace.enter_source("datagram", data);
        self.tracker.on_packet(at, from, data, trace);
        trace.exit();
    }

    fn dialect(&self) -> Option<&'static str> {
        Some(by_format!(self.tracker.format, V => V::NAME))
    }

    fn client(&self) -> Option<ConversationSide> {
        self.tracker.client
    }
}
