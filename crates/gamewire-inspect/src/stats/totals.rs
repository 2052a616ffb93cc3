use std::collections::BTreeMap;
use std::net::SocketAddr;

use gamewire_machine::Role;
use serde::{Serialize, Serializer};

use crate::conversation::PacketInfo;
use crate::time::seconds;

/// The counts of a capture.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct CaptureStats {
    /// Frames by outcome.
    pub frames: FrameTotals,
    /// Messages, the most frequent first.
    pub messages: Vec<NameTotals>,
    /// Items inside messages, the most frequent first.
    pub items: Vec<NameTotals>,
    /// Dialects, the one with the most datagrams first.
    pub dialects: Vec<DialectTotals>,
    /// Conversations, in the order they began.
    pub conversations: Vec<ConversationTotals>,
    /// Number of conversations that are not listed.
    pub further_conversations: u64,
    /// Errors, the most frequent first.
    pub errors: Vec<ProblemTotals>,
    /// Warnings, the most frequent first.
    pub warnings: Vec<ProblemTotals>,
}

/// Frames by outcome.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FrameTotals {
    /// All frames that the inspector received.
    pub total: u64,
    /// Datagrams of a conversation.
    pub datagrams: u64,
    /// The bytes of these datagrams.
    pub bytes: u64,
    /// Datagrams and segments that no protocol recognized.
    pub unrecognized: u64,
    /// Frames without a datagram or segment: other protocols, truncated headers, fragments.
    pub skipped: u64,
    /// Frames with headers that contradict each other.
    pub damaged: u64,
}

/// Totals of a message or item.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct NameTotals {
    /// The protocol, `.` and the name, as in a filter.
    pub name: String,
    /// Number of messages or items that clients sent.
    pub client: u64,
    /// Number of messages or items that servers sent.
    pub server: u64,
    /// Their uncompressed bytes.
    pub bytes: u64,
}

/// Totals of a dialect, or of conversations with an unknown dialect.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct DialectTotals {
    /// The dialect; the protocol's name if it is unknown.
    pub dialect: String,
    /// Number of conversations in the dialect.
    pub conversations: u64,
    /// Their datagrams in both directions.
    #[serde(flatten)]
    pub flow: FlowTotals,
    /// Their errors.
    pub errors: u64,
    /// Their warnings.
    pub warnings: u64,
}

/// Totals of a conversation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConversationTotals {
    /// Its number.
    pub number: u64,
    /// Its protocol.
    pub protocol: &'static str,
    /// Its dialect, if it is known.
    pub dialect: Option<&'static str>,
    /// The client's address.
    pub client: SocketAddr,
    /// The server's address.
    pub server: SocketAddr,
    /// Nanoseconds from the start of the capture to its first datagram; seconds when serialized.
    #[serde(serialize_with = "as_seconds")]
    pub first: i64,
    /// Nanoseconds from the start of the capture to its last datagram; seconds when serialized.
    #[serde(serialize_with = "as_seconds")]
    pub last: i64,
    /// Data from the client.
    pub from_client: FlowTotals,
    /// Data from the server.
    pub from_server: FlowTotals,
    /// Errors.
    pub errors: u64,
    /// Warnings.
    pub warnings: u64,
    /// The follower's counters, by their names in the protocol.
    pub counters: BTreeMap<&'static str, u64>,
}

/// Totals of one direction of a conversation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct FlowTotals {
    /// Datagrams.
    pub datagrams: u64,
    /// The bytes of the datagrams.
    pub bytes: u64,
    /// The messages in the datagrams.
    pub messages: u64,
    /// The messages that are in a group of a packet, such as a chunk, not directly in the packet.
    pub in_groups: u64,
}

/// A kind of error or warning.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ProblemTotals {
    /// The name of the warning; or the location of the error and the expected content.
    pub name: String,
    /// Number of occurrences.
    pub count: u64,
}

impl CaptureStats {
    /// Returns whether any content could not be decoded.
    pub fn has_errors(&self) -> bool {
        !self.errors.is_empty() || self.frames.damaged > 0
    }
}

impl FrameTotals {
    pub(super) fn add(&mut self, other: Self) {
        let Self { total, datagrams, bytes, unrecognized, skipped, damaged } = other;
        add(&mut self.total, total);
        add(&mut self.datagrams, datagrams);
        add(&mut self.bytes, bytes);
        add(&mut self.unrecognized, unrecognized);
        add(&mut self.skipped, skipped);
        add(&mut self.damaged, damaged);
    }
}

impl ConversationTotals {
    /// Returns the dialect, or the protocol if the dialect is unknown.
    pub(super) fn name(&self) -> &'static str {
        self.dialect.unwrap_or(self.protocol)
    }

    pub(super) fn new(info: &PacketInfo) -> Self {
        let PacketInfo { conversation: number, protocol, dialect, from, to, time, .. } = *info;
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

    pub(super) fn add(&mut self, info: &PacketInfo, flow: FlowTotals, problems: ProblemCount) {
        let PacketInfo { dialect, sender, from, to, time, .. } = *info;
        self.dialect = dialect.or(self.dialect);
        self.last = self.last.max(time);
        let (client, server) = if sender == Role::Client { (from, to) } else { (to, from) };
        if (self.client, self.server) != (client, server) {
            // The roles were confused at first.
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
    pub(super) fn add_conversation(&mut self, conversation: &ConversationTotals) {
        let ConversationTotals { errors, warnings, .. } = *conversation;
        add(&mut self.conversations, 1);
        self.add(conversation.from_client, ProblemCount { errors, warnings });
        self.add(conversation.from_server, ProblemCount::default());
    }

    pub(super) fn add(&mut self, flow: FlowTotals, problems: ProblemCount) {
        self.flow.add(flow);
        add(&mut self.errors, problems.errors);
        add(&mut self.warnings, problems.warnings);
    }
}

/// The counts of a file of one direction.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StreamTotals {
    /// The stream as a whole.
    pub stream: StreamStats,
    /// Messages, the most frequent first.
    pub messages: Vec<NameTotals>,
    /// Errors, the most frequent first.
    pub errors: Vec<ProblemTotals>,
    /// Warnings, the most frequent first.
    pub warnings: Vec<ProblemTotals>,
}

/// Totals of a stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StreamStats {
    /// Packets, including those that a filter excludes.
    pub packets: u64,
    /// Chunks of compressed packets.
    pub chunks: u64,
    /// The bytes of the stream.
    pub bytes: u64,
    /// Packets after an error.
    pub packets_not_decoded: u64,
    /// Bytes after an error in a frame.
    pub bytes_not_decoded: u64,
    /// Bytes of an incomplete packet at the end.
    pub unfinished: u64,
}

/// The numbers of problems in a datagram.
#[derive(Clone, Copy, Default)]
pub(super) struct ProblemCount {
    pub(super) errors: u64,
    pub(super) warnings: u64,
}

fn as_seconds<S: Serializer>(nanos: &i64, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_f64(seconds(*nanos))
}

pub(super) fn add(total: &mut u64, more: u64) {
    *total = total.saturating_add(more);
}
