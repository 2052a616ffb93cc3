use super::sighting::PacketInfo;
use crate::net::{PacketError, SkipReason};

/// Something that a follower counted, in its protocol's own words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// The number of the conversation.
    pub conversation: u64,
    /// What was counted.
    pub name: &'static str,
    /// How often it happened.
    pub count: u64,
}

/// What one frame turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameOutcome {
    /// A datagram of a conversation, or bytes of a stream; its content was told to the trace.
    Datagram(PacketInfo),
    /// Another run of bytes that the same frame made known, or one that waited for it.
    Additional(PacketInfo),
    /// A datagram of an earlier frame that was not recognised then: a later one has shown what it is.
    Deferred(PacketInfo),
    /// A datagram or segment of no protocol that is known here.
    NotRecognised,
    /// A frame without anything to look at.
    Skipped(SkipReason),
    /// A frame whose headers contradict each other.
    Damaged(PacketError),
}

impl FrameOutcome {
    /// The datagram or run of bytes, if it is one.
    #[must_use]
    pub const fn sighting(&self) -> Option<&PacketInfo> {
        match self {
            Self::Datagram(sighting) | Self::Additional(sighting) | Self::Deferred(sighting) => {
                Some(sighting)
            }
            Self::NotRecognised | Self::Skipped(_) | Self::Damaged(_) => None,
        }
    }
}
