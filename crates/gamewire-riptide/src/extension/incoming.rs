use std::collections::{BTreeMap, VecDeque};

use super::assembly::Reassembly;
use super::frame::{Fragment, Frame, FrameHeader};
use super::{ExtensionConfig, PACKET_COST};
use crate::Format;
use crate::message::{Message, MessageSendMode};
use crate::shared::payload::Payload;

/// The peer does what no peer does that keeps the rules: the connection is to end, since what was
/// acknowledged cannot be dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Violation;

/// A message that is whole, and whose turn it is.
#[derive(Debug)]
pub(crate) struct CompleteMessage {
    pub(crate) message: Message,
    pub(crate) is_ordered: bool,
}

/// What has come of messages that are unfinished, or wait for their turn.
#[derive(Debug)]
pub(super) struct Reassembler {
    format: Format,
    /// Whose turn it is.
    next: u16,
    ordered: BTreeMap<u16, Reassembly>,
    loose: BTreeMap<u16, Reassembly>,
    /// Bytes that these two hold, with [`PACKET_COST`] for each packet.
    held: usize,
    ready: VecDeque<CompleteMessage>,
}

impl Reassembler {
    pub(super) const fn new(format: Format) -> Self {
        Self {
            format,
            next: 0,
            ordered: BTreeMap::new(),
            loose: BTreeMap::new(),
            held: 0,
            ready: VecDeque::new(),
        }
    }

    /// A packet of a message came.
    pub(super) fn take(&mut self, frame: &Frame<'_>, bounds: &ExtensionConfig) -> Result<(), Violation> {
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

    /// Gives out those whose turn it is.
    fn release_waiting(&mut self) {
        while self.ordered.get(&self.next).is_some_and(Reassembly::is_complete)
            && let Some(assembly) = self.ordered.remove(&self.next)
        {
            self.release_assembly(assembly);
            self.next = self.next.wrapping_add(1);
        }
    }

    fn release_assembly(&mut self, assembly: Reassembly) {
        let (about, packets) = (*assembly.about(), assembly.packets());
        self.held = self.held.saturating_sub(cost(packets, about.bytes()));
        self.release(&about, &assembly.join());
    }

    fn release(&mut self, about: &FrameHeader, bytes: &[u8]) {
        let bits = usize::try_from(about.bits).unwrap_or(usize::MAX);
        let payload = Payload::with_bits(bytes, bits);
        let message = Message::received(self.format, MessageSendMode::Reliable, Some(about.id), &payload);
        self.ready.push_back(CompleteMessage { message, is_ordered: about.is_ordered });
    }

    /// The next message for the application.
    pub(super) fn poll(&mut self) -> Option<CompleteMessage> {
        self.ready.pop_front()
    }

    /// The memory that is held for the peer, in bytes, about.
    pub(super) const fn held_bytes(&self) -> usize {
        self.held
    }
}

/// What a message costs that takes so many packets and bytes.
pub(super) const fn cost(packets: usize, bytes: usize) -> usize {
    packets.saturating_mul(PACKET_COST).saturating_add(bytes)
}
