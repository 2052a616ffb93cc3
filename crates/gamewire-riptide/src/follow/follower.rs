use std::sync::Arc;

use gamewire_machine::{End, Follow, Instant};
use gamewire_wire::Trace;

use super::carrier::Carrier;
use super::watch::Watch;
use crate::layout::MessageLayouts;
use crate::shared::version::Version;
use crate::v20::V20;
use crate::v21::V21;

/// Follows one conversation of either format, in datagrams or in the two streams of a connection:
/// packets, their numbers, heartbeats and their answers.
///
/// [`Suspicion`](super::Suspicion) finds out whether a conversation is Riptide's at all. What is
/// kept is bounded: a few numbers, and of each stream the part of one packet.
#[derive(Debug)]
pub struct Follower {
    talk: Talk,
}

#[derive(Debug)]
enum Talk {
    V20(Carrier<V20>, Watch<V20>),
    V21(Carrier<V21>, Watch<V21>),
}

/// Runs code over either format.
macro_rules! either {
    ($talk:expr, |$carrier:pat_param, $watch:pat_param| $body:expr) => {
        match $talk {
            Talk::V20($carrier, $watch) => $body,
            Talk::V21($carrier, $watch) => $body,
        }
    };
}

/// A version of which followers can be made.
pub(super) trait Followed: Version {
    fn follower(carrier: Carrier<Self>) -> Follower;
}

impl Followed for V20 {
    fn follower(carrier: Carrier<Self>) -> Follower {
        Follower { talk: Talk::V20(carrier, Watch::new()) }
    }
}

impl Followed for V21 {
    fn follower(carrier: Carrier<Self>) -> Follower {
        Follower { talk: Talk::V21(carrier, Watch::new()) }
    }
}

impl Follower {
    /// A follower of datagrams in the format called `version`, if there is one of that name.
    #[must_use]
    pub fn of_datagrams(version: &str) -> Option<Self> {
        match version {
            V20::NAME => Some(V20::follower(Carrier::Datagrams)),
            V21::NAME => Some(V21::follower(Carrier::Datagrams)),
            _ => None,
        }
    }

    /// A follower of the two streams of a connection in the format called `version`, if there is
    /// one of that name.
    #[must_use]
    pub fn of_streams(version: &str) -> Option<Self> {
        match version {
            V20::NAME => Some(V20::follower(Carrier::streams())),
            V21::NAME => Some(V21::follower(Carrier::streams())),
            _ => None,
        }
    }

    /// Tells the application's messages by the names that `layouts` has for them.
    pub fn set_layouts(&mut self, layouts: Arc<MessageLayouts>) {
        either!(&mut self.talk, |_, watch| watch.layouts = layouts);
    }

    /// So many bytes of the stream of `from` will not be shown.
    pub fn missed(&mut self, from: End, bytes: u64) {
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
            Carrier::Datagrams => 0,
            // The part of a packet in each direction.
            Carrier::Streams(_) => 4096,
        })
    }

    /// Tells what was counted so far, by name.
    pub fn counters(&self, mut tell: impl FnMut(&'static str, u64)) {
        let counts = either!(&self.talk, |_, watch| watch.counts);
        tell("repeated_messages", counts.repeated);
        tell("sequence_gaps", counts.gaps);
        tell("answered_heartbeats", counts.round_trips);
    }
}

impl Follow for Follower {
    fn follow<T: Trace>(&mut self, at: Instant, from: End, data: &[u8], trace: &mut T) {
        either!(&mut self.talk, |carrier, watch| match carrier.stream(from) {
            Some(stream) => stream.run((at, from), data, watch, trace),
            None => {
                trace.enter_source("datagram", data);
                watch.packet(at, from, data, trace);
                trace.leave();
            }
        });
    }

    fn dialect(&self) -> Option<&'static str> {
        Some(match &self.talk {
            Talk::V20(..) => V20::NAME,
            Talk::V21(..) => V21::NAME,
        })
    }

    fn client(&self) -> Option<End> {
        either!(&self.talk, |_, watch| watch.client())
    }
}
