use std::collections::BTreeMap;
use std::net::SocketAddr;

use gamewire_machine::Role;
use serde::Serialize;

use crate::conversation::PacketInfo;

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

impl ConversationTotals {
    pub(super) fn new(sighting: &PacketInfo) -> Self {
        let PacketInfo { conversation: number, protocol, dialect, from, to, time, .. } = *sighting;
        Self {
            number,
            protocol,
            dialect,
            client: from,
            server: to,
            first: time,
            last: time,
            from_client: FlowTotals::default(),
            from_server: FlowTotals::default(),
            errors: 0,
            warnings: 0,
            counters: BTreeMap::new(),
        }
    }

    pub(super) fn add(&mut self, sighting: &PacketInfo, flow: FlowTotals, problems: ProblemCount) {
        let PacketInfo { dialect, sender, from, to, time, .. } = *sighting;
        self.dialect = dialect.or(self.dialect);
        self.last = self.last.max(time);
        let (client, server) = if sender == Role::Client { (from, to) } else { (to, from) };
        if (self.client, self.server) != (client, server) {
            // Who is the client has turned out otherwise than it looked at first.
            (self.client, self.server) = (client, server);
            std::mem::swap(&mut self.from_client, &mut self.from_server);
        }
        match sender {
            Role::Client => self.from_client.add(flow),
            Role::Server => self.from_server.add(flow),
        }
        add(&mut self.errors, problems.errors);
        add(&mut self.warnings, problems.warnings);
    }
}

impl FlowTotals {
    pub(super) fn add(&mut self, other: Self) {
        add(&mut self.datagrams, other.datagrams);
        add(&mut self.bytes, other.bytes);
        add(&mut self.messages, other.messages);
        add(&mut self.in_groups, other.in_groups);
    }
}

impl DialectTotals {
    pub(super) fn add(&mut self, flow: FlowTotals, problems: ProblemCount) {
        add(&mut self.datagrams, flow.datagrams);
        add(&mut self.bytes, flow.bytes);
        add(&mut self.messages, flow.messages);
        add(&mut self.in_groups, flow.in_groups);
        add(&mut self.errors, problems.errors);
        add(&mut self.warnings, problems.warnings);
    }
}

/// Everything that was counted in a file of one direction.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StreamTotals {
    /// The stream as a whole.
    pub stream: StreamStats,
    /// Messages, the most frequent first.
    pub messages: Vec<NameTotals>,
    /// What could not be decoded, the most frequent first.
    pub errors: Vec<ProblemTotals>,
    /// What was odd but could be decoded, the most frequent first.
    pub warnings: Vec<ProblemTotals>,
}

/// A stream as a whole.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StreamStats {
    /// Packets, those that a filter passed over too.
    pub packets: u64,
    /// Chunks of compressed packets.
    pub chunks: u64,
    /// The bytes of the stream.
    pub bytes: u64,
    /// Those of the packets that stand behind an error.
    pub packets_not_decoded: u64,
    /// Its bytes behind an error in a frame.
    pub bytes_not_decoded: u64,
    /// Its bytes at the end that are no whole packet.
    pub unfinished: u64,
}

/// What went wrong in a datagram.
#[derive(Clone, Copy, Default)]
pub(super) struct ProblemCount {
    pub(super) errors: u64,
    pub(super) warnings: u64,
}

pub(super) fn add(total: &mut u64, more: u64) {
    *total = total.saturating_add(more);
}
