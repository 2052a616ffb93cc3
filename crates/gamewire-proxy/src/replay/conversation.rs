use core::time::Duration;

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
    #[error("conversation {number} of the capture is not one of {protocol}; gamewire inspect lists them")]
    Other {
        /// The number.
        number: u64,
        /// The protocol.
        protocol: &'static str,
    },
}

impl RecordedConversation {
    /// Reads a conversation of a protocol, such as `teeworlds`, from a pcap or pcapng file: the one with the given
    /// number, or the first one. Damaged packets are skipped.
    ///
    /// # Errors
    /// [`LoadError`] if the bytes are not a capture, or if the capture does not have the conversation.
    pub fn load(capture: &[u8], protocol: &'static str, number: Option<u64>) -> Result<Self, LoadError> {
        let mut reader = Reader::new(capture).map_err(|error| LoadError::Capture(error.to_string()))?;
        let (mut inspector, mut record) = (Inspector::<Protocol>::default(), Record::new());
        let mut found = Found { protocol, number, start: None, conversation: None };
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
        let missing =
            number.map_or(LoadError::Missing(protocol), |number| LoadError::Other { number, protocol });
        found.conversation.ok_or(missing)
    }

    /// Returns all bytes that `sender` sent.
    #[must_use]
    pub fn bytes_of(&self, sender: Role) -> Vec<u8> {
        let packets = self.packets.iter().filter(|packet| packet.sender == sender);
        packets.flat_map(|packet| &packet.bytes).copied().collect()
    }
}

/// The state of a search for a conversation.
struct Found {
    protocol: &'static str,
    number: Option<u64>,
    /// The time of the first packet in nanoseconds.
    start: Option<i64>,
    conversation: Option<RecordedConversation>,
}

impl Found {
    fn take(&mut self, outcome: &FrameOutcome, record: &Record) {
        let Some(info) = outcome.packet().filter(|info| info.protocol == self.protocol) else { return };
        let number = *self.number.get_or_insert(info.conversation);
        let Some(bytes) = record.source(0).filter(|_| number == info.conversation) else { return };
        let start = *self.start.get_or_insert(info.time);
        let at = u64::try_from(info.time.saturating_sub(start)).unwrap_or(0);
        let conversation = self.conversation.get_or_insert_with(|| RecordedConversation {
            number,
            dialect: None,
            transport: info.transport,
            packets: Vec::new(),
        });
        conversation.dialect = info.dialect.or(conversation.dialect);
        let packet =
            RecordedPacket { at: Duration::from_nanos(at), sender: info.sender, bytes: bytes.to_vec() };
        conversation.packets.push(packet);
    }
}
