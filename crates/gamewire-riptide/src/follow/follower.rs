use std::sync::Arc;

use gamewire_machine::{ConversationSide, Follow, Instant};
use gamewire_wire::Trace;

use super::carrier::Framing;
use super::watch::ConversationTracker;
use crate::layout::MessageLayouts;
use crate::shared::version::Version;
use crate::v20::V20;
use crate::v21::V21;

/// Follows one conversation of either format, in datagrams or in the two streams of a connection:
/// packets, their numbers, heartbeats and their answers.
///
/// [`Detector`](super::Detector) finds out whether a conversation is Riptide's at all. What is
/// kept is bounded: a few numbers, and of each stream the part of one packet.
#[derive(Debug)]
pub struct Follower {
    talk: FormatFollower,
}

#[derive(Debug)]
enum FormatFollower {
    V20(Framing<V20>, ConversationTracker<V20>),
    V21(Framing<V21>, ConversationTracker<V21>),
}

/// Runs code over either format.
macro_rules! either {
    ($talk:expr, |$carrier:pat_param, $watch:pat_param| $body:expr) => {
        match $talk {
            FormatFollower::V20($carrier, $watch) => $body,
            FormatFollower::V21($carrier, $watch) => $body,
        }
    };
}

/// A version of which followers can be made.
pub(super) trait Followed: Version {
    fn follower(carrier: Framing<Self>) -> Follower;
}

impl Followed for V20 {
    fn follower(carrier: Framing<Self>) -> Follower {
        Follower { talk: FormatFollower::V20(carrier, ConversationTracker::new()) }
    }
}

impl Followed for V21 {
    fn follower(carrier: Framing<Self>) -> Follower {
        Follower { talk: FormatFollower::V21(carrier, ConversationTracker::new()) }
    }
}

impl Follower {
    /// A follower of datagrams in the format called `version`, if there is one of that name.
    #[must_use]
    pub fn of_datagrams(version: &str) -> Option<Self> {
        match version {
            V20::NAME => Some(V20::follower(Framing::Datagrams)),
            V21::NAME => Some(V21::follower(Framing::Datagrams)),
            _ => None,
        }
    }

    /// A follower of the two streams of a connection in the format called `version`, if there is
    /// one of that name.
    #[must_use]
    pub fn of_streams(version: &str) -> Option<Self> {
        match version {
            V20::NAME => Some(V20::follower(Framing::streams())),
            V21::NAME => Some(V21::follower(Framing::streams())),
            _ => None,
        }
    }

    /// Tells the application's messages by the names that `layouts` has for them.
    pub fn set_layouts(&mut self, layouts: Arc<MessageLayouts>) {
        either!(&mut self.talk, |_, watch| watch.layouts = layouts);
    }

    /// So many bytes of the stream of `from` will not be shown.
    pub fn skip(&mut self, from: ConversationSide, bytes: u64) {
        either!(&mut self.talk, |carrier, watch| {
            if let Some(stream) = carrier.stream(from) {
                stream.miss(bytes);
            }
            watch.missed(from);
        });
    }

    /// About how much memory the follower holds beside itself, in bytes.
    #[must_use]
    pub const fn held_bytes(&self) -> usize {
        either!(&self.talk, |carrier, _| match carrier {
            Framing::Datagrams => 0,
            // The part of a packet in each direction.
            Framing::Streams(_) => 4096,
        })
    }

    /// Tells what was counted so far, by name.
    pub fn counters(&self, mut tell: impl FnMut(&'static str, u64)) {
        let counts = either!(&self.talk, |_, watch| watch.counts);
        tell("duplicate_messages", counts.repeated);
        tell("sequence_gaps", counts.gaps);
        tell("answered_heartbeats", counts.round_trips);
    }
}

impl Follow for Follower {
    fn follow<T: Trace>(&mut self, at: Instant, from: ConversationSide, data: &[u8], trace: &mut T) {
        either!(&mut self.talk, |carrier, watch| match carrier.stream(from) {
            Some(stream) => stream.run((at, from), data, watch, trace),
            None => {
                trace.enter_source("datagram", data);
                watch.packet(at, from, data, trace);
                trace.exit();
            }
        });
    }

    fn dialect(&self) -> Option<&'static str> {
        Some(match &self.talk {
            FormatFollower::V20(..) => V20::NAME,
            FormatFollower::V21(..) => V21::NAME,
        })
    }

    fn client(&self) -> Option<ConversationSide> {
        either!(&self.talk, |_, watch| watch.client())
    }
}
