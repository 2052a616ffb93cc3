use std::sync::Arc;

use gamewire_machine::{ConversationSide, Follow, Instant};
use gamewire_wire::Trace;

use super::framing::Framing;
use super::tracker::ConversationTracker;
use crate::layout::MessageLayouts;
use crate::shared::version::Version;
use crate::v20::V20;
use crate::v21::V21;

/// Follows one conversation of either format, in datagrams or in the two streams of a connection: packets,
/// sequence numbers, heartbeats and their replies.
///
/// A [`Detector`](super::Detector) detects whether a conversation is Riptide. The memory is bounded: a few
/// numbers, and a part of one packet per stream.
#[derive(Debug)]
pub struct Follower {
    inner: FormatFollower,
}

#[derive(Debug)]
enum FormatFollower {
    V20(Framing<V20>, ConversationTracker<V20>),
    V21(Framing<V21>, ConversationTracker<V21>),
}

/// Runs code over either format.
macro_rules! either {
    ($inner:expr, |$framing:pat_param, $tracker:pat_param| $body:expr) => {
        match $inner {
            FormatFollower::V20($framing, $tracker) => $body,
            FormatFollower::V21($framing, $tracker) => $body,
        }
    };
}

/// A version that a follower supports.
pub(super) trait Followed: Version {
    fn follower(framing: Framing<Self>) -> Follower;
}

impl Followed for V20 {
    fn follower(framing: Framing<Self>) -> Follower {
        Follower { inner: FormatFollower::V20(framing, ConversationTracker::new()) }
    }
}

impl Followed for V21 {
    fn follower(framing: Framing<Self>) -> Follower {
        Follower { inner: FormatFollower::V21(framing, ConversationTracker::new()) }
    }
}

impl Follower {
    /// Creates a follower of datagrams in the format named `version`, or returns `None` if there is no such
    /// format.
    #[must_use]
    pub fn of_datagrams(version: &str) -> Option<Self> {
        match version {
            V20::NAME => Some(V20::follower(Framing::Datagrams)),
            V21::NAME => Some(V21::follower(Framing::Datagrams)),
            _ => None,
        }
    }

    /// Creates a follower of the two streams of a connection in the format named `version`, or returns `None`
    /// if there is no such format.
    #[must_use]
    pub fn of_streams(version: &str) -> Option<Self> {
        match version {
            V20::NAME => Some(V20::follower(Framing::streams())),
            V21::NAME => Some(V21::follower(Framing::streams())),
            _ => None,
        }
    }

    /// Sets the layouts by which the application's messages are traced.
    pub fn set_layouts(&mut self, layouts: Arc<MessageLayouts>) {
        either!(&mut self.inner, |_, tracker| tracker.layouts = layouts);
    }

    /// Skips `bytes` bytes of the stream from `from` that the capture does not contain.
    pub fn skip(&mut self, from: ConversationSide, bytes: u64) {
        either!(&mut self.inner, |framing, tracker| {
            if let Some(stream) = framing.stream(from) {
                stream.skip(bytes);
            }
            tracker.skip(from);
        });
    }

    /// Returns the approximate heap memory of the follower in bytes.
    #[must_use]
    pub const fn held_bytes(&self) -> usize {
        either!(&self.inner, |framing, _| match framing {
            Framing::Datagrams => 0,
            // The part of a packet in each direction.
            Framing::Streams(_) => 4096,
        })
    }

    /// Reports the counters by name.
    pub fn counters(&self, mut report: impl FnMut(&'static str, u64)) {
        let stats = either!(&self.inner, |_, tracker| tracker.stats);
        report("duplicate_messages", stats.duplicates);
        report("sequence_gaps", stats.gaps);
        report("answered_heartbeats", stats.round_trips);
    }
}

impl Follow for Follower {
    fn follow<T: Trace>(&mut self, at: Instant, from: ConversationSide, data: &[u8], trace: &mut T) {
        either!(&mut self.inner, |framing, tracker| match framing.stream(from) {
            Some(stream) => stream.read((at, from), data, tracker, trace),
            None => {
                trace.enter_source("datagram", data);
                tracker.on_packet(at, from, data, trace);
                trace.exit();
            }
        });
    }

    fn dialect(&self) -> Option<&'static str> {
        Some(match &self.inner {
            FormatFollower::V20(..) => V20::NAME,
            FormatFollower::V21(..) => V21::NAME,
        })
    }

    fn client(&self) -> Option<ConversationSide> {
        either!(&self.inner, |_, tracker| tracker.client())
    }
}
