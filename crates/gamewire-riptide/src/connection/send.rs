//! Messages of the application.

use gamewire_machine::{Instant, TransmitQueue};

use super::{Connection, by_format};
use crate::link::NotifyIds;
use crate::message::{MessageSendMode, Sendable};
use crate::shared::bits;
use crate::shared::message::Writer;
use crate::shared::packet::{Notify, Packet, Unreliable, fast_path};
use crate::shared::payload::Payload;
use crate::shared::version::Version;
use crate::{Endpoint, Format, SendError};

/// Bits of the three ids of a notify message.
const NOTIFY_BITS: usize = 40;

impl Connection {
    /// Sends a message in its mode, and returns its sequence id, if the mode has one. A reliable message that is too
    /// long for a packet is sent in parts, if the peer negotiated that. `scratch` has [`Self::max_size`] bytes.
    ///
    /// A reliable message leaves with the next [`Self::flush`] or [`Self::poll_packet`], which know the time.
    ///
    /// # Errors
    /// [`SendError`]; nothing is sent then.
    pub(crate) fn send(
        &mut self,
        now: Instant,
        message: &impl Sendable,
        scratch: &mut [u8],
        out: &mut TransmitQueue<Endpoint>,
    ) -> Result<Option<u16>, SendError> {
        let (mode, id) = (message.mode(), message.id());
        if mode == MessageSendMode::Notify && self.format == Format::V20 {
            return Err(SendError::NoNotify);
        }
        let is_reliable = mode == MessageSendMode::Reliable;
        if is_reliable && self.extension.as_ref().is_some_and(|extension| Some(extension.id()) == id) {
            return Err(SendError::Reserved);
        }
        let sent = match message.payload(self.format, scratch) {
            Ok(payload) => self.send_payload(now, mode, id, &payload, out),
            Err(error) => Err(error.into()),
        };
        match sent {
            Err(SendError::TooLong { .. } | SendError::Unsupported(_))
                if is_reliable && self.negotiated().is_some() =>
            {
                self.send_extended(now, false, message, scratch).map(Some)
            }
            sent => sent,
        }
    }

    #[inline(always)]
    fn send_payload(
        &mut self,
        now: Instant,
        mode: MessageSendMode,
        id: Option<u16>,
        payload: &Payload<'_>,
        out: &mut TransmitQueue<Endpoint>,
    ) -> Result<Option<u16>, SendError> {
        if mode == MessageSendMode::Reliable {
            return self.send_reliable(now, id.ok_or(SendError::NoId)?, payload).map(Some);
        }
        // Messages leave in the order in which they were sent.
        self.flush(now, out);
        if mode == MessageSendMode::Notify {
            return self.send_notify(payload, out).map(Some);
        }
        let message = Unreliable { id: id.ok_or(SendError::NoId)?, payload: *payload };
        by_format!(self.format, V => {
            let header_bits = V::HEADER_BITS.saturating_add(V::id_bits(message.id));
            self.push::<V>(header_bits, payload, &message.into(), out)
        })?;
        Ok(None)
    }

    /// Sends a reliable message with a payload in the format of the peer.
    #[inline]
    pub(super) fn send_reliable(
        &mut self,
        now: Instant,
        id: u16,
        payload: &Payload<'_>,
    ) -> Result<u16, SendError> {
        let ((head, header_bits), seq_id_at) =
            by_format!(self.format, V => (fast_path::encode_reliable_head::<V>(id), V::HEADER_BITS));
        let length = self.packet_length(header_bits, payload)?;
        Ok(self.link.send_reliable(now, length, |seq_id, packet| {
            let head = head | u64::from(seq_id) << seq_id_at;
            let (source, start, count) = (payload.source(), payload.start(), payload.bit_len());
            bits::write_prefixed(packet, head, header_bits, source, start, count);
        })?)
    }

    #[cold]
    fn send_notify(
        &mut self,
        payload: &Payload<'_>,
        out: &mut TransmitQueue<Endpoint>,
    ) -> Result<u16, SendError> {
        by_format!(self.format, V => {
            let length = self.packet_length(V::HEADER_BITS.saturating_add(NOTIFY_BITS), payload)?;
            let NotifyIds { last_received_seq_id, received_seq_ids, seq_id } = self.link.send_notify(length)?;
            let message = Notify { last_received_seq_id, received_seq_ids, seq_id, payload: *payload };
            out.push_with(self.endpoint, length, |buffer| encode_exact::<V>(buffer, &message.into()));
            Ok(seq_id)
        })
    }

    /// Returns the length of a packet in bytes.
    ///
    /// # Errors
    /// [`SendError::TooLong`] if it exceeds the maximum size.
    pub(super) fn packet_length(
        &self,
        header_bits: usize,
        payload: &Payload<'_>,
    ) -> Result<usize, SendError> {
        let length = header_bits.saturating_add(payload.bit_len()).div_ceil(8);
        if length > self.max_size {
            return Err(SendError::TooLong { length, max: self.max_size });
        }
        Ok(length)
    }

    /// Sends an unreliable packet that consists of `header_bits` and a payload.
    pub(super) fn push<V: Version>(
        &mut self,
        header_bits: usize,
        payload: &Payload<'_>,
        packet: &Packet<'_>,
        out: &mut TransmitQueue<Endpoint>,
    ) -> Result<(), SendError> {
        let length = self.packet_length(header_bits, payload)?;
        if self.link.state() == crate::link::ConnectionState::Ended {
            return Err(SendError::NotConnected);
        }
        out.push_with(self.endpoint, length, |buffer| encode_exact::<V>(buffer, packet));
        self.link.sent_unreliable(length);
        Ok(())
    }
}

/// Encodes a packet into a buffer of exactly its length.
pub(super) fn encode_exact<V: Version>(buffer: &mut [u8], packet: &Packet<'_>) {
    let max = buffer.len();
    let written = packet.encode(&mut Writer::<V>::with_max_size(buffer, max));
    debug_assert!(written.is_ok(), "{written:?}");
}
