use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, VecDeque};

use super::frame::{Fragment, Frame, FrameHeader};
use super::{ExtensionConfig, PACKET_COST};
use crate::Format;
use crate::message::{Message, MessageSendMode};
use crate::shared::payload::Payload;

/// The peer violated the rules of the extension. The connection must close, because an acknowledged packet cannot be
/// dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Violation;

/// A complete message that is ready for the application.
#[derive(Debug)]
pub(crate) struct CompleteMessage {
    pub(crate) message: Message,
    pub(crate) is_ordered: bool,
}

/// The incomplete messages, and those that wait for earlier ones.
#[derive(Debug)]
pub(super) struct Reassembler {
    format: Format,
    /// Number of the next ordered message.
    next: u16,
    ordered: BTreeMap<u16, Reassembly>,
    loose: BTreeMap<u16, Reassembly>,
    /// Bytes of incomplete and waiting messages, plus [`PACKET_COST`] for each packet.
    pub(super) held: usize,
    /// Complete messages for the application.
    pub(super) ready: VecDeque<CompleteMessage>,
}

impl Reassembler {
    pub(super) fn new(format: Format) -> Self {
        let (ordered, loose) = (BTreeMap::new(), BTreeMap::new());
        Self { format, next: 0, ordered, loose, held: 0, ready: VecDeque::new() }
    }

    /// Handles a packet of a message.
    pub(super) fn receive(&mut self, frame: &Frame<'_>, bounds: &ExtensionConfig) -> Result<(), Violation> {
        let about = frame.about;
        let is_whole_bytes = self.format == Format::V21 || about.bits.is_multiple_of(8);
        if !is_whole_bytes || about.bytes() > bounds.max_message_size {
            return Err(Violation);
        }
        if about.is_ordered && about.number.wrapping_sub(self.next) >= bounds.max_pending_messages() {
            return Err(Violation);
        }
        if about.is_ordered
            && about.number == self.next
            && frame.place == Fragment::Whole
            && !self.ordered.contains_key(&about.number)
        {
            self.release(&about, frame.content);
            self.next = self.next.wrapping_add(1);
            self.release_waiting();
            return Ok(());
        }
        self.keep(frame, bounds)
    }

    fn keep(&mut self, frame: &Frame<'_>, bounds: &ExtensionConfig) -> Result<(), Violation> {
        let FrameHeader { number, is_ordered, .. } = frame.about;
        let held = self.held.saturating_add(cost(1, frame.content.len()));
        let messages = self.ordered.len().saturating_add(self.loose.len());
        let assemblies = if is_ordered { &mut self.ordered } else { &mut self.loose };
        let is_new = !assemblies.contains_key(&number);
        if held > bounds.reassembly_buffer || (is_new && messages >= bounds.max_pending_messages().into()) {
            return Err(Violation);
        }
        let assembly = assemblies.entry(number).or_insert_with(|| Reassembly::new(frame));
        assembly.add(frame)?;
        self.held = held;
        let is_complete = assembly.is_complete();
        if is_ordered {
            self.release_waiting();
        } else if is_complete && let Some(assembly) = self.loose.remove(&number) {
            self.release_assembly(assembly);
        }
        Ok(())
    }

    /// Releases the complete ordered messages up to the first incomplete one.
    fn release_waiting(&mut self) {
        while self.ordered.get(&self.next).is_some_and(Reassembly::is_complete)
            && let Some(assembly) = self.ordered.remove(&self.next)
        {
            self.release_assembly(assembly);
            self.next = self.next.wrapping_add(1);
        }
    }

    fn release_assembly(&mut self, assembly: Reassembly) {
        let (about, packets) = (assembly.about, assembly.parts.len());
        self.held = self.held.saturating_sub(cost(packets, about.bytes()));
        self.release(&about, &assembly.join());
    }

    fn release(&mut self, about: &FrameHeader, bytes: &[u8]) {
        let bits = usize::try_from(about.bits).unwrap_or(usize::MAX);
        let payload = Payload::with_bits(bytes, bits);
        let message = Message::received(self.format, MessageSendMode::Reliable, Some(about.id), &payload);
        self.ready.push_back(CompleteMessage { message, is_ordered: about.is_ordered });
    }
}

/// Returns the cost of a message of `bytes` bytes in `packets` packets.
pub(super) const fn cost(packets: usize, bytes: usize) -> usize {
    packets.saturating_mul(PACKET_COST).saturating_add(bytes)
}

/// A message with missing parts. No memory is reserved for the missing ones.
#[derive(Debug)]
pub(super) struct Reassembly {
    about: FrameHeader,
    /// Bytes of each part except the last; 0 for a message in one packet.
    size: u16,
    count: usize,
    parts: BTreeMap<u16, Box<[u8]>>,
}

impl Reassembly {
    /// Creates the reassembly of a packet's message. The packet is not added.
    pub(super) fn new(frame: &Frame<'_>) -> Self {
        let about = frame.about;
        let (size, count) = match frame.place {
            Fragment::Whole => (0, 1),
            Fragment::Part { size, .. } => (size, about.parts(size)),
        };
        Self { about, size, count, parts: BTreeMap::new() }
    }

    /// Adds a packet. It must match the previous ones and be another part.
    pub(super) fn add(&mut self, frame: &Frame<'_>) -> Result<(), Violation> {
        let (index, size) = match frame.place {
            Fragment::Whole => (0, 0),
            Fragment::Part { index, size } => (index, size),
        };
        if frame.about != self.about || size != self.size {
            return Err(Violation);
        }
        match self.parts.entry(index) {
            Entry::Occupied(_) => Err(Violation),
            Entry::Vacant(place) => {
                place.insert(frame.content.into());
                Ok(())
            }
        }
    }

    pub(super) fn is_complete(&self) -> bool {
        self.parts.len() == self.count
    }

    /// Returns the bytes of the complete message.
    pub(super) fn join(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.parts.values().map(|part| part.len()).sum());
        self.parts.values().for_each(|part| bytes.extend_from_slice(part));
        bytes
    }
}
