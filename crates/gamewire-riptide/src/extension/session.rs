use super::ExtensionConfig;
use super::frame::{Fragment, Frame, FrameHeader, PART_HEADER, WHOLE_HEADER};
use super::incoming::{Reassembler, Violation, cost};
use super::outgoing::{AckOutcome, OutgoingMessages};
use super::word::ExtensionParams;
use crate::shared::payload::Payload;
use crate::{Format, SendError};
use gamewire_machine::Role;

pub(crate) use super::incoming::CompleteMessage;

/// The extension on one connection.
#[derive(Debug)]
pub(crate) struct ExtensionState {
    config: ExtensionConfig,
    role: Role,
    own: HelloState,
    peer: Option<ExtensionParams>,
    incoming: Reassembler,
    outgoing: OutgoingMessages,
    /// Where packets of the extension are put together and taken apart.
    buffer: Vec<u8>,
}

/// How far this side's word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HelloState {
    NotSent,
    /// It is in the reliable message with this id.
    Sent {
        seq_id: u16,
    },
    /// The peer has it.
    Known,
}

/// What a reliable message with the extension's id was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExtensionInbound {
    /// Not the extension's: the peer has not given its word, and this is not it.
    Foreign,
    /// The peer's word.
    Hello,
    /// A packet of a message: some may be ready for the application.
    Frame,
    /// The connection is to end.
    Violation,
}

/// What carries the packets of the extension.
pub(crate) trait ReliableSender {
    /// How many bytes such a message may hold.
    fn packet_size(&self) -> usize;

    /// Whether so many of them, of so many bytes in all, can be sent now.
    fn has_room(&self, packets: usize, bytes: usize) -> bool;

    /// Sends one, and gives its sequence id.
    fn send(&mut self, bytes: &[u8]) -> Result<u16, SendError>;
}

impl ExtensionState {
    pub(crate) const fn new(config: ExtensionConfig, role: Role, format: Format) -> Self {
        Self {
            config,
            role,
            own: HelloState::NotSent,
            peer: None,
            incoming: Reassembler::new(format),
            outgoing: OutgoingMessages::new(),
            buffer: Vec::new(),
        }
    }

    /// The id of the messages that carry it.
    pub(crate) const fn id(&self) -> u16 {
        self.config.id
    }

    /// The longest message, either way.
    pub(crate) const fn max_message_size(&self) -> usize {
        self.config.max_message_size
    }

    /// What the peer takes, when it can be used: both sides have given their word, and know that
    /// the other has it.
    pub(crate) fn negotiated(&self) -> Option<&ExtensionParams> {
        // A server's word is the answer to the client's, which tells the client that it came.
        let is_known = self.role == Role::Client || self.own == HelloState::Known;
        self.peer.as_ref().filter(|_| is_known)
    }

    /// The connection is established, or the peer's word came: says this side's word if it is time
    /// to. A server waits for the client's.
    pub(crate) fn send_hello(&mut self, link: &mut impl ReliableSender) {
        let is_time = self.role == Role::Client || self.peer.is_some();
        if is_time && self.own == HelloState::NotSent {
            // Without room for it there is no agreement.
            if let Ok(seq_id) = link.send(&self.config.word().encode(self.role)) {
                self.own = HelloState::Sent { seq_id };
            }
        }
    }

    /// A reliable message with the extension's id came.
    pub(crate) fn receive(&mut self, payload: &Payload<'_>) -> ExtensionInbound {
        let mut buffer = core::mem::take(&mut self.buffer);
        buffer.clear();
        buffer.resize(payload.byte_len(), 0);
        payload.copy_to(&mut buffer);
        // Bits that do not make a byte are padding.
        buffer.truncate(payload.bit_len() / 8);
        let heard = self.hear_bytes(&buffer);
        self.buffer = buffer;
        heard
    }

    fn hear_bytes(&mut self, bytes: &[u8]) -> ExtensionInbound {
        let word = ExtensionParams::decode(bytes, self.role.other());
        match (&self.peer, word) {
            (None, None) => ExtensionInbound::Foreign,
            (None, Some(word)) => {
                self.peer = Some(word);
                ExtensionInbound::Hello
            }
            // What was said first counts.
            (Some(_), Some(_)) => ExtensionInbound::Frame,
            (Some(_), None) => {
                let frame = Frame::decode(bytes).ok_or(Violation);
                let taken = frame.and_then(|frame| self.incoming.take(&frame, &self.config));
                if taken.is_ok() { ExtensionInbound::Frame } else { ExtensionInbound::Violation }
            }
        }
    }

    /// The next message for the application.
    pub(crate) fn poll(&mut self) -> Option<CompleteMessage> {
        self.incoming.poll()
    }

    /// The peer has the reliable message with this id: the id that the application knows it by, if
    /// that is now all of a message.
    pub(crate) fn on_acked(&mut self, seq_id: u16) -> Option<u16> {
        if self.own == (HelloState::Sent { seq_id }) {
            self.own = HelloState::Known;
            return None;
        }
        match self.outgoing.acked(seq_id) {
            AckOutcome::Other => Some(seq_id),
            AckOutcome::Part => None,
            AckOutcome::Whole(first) => Some(first),
        }
    }

    /// Sends a message in as many packets as it takes: all of them or, with an error, none. Gives
    /// the id of the first.
    pub(crate) fn send(
        &mut self,
        is_ordered: bool,
        id: u16,
        payload: &Payload<'_>,
        link: &mut impl ReliableSender,
    ) -> Result<u16, SendError> {
        let peer = *self.negotiated().ok_or(SendError::ExtensionUnavailable)?;
        let bytes = payload.byte_len();
        let longest =
            usize::try_from(peer.max_message_size.min(peer.reassembly_buffer)).unwrap_or(usize::MAX);
        let too_long = SendError::TooLong { length: bytes, max: longest };
        let bits = u32::try_from(payload.bit_len()).map_err(|_| too_long)?;
        let about = FrameHeader { number: self.outgoing.number(is_ordered), is_ordered, id, bits };
        let is_whole = is_ordered && bytes.saturating_add(WHOLE_HEADER) <= link.packet_size();
        if (is_ordered && !peer.can_order) || (!is_whole && !peer.can_reassemble) {
            return Err(SendError::ExtensionUnavailable);
        }
        let size = link.packet_size().saturating_sub(PART_HEADER);
        let size = u16::try_from(size).unwrap_or(u16::MAX);
        let packets = if is_whole { 1 } else { about.parts(size) };
        let packets = u16::try_from(packets).ok().filter(|packets| *packets > 0).ok_or(too_long)?;
        let cost = cost(packets.into(), bytes);
        if bytes > longest || cost > usize::try_from(peer.reassembly_buffer).unwrap_or(usize::MAX) {
            return Err(too_long);
        }
        if !self.outgoing.has_room(cost, &peer) || !link.has_room(packets.into(), cost) {
            return Err(SendError::Full);
        }
        let first = if is_whole {
            self.send_frame(&about, Fragment::Whole, payload, link)?
        } else {
            self.send_parts(&about, (size, packets), payload, link)?
        };
        self.outgoing.sent(&about, first, packets, cost);
        Ok(first)
    }

    fn send_parts(
        &mut self,
        about: &FrameHeader,
        (size, packets): (u16, u16),
        payload: &Payload<'_>,
        link: &mut impl ReliableSender,
    ) -> Result<u16, SendError> {
        let mut first = None;
        for index in 0..packets {
            let start = usize::from(index).saturating_mul(size.into()).saturating_mul(8);
            let start = payload.start().saturating_add(start);
            let end = start.saturating_add(usize::from(size).saturating_mul(8)).min(payload.end());
            let part = Payload::within(payload.source(), start, end);
            let seq_id = self.send_frame(about, Fragment::Part { index, size }, &part, link)?;
            first.get_or_insert(seq_id);
        }
        first.ok_or(SendError::Full)
    }

    fn send_frame(
        &mut self,
        about: &FrameHeader,
        place: Fragment,
        content: &Payload<'_>,
        link: &mut impl ReliableSender,
    ) -> Result<u16, SendError> {
        self.buffer.clear();
        Frame::encode_header(about, place, &mut self.buffer);
        let header = self.buffer.len();
        self.buffer.resize(header.saturating_add(content.byte_len()), 0);
        if let Some(room) = self.buffer.get_mut(header..) {
            content.copy_to(room);
        }
        link.send(&self.buffer)
    }

    /// The memory that is held for the peer, in bytes, about.
    pub(crate) fn held_bytes(&self) -> usize {
        let held = self.incoming.held_bytes().saturating_add(self.buffer.capacity());
        size_of::<Self>().saturating_add(held).saturating_add(self.outgoing.held_bytes())
    }
}
