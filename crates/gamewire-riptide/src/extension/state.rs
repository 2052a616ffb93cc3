use gamewire_machine::Role;

use super::frame::{Fragment, Frame, FrameHeader, PART_HEADER, WHOLE_HEADER};
use super::outgoing::{AckOutcome, OutgoingMessages};
use super::reassembly::{Reassembler, Violation, cost};
use super::{ExtensionConfig, ExtensionParams};
use crate::shared::payload::Payload;
use crate::{Format, SendError};

pub(crate) use super::reassembly::CompleteMessage;

/// The extension on one connection.
#[derive(Debug)]
pub(crate) struct ExtensionState {
    pub(crate) config: ExtensionConfig,
    role: Role,
    own: HelloState,
    peer: Option<ExtensionParams>,
    incoming: Reassembler,
    outgoing: OutgoingMessages,
    /// Buffer for one packet.
    buffer: Vec<u8>,
}

/// The state of this side's parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum HelloState {
    NotSent,
    /// Sent in the reliable message with this id.
    Sent {
        seq_id: u16,
    },
    /// Acknowledged by the peer.
    Known,
}

/// The kind of a reliable message with the extension's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExtensionInbound {
    /// A message of the game: the peer has not sent its parameters, and this message does not contain them.
    Foreign,
    /// The peer's parameters.
    Hello,
    /// A packet of a message. It may complete messages.
    Frame,
    /// A violation of the rules. The connection must close.
    Violation,
}

/// The carrier of the extension's packets.
pub(crate) trait ReliableSender {
    /// Returns the maximum bytes of a packet.
    fn packet_size(&self) -> usize;

    /// Returns whether `packets` packets, of `bytes` in total, fit into the send buffer.
    fn has_room(&self, packets: usize, bytes: usize) -> bool;

    /// Sends a packet, and returns its sequence id.
    fn send(&mut self, bytes: &[u8]) -> Result<u16, SendError>;
}

impl ExtensionState {
    pub(crate) fn new(config: ExtensionConfig, role: Role, format: Format) -> Self {
        let (incoming, outgoing) = (Reassembler::new(format), OutgoingMessages::default());
        Self { config, role, own: HelloState::NotSent, peer: None, incoming, outgoing, buffer: Vec::new() }
    }

    /// Returns the peer's parameters, after both sides have sent theirs and know that the other has them.
    pub(crate) fn negotiated(&self) -> Option<&ExtensionParams> {
        // A server sends its parameters after the client's arrived, so the client knows that the server has them.
        let is_known = self.role == Role::Client || self.own == HelloState::Known;
        self.peer.as_ref().filter(|_| is_known)
    }

    /// Sends this side's parameters. A server first waits for the client's.
    pub(crate) fn send_hello(&mut self, link: &mut impl ReliableSender) {
        let is_time = self.role == Role::Client || self.peer.is_some();
        if is_time && self.own == HelloState::NotSent {
            // If the send buffer is full, the extension stays off.
            if let Ok(seq_id) = link.send(&self.config.params().encode(self.role)) {
                self.own = HelloState::Sent { seq_id };
            }
        }
    }

    /// Handles a reliable message with the extension's id.
    pub(crate) fn receive(&mut self, payload: &Payload<'_>) -> ExtensionInbound {
        let mut buffer = core::mem::take(&mut self.buffer);
        buffer.clear();
        buffer.resize(payload.byte_len(), 0);
        payload.copy_to(&mut buffer);
        // Bits that do not make a byte are padding.
        buffer.truncate(payload.bit_len() / 8);
        let inbound = self.receive_bytes(&buffer);
        self.buffer = buffer;
        inbound
    }

    fn receive_bytes(&mut self, bytes: &[u8]) -> ExtensionInbound {
        let params = ExtensionParams::decode(bytes, self.role.other());
        match (&self.peer, params) {
            (None, None) => ExtensionInbound::Foreign,
            (None, Some(params)) => {
                self.peer = Some(params);
                ExtensionInbound::Hello
            }
            // Only the first parameters count.
            (Some(_), Some(_)) => ExtensionInbound::Frame,
            (Some(_), None) => {
                let frame = Frame::decode(bytes).ok_or(Violation);
                let taken = frame.and_then(|frame| self.incoming.receive(&frame, &self.config));
                if taken.is_ok() { ExtensionInbound::Frame } else { ExtensionInbound::Violation }
            }
        }
    }

    /// Returns the next complete message.
    pub(crate) fn poll(&mut self) -> Option<CompleteMessage> {
        self.incoming.ready.pop_front()
    }

    /// Handles the ack of a reliable packet. Returns the sequence id of its message, if the peer has now acknowledged
    /// the whole message.
    pub(crate) fn on_acked(&mut self, seq_id: u16) -> Option<u16> {
        if self.own == (HelloState::Sent { seq_id }) {
            self.own = HelloState::Known;
            return None;
        }
        match self.outgoing.on_acked(seq_id) {
            AckOutcome::Other => Some(seq_id),
            AckOutcome::Part => None,
            AckOutcome::Whole(first) => Some(first),
        }
    }

    /// Sends a message in one or more packets, and returns the sequence id of the first.
    pub(crate) fn send(
        &mut self,
        is_ordered: bool,
        id: u16,
        payload: &Payload<'_>,
        link: &mut impl ReliableSender,
    ) -> Result<u16, SendError> {
        let peer = *self.negotiated().ok_or(SendError::ExtensionUnavailable)?;
        let bytes = payload.byte_len();
        let max = usize::try_from(peer.max_message_size.min(peer.reassembly_buffer)).unwrap_or(usize::MAX);
        let too_long = SendError::TooLong { length: bytes, max };
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
        if bytes > max || cost > usize::try_from(peer.reassembly_buffer).unwrap_or(usize::MAX) {
            return Err(too_long);
        }
        if !self.outgoing.has_room(cost, &peer) || !link.has_room(packets.into(), cost) {
            return Err(SendError::Full);
        }
        let first = if is_whole {
            self.send_frame(&about, Fragment::Whole, payload, link)?
        } else {
            self.send_parts(&about, size, packets, payload, link)?
        };
        self.outgoing.sent(&about, first, packets, cost);
        Ok(first)
    }

    /// Sends `payload` in `packets` fragments of at most `size` bytes. Returns the sequence id of the first.
    fn send_parts(
        &mut self,
        about: &FrameHeader,
        size: u16,
        packets: u16,
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

    /// Returns the approximate memory that the peer takes, in bytes.
    pub(crate) fn held_bytes(&self) -> usize {
        let held = self.incoming.held.saturating_add(self.buffer.capacity());
        size_of::<Self>().saturating_add(held).saturating_add(self.outgoing.held_bytes())
    }
}
