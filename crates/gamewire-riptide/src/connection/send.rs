//! Outgoing packets: messages of the application, and packets of the protocol itself.

use gamewire_machine::{Instant, TransmitQueue};

use super::Connection;
use crate::message::{MessageSendMode, Sendable, max_payload_bits};
use crate::shared::bits;
use crate::shared::message::{ROOM, Writer};
use crate::shared::packet::{Connect, Disconnect, Notify, Packet, Reject, Unreliable, Welcome, fast_path};
use crate::shared::payload::Payload;
use crate::shared::version::Version;
use crate::versions::by_format;
use crate::{ClientId, Endpoint, Format, SendError};

impl Connection {
    /// Sends a message in its mode, and returns its sequence id, if the mode has one. A reliable message that is too
    /// long for a packet is sent in parts, if the peer negotiated that. `scratch` has [`Self::max_size`] bytes.
    ///
    /// A reliable message leaves with the next [`Self::flush`] or [`Self::poll_packet`], which know the time.
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
        if is_reliable && self.extension.as_ref().is_some_and(|extension| Some(extension.config.id) == id) {
            return Err(SendError::Reserved);
        }
        let sent = match message.payload(self.format, scratch) {
            Ok(payload) => self.send_payload(now, mode, id, &payload, out),
            Err(error) if error.expected == ROOM => {
                // The header is part of the size.
                let header = by_format!(self.format, V => V::MAX_HEADER_SIZE);
                let max = max_payload_bits(self.format, mode, id, self.max_size.saturating_sub(header)) / 8;
                Err(SendError::ValuesTooLong { max })
            }
            Err(error) => Err(error.into()),
        };
        match sent {
            Err(SendError::TooLong { .. } | SendError::ValuesTooLong { .. } | SendError::Unsupported(_))
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
        self.send_unreliable(Unreliable { id: id.ok_or(SendError::NoId)?, payload: *payload }, out)?;
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
        let length = self.length(header_bits.saturating_add(payload.bit_len()))?;
        self.link.send_reliable(now, length, |seq_id, packet| {
            let head = head | u64::from(seq_id) << seq_id_at;
            let (source, start, count) = (payload.source(), payload.start(), payload.bit_len());
            bits::write_prefixed(packet, head, header_bits, source, start, count);
        })
    }

    #[cold]
    fn send_notify(
        &mut self,
        payload: &Payload<'_>,
        out: &mut TransmitQueue<Endpoint>,
    ) -> Result<u16, SendError> {
        let message = Notify { payload: *payload, ..Notify::default() };
        let length = self.length(by_format!(self.format, V => Packet::from(message).bit_len::<V>()))?;
        let message = Notify { payload: *payload, ..self.link.send_notify(length)? };
        push(self.format, self.endpoint, &message.into(), out);
        Ok(message.seq_id)
    }

    /// Sends the Welcome, or its echo.
    pub(crate) fn send_welcome(&mut self, now: Instant, client: ClientId) -> Result<u16, SendError> {
        self.send_control(now, |seq_id| Welcome { seq_id, client_id: client.0, ..Welcome::default() }.into())
    }

    /// Sends a reliable packet of the protocol itself, and returns its sequence id.
    pub(crate) fn send_control(
        &mut self,
        now: Instant,
        packet: impl Fn(u16) -> Packet<'static>,
    ) -> Result<u16, SendError> {
        by_format!(self.format, V => {
            let length = self.length(packet(0).bit_len::<V>())?;
            self.link.send_reliable(now, length, |seq_id, buffer| encode::<V>(buffer, &packet(seq_id)))
        })
    }

    /// Sends an unreliable packet. The connection stays open, even if the packet ends it for the peer.
    ///
    /// # Errors
    /// [`SendError::TooLong`] if the data of the packet do not fit, [`SendError::NotConnected`] if the connection is
    /// closed.
    pub(crate) fn send_unreliable<'p>(
        &mut self,
        packet: impl Into<Packet<'p>>,
        out: &mut TransmitQueue<Endpoint>,
    ) -> Result<(), SendError> {
        let packet = packet.into();
        let length = self.length(by_format!(self.format, V => packet.bit_len::<V>()))?;
        if self.link.is_ended() {
            return Err(SendError::NotConnected);
        }
        push(self.format, self.endpoint, &packet, out);
        self.link.metrics.sent_unreliable(length);
        Ok(())
    }

    /// Checks that data fit into a connect request.
    pub(crate) fn check_connect_data(&self, data: &Payload<'_>) -> Result<(), SendError> {
        let request = Packet::from(Connect { data: *data });
        self.length(by_format!(self.format, V => request.bit_len::<V>())).map(drop)
    }

    /// Returns the length in bytes of a packet of `bits`.
    ///
    /// # Errors
    /// [`SendError::TooLong`] if it exceeds the maximum size.
    fn length(&self, bits: usize) -> Result<usize, SendError> {
        let (length, max) = (bits.div_ceil(8), self.max_size);
        if length <= max { Ok(length) } else { Err(SendError::TooLong { length, max }) }
    }

    /// Moves every reliable packet that is due to `out`.
    pub(crate) fn flush(&mut self, now: Instant, out: &mut TransmitQueue<Endpoint>) {
        let to = self.endpoint;
        while let Some(packet) = self.poll_packet(now) {
            out.push(to, packet);
        }
    }

    /// Returns the next reliable packet that is due.
    #[inline]
    pub(crate) fn poll_packet(&mut self, now: Instant) -> Option<&[u8]> {
        self.link.poll_send(now).map(|transmission| transmission.packet)
    }
}

/// Rejects a client that has no connection.
pub(crate) fn send_unconnected_reject(
    format: Format,
    to: Endpoint,
    reason: u8,
    out: &mut TransmitQueue<Endpoint>,
) {
    push(format, to, &Reject { reason, ..Reject::default() }.into(), out);
}

/// Sends a Disconnect to an endpoint without a connection.
pub(crate) fn send_unconnected_disconnect(
    format: Format,
    to: Endpoint,
    reason: u8,
    out: &mut TransmitQueue<Endpoint>,
) {
    push(format, to, &Disconnect { reason, ..Disconnect::default() }.into(), out);
}

fn push(format: Format, to: Endpoint, packet: &Packet<'_>, out: &mut TransmitQueue<Endpoint>) {
    by_format!(format, V => {
        out.push_with(to, packet.bit_len::<V>().div_ceil(8), |buffer| encode::<V>(buffer, packet));
    });
}

/// Encodes a packet into a buffer of exactly its length.
fn encode<V: Version>(buffer: &mut [u8], packet: &Packet<'_>) {
    let max = buffer.len();
    let written = packet.encode(&mut Writer::<V>::with_max_size(buffer, max));
    debug_assert!(written.is_ok(), "{written:?}");
}
