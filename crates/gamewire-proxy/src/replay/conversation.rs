use core::fmt::Display;
use core::time::Duration;
use std::collections::BTreeMap;

use gamewire_inspect::capture::Reader;
use gamewire_inspect::conversation::{FrameOutcome, Inspector};
use gamewire_inspect::protocol::Protocol;
use gamewire_machine::{Record, Role, Transport};
use thiserror::Error;

/// A conversation of a capture: the packets of both sides, in order.
#[derive(Clone, Debug)]
pub struct RecordedConversation {
    /// The conversation's number in the capture, from 1.
    pub number: u64,
    /// The dialect; `None` if it was not detected.
    pub dialect: Option<&'static str>,
    /// The transport.
    pub transport: Transport,
    /// The datagrams, or the chunks of both streams.
    pub packets: Vec<RecordedPacket>,
}

/// A datagram, or the next bytes of a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordedPacket {
    /// The time since the first packet of the conversation.
    pub at: Duration,
    /// The role of the sender.
    pub sender: Role,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// The reason why a conversation cannot be read from a capture.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LoadError {
    /// The bytes are not a capture.
    #[error("{0}")]
    Capture(String),
    /// The capture has no conversation of the protocol.
    #[error("the capture has no conversation of {0}")]
    Missing(&'static str),
    /// The conversation with this number belongs to another protocol, or does not exist.
    #[error("conversation {number} of the capture is not a {protocol} conversation{}", advice(usable))]
    Other {
        /// The number.
        number: u64,
        /// The protocol.
        protocol: &'static str,
        /// Numbers of conversations that can be read.
        usable: Vec<u64>,
    },
    /// No wanted conversation can be read.
    #[error("{}{}", listed(rejected), advice(usable))]
    Rejected {
        /// Number of each wanted conversation, and the reason why it cannot be read.
        rejected: Vec<(u64, String)>,
        /// Numbers of other conversations that can be read.
        usable: Vec<u64>,
    },
}

impl RecordedConversation {
    /// Reads the conversations of a protocol, such as `teeworlds`, from a pcap or pcapng file, in order. Damaged packets
    /// are skipped.
    ///
    /// # Errors
    /// [`LoadError`] if the bytes are not a capture, or if the capture has no conversation of the protocol.
    pub fn load_all(capture: &[u8], protocol: &'static str) -> Result<Vec<Self>, LoadError> {
        let mut reader = Reader::new(capture).map_err(|error| LoadError::Capture(error.to_string()))?;
        let (mut inspector, mut record) = (Inspector::<Protocol>::default(), Record::new());
        let mut found = Found { protocol, conversations: BTreeMap::new() };
        while let Some(frame) = reader.next() {
            let Ok(frame) = frame else { continue };
            record.clear();
            let mut outcome = Some(inspector.frame(&frame, &mut record));
            while let Some(seen) = outcome {
                found.take(&seen, &record);
                record.clear();
                outcome = inspector.next_outcome(&mut record);
            }
        }
        inspector.finish();
        record.clear();
        while let Some(seen) = inspector.next_outcome(&mut record) {
            found.take(&seen, &record);
            record.clear();
        }
        if found.conversations.is_empty() {
            return Err(LoadError::Missing(protocol));
        }
        Ok(found.conversations.into_values().map(|(_, conversation)| conversation).collect())
    }

    /// Reads a conversation of a protocol from a pcap or pcapng file with `read`: the one with the given number, or the
    /// first one that `read` accepts.
    ///
    /// # Errors
    /// [`LoadError`] if the bytes are not a capture, if the capture does not have the conversation, or if `read` rejects
    /// it. The error names the conversations that `read` accepts.
    pub fn load<R, E: Display>(
        capture: &[u8],
        protocol: &'static str,
        number: Option<u64>,
        mut read: impl FnMut(&Self) -> Result<R, E>,
    ) -> Result<R, LoadError> {
        let all = Self::load_all(capture, protocol)?;
        let is_wanted = |conversation: &&Self| number.is_none_or(|number| number == conversation.number);
        let mut rejected = Vec::new();
        for conversation in all.iter().filter(is_wanted) {
            match read(conversation) {
                Ok(recording) => return Ok(recording),
                Err(error) => rejected.push((conversation.number, error.to_string())),
            }
        }
        let others = all.iter().filter(|conversation| !is_wanted(conversation));
        let usable = others.filter(|other| read(other).is_ok()).map(|other| other.number).collect();
        match number {
            Some(number) if rejected.is_empty() => Err(LoadError::Other { number, protocol, usable }),
            _ => Err(LoadError::Rejected { rejected, usable }),
        }
    }

    /// Returns all bytes that `sender` sent.
    #[must_use]
    pub fn bytes_of(&self, sender: Role) -> Vec<u8> {
        let packets = self.packets.iter().filter(|packet| packet.sender == sender);
        packets.flat_map(|packet| &packet.bytes).copied().collect()
    }
}

/// Maximum number of conversations that an error names.
const MAX_NAMED: usize = 8;

fn listed(rejected: &[(u64, String)]) -> String {
    let reason = |(number, reason): &(u64, String)| format!("conversation {number}: {reason}");
    let mut parts: Vec<_> = rejected.iter().take(MAX_NAMED).map(reason).collect();
    match rejected.len().saturating_sub(parts.len()) {
        0 => {}
        more => parts.push(format!("and {more} more")),
    }
    parts.join("; ")
}

fn advice(usable: &[u64]) -> String {
    let numbers: Vec<_> = usable.iter().take(MAX_NAMED).map(u64::to_string).collect();
    if numbers.is_empty() { String::new() } else { format!("; use conversation {}", numbers.join(" or ")) }
}

/// The conversations found so far.
struct Found {
    protocol: &'static str,
    /// The conversations by number, each with the time of its first packet in nanoseconds.
    conversations: BTreeMap<u64, (i64, RecordedConversation)>,
}

impl Found {
    fn take(&mut self, outcome: &FrameOutcome, record: &Record) {
        let Some(info) = outcome.packet().filter(|info| info.protocol == self.protocol) else { return };
        let Some(bytes) = record.source(0) else { return };
        let number = info.conversation;
        let (start, conversation) = self.conversations.entry(number).or_insert_with(|| {
            let transport = info.transport;
            (info.time, RecordedConversation { number, dialect: None, transport, packets: Vec::new() })
        });
        let at = u64::try_from(info.time.saturating_sub(*start)).unwrap_or(0);
        conversation.dialect = info.dialect.or(conversation.dialect);
        let packet =
            RecordedPacket { at: Duration::from_nanos(at), sender: info.sender, bytes: bytes.to_vec() };
        conversation.packets.push(packet);
    }
}
