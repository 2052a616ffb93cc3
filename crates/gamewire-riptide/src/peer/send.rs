use gamewire_machine::{Instant, TransmitQueue};

use super::{Peer, SendError, by_format, loose};
use crate::link::NotifyIds;
use crate::message::{MessageSendMode, Sendable};
use crate::shared::bits;
use crate::shared::message::Writer;
use crate::shared::packet::{
    ClientConnected, ClientDisconnected, Connect, Disconnect, Heartbeat, Leave, Notify, Packet, Pending,
    Reject, Unreliable, Welcome, fast_path,
};
use crate::shared::payload::Payload;
use crate::shared::version::Version;
use crate::{ClientId, Endpoint, Format};

/// Bits of a sequence id, and of a client's id.
const ID_BITS: usize = 16;
/// Bits of a reason.
const REASON_BITS: usize = 8;
/// Bits of the three ids of a notify message.
const NOTIFY_BITS: usize = 40;

impl Peer {
    /// Sends a message in its mode; a reliable one over the limit in parts, if the peer has agreed to
    /// that. Gives its sequence id if it is reliable or a notify message.
    /// `scratch` is room of [`Peer::max_size`] bytes to write in.
    #[inline]
    pub(crate) fn send(
        &mut self,
        now: Instant,
        message: &impl Sendable,
        scratch: &mut [u8],
        out: &mut TransmitQueue<Endpoint>,
    ) -> Result<Option<u16>, SendError> {
        if message.mode() == MessageSendMode::Notify && self.format == Format::V20 {
            return Err(SendError::NoNotify);
        }
        if self.extension.is_none() {
            return self.send_plain(now, message, scratch, out);
        }
        let is_reliable = message.mode() == MessageSendMode::Reliable;
        if is_reliable && self.extension.as_ref().map(|session| session.id()) == message.id() {
            return Err(SendError::Reserved);
        }
        match self.send_plain(now, message, scratch, out) {
            Err(SendError::TooLong { .. } | SendError::Unsupported(_))
                if is_reliable && self.agreed().is_some() =>
            {
                self.send_extended(now, false, message, scratch).map(Some)
            }
            sent => sent,
        }
    }

    #[inline]
    fn send_plain(
        &mut self,
        now: Instant,
        message: &impl Sendable,
        scratch: &mut [u8],
        out: &mut TransmitQueue<Endpoint>,
    ) -> Result<Option<u16>, SendError> {
        let payload = message.payload(self.format, scratch)?;
        self.send_payload(now, message.mode(), message.id(), &payload, out)
    }

    /// The same with a payload in the format of the peer.
    #[inline]
    pub(crate) fn send_payload(
        &mut self,
        now: Instant,
        mode: MessageSendMode,
        id: Option<u16>,
        payload: &Payload<'_>,
        out: &mut TransmitQueue<Endpoint>,
    ) -> Result<Option<u16>, SendError> {
        if mode != MessageSendMode::Reliable {
            // Messages leave in the order in which they were sent.
            self.flush(now, out);
        }
        match mode {
            MessageSendMode::Unreliable => {
                self.send_unreliable(id.ok_or(SendError::NoId)?, payload, out).map(|()| None)
            }
            MessageSendMode::Reliable => {
                self.send_reliable(now, id.ok_or(SendError::NoId)?, payload).map(Some)
            }
            MessageSendMode::Notify => self.send_notify(payload, out).map(Some),
        }
    }
}

/// Messages of the application. Their payloads are in the format of the peer.
impl Peer {
    /// Sends a message that may get lost.
    pub(crate) fn send_unreliable(
        &mut self,
        id: u16,
        payload: &Payload<'_>,
        out: &mut TransmitQueue<Endpoint>,
    ) -> Result<(), SendError> {
        let message = Unreliable { id, payload: *payload };
        by_format!(self.format, V => {
            let length = self.length(V::HEADER_BITS.saturating_add(V::id_bits(id)), payload)?;
            self.push::<V>(length, &message.into(), out)
        })
    }

    /// Sends a message until the peer has it. Gives its sequence id. Like everything reliable it
    /// leaves with the next [`Peer::flush`] or [`Peer::poll_packet`], which know the time.
    #[inline]
    pub(crate) fn send_reliable(
        &mut self,
        now: Instant,
        id: u16,
        payload: &Payload<'_>,
    ) -> Result<u16, SendError> {
        let head = by_format!(self.format, V => (fast_path::encode_reliable_head::<V>(id), V::HEADER_BITS));
        self.send_reliable_with_head(now, head, payload)
    }

    /// Sends a reliable message with this head, into which its sequence id goes at bit `seq_id_at`.
    fn send_reliable_with_head(
        &mut self,
        now: Instant,
        ((head, start), seq_id_at): ((u64, usize), usize),
        payload: &Payload<'_>,
    ) -> Result<u16, SendError> {
        let length = self.length(start, payload)?;
        let (source, from, count) = (payload.source(), payload.start(), payload.bit_len());
        Ok(self.link.send_reliable(now, length, |seq_id, place| {
            let head = head | u64::from(seq_id) << seq_id_at;
            bits::write_prefixed(place, head, start, source, from, count);
        })?)
    }

    /// Sends a message whose fate is told later. Gives its sequence id.
    pub(crate) fn send_notify(
        &mut self,
        payload: &Payload<'_>,
        out: &mut TransmitQueue<Endpoint>,
    ) -> Result<u16, SendError> {
        if self.format == Format::V20 {
            return Err(SendError::NoNotify);
        }
        by_format!(self.format, V => {
            let length = self.length(V::HEADER_BITS.saturating_add(NOTIFY_BITS), payload)?;
            let NotifyIds { last_received_seq_id, received_seq_ids, seq_id } = self.link.send_notify(length)?;
            let message = Notify { last_received_seq_id, received_seq_ids, seq_id, payload: *payload };
            out.push_with(self.endpoint, length, |place| fill::<V>(place, &message.into()));
            Ok(seq_id)
        })
    }
}

/// What the protocol itself has to say.
impl Peer {
    /// Asks the server for a connection.
    pub(crate) fn send_connect(
        &mut self,
        data: &Payload<'_>,
        out: &mut TransmitQueue<Endpoint>,
    ) -> Result<(), SendError> {
        self.send_with_data(0, data, &Connect { data: *data }.into(), out)
    }

    /// Whether data fit into the question for a connection.
    pub(crate) fn check_connect(&self, data: &Payload<'_>) -> Result<(), SendError> {
        self.length(by_format!(self.format, V => V::HEADER_BITS), data).map(drop)
    }

    /// Tells the client that the application decides later.
    pub(crate) fn send_pending(&mut self, out: &mut TransmitQueue<Endpoint>) {
        self.send_empty(&Pending { trailing: Payload::EMPTY }.into(), out);
    }

    /// Tells the client its id; sends it back to the server.
    pub(crate) fn send_welcome(&mut self, now: Instant, client_id: ClientId) -> Result<u16, SendError> {
        let (client_id, trailing) = (client_id.0, Payload::EMPTY);
        self.send_client_notice(now, |seq_id| Welcome { seq_id, client_id, trailing }.into())
    }

    /// Tells the client that another one came.
    pub(crate) fn send_client_connected(
        &mut self,
        now: Instant,
        client_id: ClientId,
    ) -> Result<u16, SendError> {
        let (client_id, trailing) = (client_id.0, Payload::EMPTY);
        self.send_client_notice(now, |seq_id| ClientConnected { seq_id, client_id, trailing }.into())
    }

    /// Tells the client that another one left.
    pub(crate) fn send_client_disconnected(
        &mut self,
        now: Instant,
        client_id: ClientId,
    ) -> Result<u16, SendError> {
        let (client_id, trailing) = (client_id.0, Payload::EMPTY);
        self.send_client_notice(now, |seq_id| ClientDisconnected { seq_id, client_id, trailing }.into())
    }

    /// Refuses the client. Its connection is not closed by it.
    pub(crate) fn send_reject(
        &mut self,
        reason: u8,
        data: &Payload<'_>,
        out: &mut TransmitQueue<Endpoint>,
    ) -> Result<(), SendError> {
        self.send_with_data(REASON_BITS, data, &Reject { reason, data: *data }.into(), out)
    }

    /// Tells the client that its connection ends. It is not closed by it.
    pub(crate) fn send_disconnect(
        &mut self,
        reason: u8,
        data: &Payload<'_>,
        out: &mut TransmitQueue<Endpoint>,
    ) -> Result<(), SendError> {
        self.send_with_data(REASON_BITS, data, &Disconnect { reason, data: *data }.into(), out)
    }

    /// Tells the server that its client leaves. The connection is not closed by it.
    pub(crate) fn send_leave(&mut self, out: &mut TransmitQueue<Endpoint>) {
        self.send_empty(&Leave { trailing: Payload::EMPTY }.into(), out);
    }

    pub(super) fn send_heartbeat(&mut self, ping_id: u8, rtt: i16, out: &mut TransmitQueue<Endpoint>) {
        self.send_empty(&Heartbeat { ping_id, rtt, trailing: Payload::EMPTY }.into(), out);
    }

    /// Sends an unreliable packet that ends with `data`, behind `fixed` bits and its header.
    fn send_with_data(
        &mut self,
        fixed: usize,
        data: &Payload<'_>,
        packet: &Packet<'_>,
        out: &mut TransmitQueue<Endpoint>,
    ) -> Result<(), SendError> {
        by_format!(self.format, V => {
            let length = self.length(V::HEADER_BITS.saturating_add(fixed), data)?;
            self.push::<V>(length, packet, out)
        })
    }

    fn send_empty(&mut self, packet: &Packet<'_>, out: &mut TransmitQueue<Endpoint>) {
        by_format!(self.format, V => self.send_small::<V>(packet, out));
    }

    /// Sends an unreliable packet without data.
    fn send_small<V: Version>(&mut self, packet: &Packet<'_>, out: &mut TransmitQueue<Endpoint>) {
        let length = loose::write_small::<V>(self.endpoint, packet, out);
        self.link.sent_unreliable(length);
    }

    /// Sends a reliable packet with the id of a client.
    fn send_client_notice(
        &mut self,
        now: Instant,
        packet: impl FnOnce(u16) -> Packet<'static>,
    ) -> Result<u16, SendError> {
        by_format!(self.format, V => {
            let bits = V::HEADER_BITS.saturating_add(2 * ID_BITS);
            self.push_reliable::<V>(now, bits.div_ceil(8), packet)
        })
    }
}

impl Peer {
    /// The length of a packet in bytes, if it is allowed.
    fn length(&self, header_bits: usize, payload: &Payload<'_>) -> Result<usize, SendError> {
        let length = header_bits.saturating_add(payload.bit_len()).div_ceil(8);
        if length > self.max_size {
            return Err(SendError::TooLong { length, most: self.max_size });
        }
        Ok(length)
    }

    /// Sends an unreliable packet of that length.
    fn push<V: Version>(
        &mut self,
        length: usize,
        packet: &Packet<'_>,
        out: &mut TransmitQueue<Endpoint>,
    ) -> Result<(), SendError> {
        if self.link.state() == crate::link::ConnectionState::Ended {
            return Err(SendError::NotConnected);
        }
        out.push_with(self.endpoint, length, |place| fill::<V>(place, packet));
        self.link.sent_unreliable(length);
        Ok(())
    }

    /// Sends a reliable packet of that length, which `packet` gives for its sequence id.
    fn push_reliable<'a, V: Version>(
        &mut self,
        now: Instant,
        length: usize,
        packet: impl FnOnce(u16) -> Packet<'a>,
    ) -> Result<u16, SendError> {
        Ok(self.link.send_reliable(now, length, |seq_id, place| fill::<V>(place, &packet(seq_id)))?)
    }
}

/// Writes a packet whose length has been worked out.
fn fill<V: Version>(place: &mut [u8], packet: &Packet<'_>) {
    let most = place.len();
    let written = packet.encode(&mut Writer::<V>::with_max_size(place, most));
    debug_assert!(written.is_ok(), "{written:?}");
}
