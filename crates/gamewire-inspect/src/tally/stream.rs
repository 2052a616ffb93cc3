use serde::Serialize;

use super::count::CountingTrace;
use super::totals::{NameTotals, ProblemTotals};
use crate::conversation::StreamPacketInfo;

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

impl CountingTrace {
    /// Counts a packet of a stream: what this trace was told since the last call.
    pub fn packet(&mut self, packet: &StreamPacketInfo) {
        self.take_datagram(packet.protocol, packet.sender);
    }

    /// Forgets what this trace was told since the last call: a filter passed over it.
    pub fn forget(&mut self) {
        self.datagram.clear();
    }

    /// What was counted of a stream so far.
    #[must_use]
    pub fn stream_totals(&self, stream: StreamStats) -> StreamTotals {
        let totals = self.totals();
        let (messages, errors, warnings) = (totals.messages, totals.errors, totals.warnings);
        StreamTotals { stream, messages, errors, warnings }
    }
}
