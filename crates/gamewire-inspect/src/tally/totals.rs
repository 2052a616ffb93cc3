use std::collections::BTreeMap;
use std::net::SocketAddr;

use serde::Serialize;

/// What was counted in a capture.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CaptureStats {
    /// Frames, by what they turned out to be.
    pub frames: FrameTotals,
    /// Messages, the most frequent first.
    pub messages: Vec<NameTotals>,
    /// Items inside messages, the most frequent first.
    pub items: Vec<NameTotals>,
    /// Dialects, the one with the most datagrams first.
    pub dialects: Vec<DialectTotals>,
    /// Conversations, in the order they began.
    pub conversations: Vec<ConversationTotals>,
    /// Conversations beyond those that are listed: their number.
    pub further_conversations: u64,
    /// What could not be decoded, the most frequent first.
    pub errors: Vec<ProblemTotals>,
    /// What was odd but could be decoded, the most frequent first.
    pub warnings: Vec<ProblemTotals>,
}

/// Frames by what they turned out to be.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FrameTotals {
    /// All frames that were given to the inspector.
    pub total: u64,
    /// Datagrams of a conversation.
    pub datagrams: u64,
    /// The bytes of those datagrams.
    pub bytes: u64,
    /// Datagrams and segments that no protocol recognised.
    pub unrecognized: u64,
    /// Frames that hold nothing to look at: other protocols, cut headers, parts of a datagram.
    pub skipped: u64,
    /// Frames with headers that contradict each other.
    pub damaged: u64,
}

/// A message or item.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct NameTotals {
    /// The protocol, `.` and its name: what a filter calls it.
    pub name: String,
    /// How many clients sent.
    pub client: u64,
    /// How many servers sent.
    pub server: u64,
    /// Their bytes, uncompressed.
    pub bytes: u64,
}

/// A dialect, or conversations whose dialect did not show.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DialectTotals {
    /// The dialect; the protocol's name where it did not show.
    pub dialect: String,
    /// Conversations in it.
    pub conversations: u64,
    /// Their datagrams.
    pub datagrams: u64,
    /// The bytes of those.
    pub bytes: u64,
    /// Their messages.
    pub messages: u64,
    /// Those of the messages that stand in a group of a packet, such as a chunk, not directly in it.
    pub in_groups: u64,
    /// What could not be decoded in them.
    pub errors: u64,
    /// What was odd in them.
    pub warnings: u64,
}

/// A conversation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConversationTotals {
    /// Its number.
    pub number: u64,
    /// Its protocol.
    pub protocol: &'static str,
    /// Its dialect, as far as it has shown.
    pub dialect: Option<&'static str>,
    /// The client's address.
    pub client: SocketAddr,
    /// The server's address.
    pub server: SocketAddr,
    /// Nanoseconds from the start of the capture to its first datagram.
    pub first: i64,
    /// Nanoseconds from the start of the capture to its last datagram.
    pub last: i64,
    /// What the client sent.
    pub from_client: FlowTotals,
    /// What the server sent.
    pub from_server: FlowTotals,
    /// What could not be decoded.
    pub errors: u64,
    /// What was odd but could be decoded.
    pub warnings: u64,
    /// What the follower counted in its protocol's own words.
    pub counters: BTreeMap<&'static str, u64>,
}

/// One direction of a conversation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FlowTotals {
    /// Datagrams.
    pub datagrams: u64,
    /// The bytes of those.
    pub bytes: u64,
    /// The messages in those.
    pub messages: u64,
    /// Those of the messages that stand in a group of a packet, such as a chunk, not directly in it.
    pub in_groups: u64,
}

/// A kind of error or warning.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ProblemTotals {
    /// The name of the warning, or what was expected where.
    pub name: String,
    /// How often it happened.
    pub count: u64,
}

impl CaptureStats {
    /// Whether anything could not be decoded.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        !self.errors.is_empty() || self.frames.damaged > 0
    }
}
