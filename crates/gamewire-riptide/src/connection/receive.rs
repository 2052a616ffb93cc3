use gamewire_machine::{EventQueue, Instant, QueuedEvent, Role, TransmitQueue};

use super::{Connection, max_size};
use crate::link::{ConnectionState, ReceiveOutcome};
use crate::message::{Message, MessageSendMode};
use crate::shared::bits;
use crate::shared::header::Header;
use crate::shared::packet::{
    Ack, ClientConnected, ClientDisconnected, Heartbeat, HeartbeatReply, Packet, Reliable, Welcome,
    fast_path::{self, ReliableHead},
};
use crate::shared::payload::Payload;
use crate::shared::version::Version;
use crate::versions::by_format;
use crate::{ClientId, Endpoint, Format, PacketError};

/// The part of a received packet that the owner of the connection must handle.
#[derive(Debug)]
pub(crate) enum Inbound<'a> {
    /// Nothing to do.
    Nothing,
    /// A message. A reliable one is received once, a notify message never after a newer one.
    Message(Message),
    /// The extension may have messages: see [`Connection::poll_extension_message`].
    ExtensionMessages,
    /// The peer violated the rules of the extension. The owner must close the connection.
    Violation,
    /// A repeated connect request of the client.
    Connect,
    /// The server's application has not decided yet.
    Pending,
    /// The Welcome with the client's id, or the client's echo of it.
    Welcome { client_id: ClientId },
    /// The server rejects the client. The owner must close the connection.
    Reject { reason: u8, data: Payload<'a> },
    /// The client disconnects. The owner must close the connection.
    Leave,
    /// The server disconnects the client. The owner must close the connection.
    Disconnect { reason: u8, data: Payload<'a> },
    /// Another client connected.
    ClientConnected(ClientId),
    /// Another client disconnected.
    ClientDisconnected(ClientId),
}

impl Connection {
    /// Returns the header of a packet, unless the packet is empty.
    pub(crate) fn header(&self, packet: &[u8]) -> Option<Header> {
        by_format!(self.format, V => V::packet_header(packet))
    }

    /// Refuses a packet that would become an event while the application does not poll events. The peer resends a
    /// reliable packet; another message counts as missed.
    #[inline]
    pub(crate) fn check_event_queue<E: QueuedEvent>(
        &self,
        packet: &[u8],
        events: &mut EventQueue<E>,
    ) -> Result<(), PacketError> {
        if !events.is_full() {
            return Ok(());
        }
        match self.header(packet) {
            Some(Header::Reliable | Header::ClientConnected | Header::ClientDisconnected) => {
                Err(PacketError::Busy)
            }
            Some(Header::Unreliable | Header::Notify) => {
                events.count_missed(1);
                Err(PacketError::Busy)
            }
            // Acks, heartbeats and the end of a connection take no memory.
            _ => Ok(()),
        }
    }

    /// Returns whether a packet is a reliable message that has not arrived before.
    #[cold]
    pub(crate) fn is_new_message(&self, packet: &[u8]) -> bool {
        let decoded = by_format!(self.format, V => Packet::decode::<V, _>(packet, self.remote, &mut ()));
        matches!(decoded, Ok(Packet::Reliable(message)) if !self.link.has_received(message.seq_id))
    }

    /// Handles a packet of the peer. Acks and heartbeat replies go to `acks`.
    #[inline(always)]
    pub(crate) fn handle_packet<'a>(
        &mut self,
        now: Instant,
        packet: &'a [u8],
        acks: &mut TransmitQueue<Endpoint>,
    ) -> Result<Inbound<'a>, PacketError> {
        by_format!(self.format, V => self.handle::<V>(now, packet, acks))
    }

    #[inline(always)]
    fn handle<'a, V: Version>(
        &mut self,
        now: Instant,
        packet: &'a [u8],
        acks: &mut TransmitQueue<Endpoint>,
    ) -> Result<Inbound<'a>, PacketError> {
        let length = packet.len();
        if self.link.state() == ConnectionState::Ended {
            return Err(PacketError::Closed);
        }
        if length > self.max_size {
            return Err(PacketError::TooLong { length });
        }
        // Nearly all packets are reliable messages and acks. Their fields fit into one word.
        let (head, bit_len) = (bits::load(packet, 0, 64), length.saturating_mul(8));
        if let Some(ReliableHead { seq_id, id, start }) = fast_path::decode_reliable_head::<V>(head, bit_len)
        {
            return self.on_reliable::<V>(now, seq_id, length, id, &Payload::from_bit(packet, start), acks);
        }
        if let Some(ack) = fast_path::decode_ack::<V>(head, bit_len) {
            self.on_ack(now, ack, length);
            return Ok(Inbound::Nothing);
        }
        self.handle_other::<V>(now, Packet::decode::<V, _>(packet, self.remote, &mut ())?, length, acks)
    }

    #[cold]
    fn handle_other<'a, V: Version>(
        &mut self,
        now: Instant,
        packet: Packet<'a>,
        length: usize,
        acks: &mut TransmitQueue<Endpoint>,
    ) -> Result<Inbound<'a>, PacketError> {
        self.check_expected(&packet)?;
        Ok(match packet {
            Packet::Reliable(Reliable { seq_id, id, payload }) => {
                return self.on_reliable::<V>(now, seq_id, length, id, &payload, acks);
            }
            Packet::Welcome(Welcome { seq_id, client_id, .. }) => {
                let connects = self.acknowledge::<V>(seq_id, length, acks)
                    && match self.remote {
                        Role::Server => self.link.handle_welcome(now),
                        Role::Client => self.link.state() == ConnectionState::Accepted,
                    };
                if connects { Inbound::Welcome { client_id: ClientId(client_id) } } else { Inbound::Nothing }
            }
            Packet::ClientConnected(ClientConnected { seq_id, client_id, .. }) => {
                self.on_notice::<V>(seq_id, length, Inbound::ClientConnected(ClientId(client_id)), acks)
            }
            Packet::ClientDisconnected(ClientDisconnected { seq_id, client_id, .. }) => {
                self.on_notice::<V>(seq_id, length, Inbound::ClientDisconnected(ClientId(client_id)), acks)
            }
            Packet::Unknown(_, packet) => self.on_notice::<V>(packet.seq_id, length, Inbound::Nothing, acks),
            Packet::Notify(notify) if self.link.handle_notify(notify, length) => {
                self.message(MessageSendMode::Notify, None, &notify.payload)
            }
            Packet::Notify(_) => Inbound::Nothing,
            Packet::Ack(ack) => {
                self.on_ack(now, ack, length);
                Inbound::Nothing
            }
            unreliable => {
                self.link.metrics.received_unreliable(length);
                self.on_unreliable(now, &unreliable, acks)
            }
        })
    }

    /// Returns an error if this role, or this state, does not expect the packet.
    fn check_expected(&self, packet: &Packet<'_>) -> Result<(), PacketError> {
        match packet {
            Packet::Reject(_) if self.remote == Role::Client || self.is_connected() => {
                Err(PacketError::Unexpected(packet.name()))
            }
            Packet::Unreliable(_)
            | Packet::Notify(_)
            | Packet::ClientConnected(_)
            | Packet::ClientDisconnected(_)
            | Packet::Unknown(..)
                if !self.accepts_messages() =>
            {
                Err(PacketError::NotConnected)
            }
            // This Welcome cannot be a duplicate, because earlier reliable packets of the accepted client were dropped.
            Packet::Welcome(welcome)
                if !self.accepts_messages()
                    && self.link.state() == ConnectionState::Accepted
                    && self.link.has_received(welcome.seq_id) =>
            {
                Err(PacketError::NotConnected)
            }
            _ => Ok(()),
        }
    }

    const fn accepts_messages(&self) -> bool {
        !self.requires_handshake || self.is_connected()
    }

    #[inline(always)]
    fn on_reliable<'a, V: Version>(
        &mut self,
        now: Instant,
        seq_id: u16,
        length: usize,
        id: u16,
        payload: &Payload<'_>,
        acks: &mut TransmitQueue<Endpoint>,
    ) -> Result<Inbound<'a>, PacketError> {
        if !self.accepts_messages() {
            return Err(PacketError::NotConnected);
        }
        if !self.acknowledge::<V>(seq_id, length, acks) {
            return Ok(Inbound::Nothing);
        }
        if let Some(inbound) = self.receive_extension(now, id, payload) {
            return Ok(inbound);
        }
        Ok(self.message(MessageSendMode::Reliable, Some(id), payload))
    }

    #[inline(always)]
    fn message<'a>(&self, mode: MessageSendMode, id: Option<u16>, payload: &Payload<'_>) -> Inbound<'a> {
        Inbound::Message(Message::received(self.format, mode, id, payload))
    }

    /// Acknowledges a reliable packet. Returns whether it is new.
    #[inline(always)]
    fn acknowledge<V: Version>(
        &mut self,
        seq_id: u16,
        length: usize,
        acks: &mut TransmitQueue<Endpoint>,
    ) -> bool {
        let ReceiveOutcome { is_new, ack } = self.link.handle_reliable(seq_id, length);
        if let Some(ack) = ack {
            let (bytes, length) = fast_path::encode_ack::<V>(&ack);
            acks.push(self.endpoint, bytes.to_le_bytes().get(..length.into()).unwrap_or_default());
            self.link.metrics.sent_unreliable(length.into());
        }
        is_new
    }

    /// Handles an ack. Packets that become due leave when the owner polls for packets.
    #[inline(always)]
    fn on_ack(&mut self, now: Instant, ack: Ack<'_>, length: usize) {
        self.link.metrics.received_unreliable(length);
        self.link.handle_ack(now, ack);
    }

    /// Handles a reliable packet about another client. Only a server sends them.
    fn on_notice<'a, V: Version>(
        &mut self,
        seq_id: u16,
        length: usize,
        inbound: Inbound<'a>,
        acks: &mut TransmitQueue<Endpoint>,
    ) -> Inbound<'a> {
        let is_new = self.acknowledge::<V>(seq_id, length, acks);
        if is_new && self.remote == Role::Server { inbound } else { Inbound::Nothing }
    }

    fn on_unreliable<'a>(
        &mut self,
        now: Instant,
        packet: &Packet<'a>,
        acks: &mut TransmitQueue<Endpoint>,
    ) -> Inbound<'a> {
        match packet {
            Packet::Unreliable(message) => {
                self.message(MessageSendMode::Unreliable, Some(message.id), &message.payload)
            }
            Packet::Connect(_) => Inbound::Connect,
            Packet::Pending(_) => {
                let was_connecting = self.link.state() == ConnectionState::Connecting;
                self.link.handle_pending(now);
                if was_connecting { Inbound::Pending } else { Inbound::Nothing }
            }
            Packet::Reject(reject) => Inbound::Reject { reason: reject.reason, data: reject.data },
            Packet::Heartbeat(Heartbeat { ping_id, rtt, .. }) => {
                if self.link.handle_heartbeat(now, *rtt) {
                    let reply = HeartbeatReply { ping_id: *ping_id, ..HeartbeatReply::default() };
                    self.send_unreliable(reply, acks).ok();
                }
                Inbound::Nothing
            }
            Packet::HeartbeatReply(reply) => {
                self.link.handle_heartbeat_reply(now, reply.ping_id);
                Inbound::Nothing
            }
            Packet::Leave(_) => Inbound::Leave,
            Packet::Disconnect(disconnect) => {
                Inbound::Disconnect { reason: disconnect.reason, data: disconnect.data }
            }
            _ => Inbound::Nothing,
        }
    }
}

/// Returns the data of a client's connect request; `None` if the packet is not one.
pub(crate) fn connect_data(format: Format, packet: &[u8], max_payload_size: usize) -> Option<Payload<'_>> {
    if packet.len() > max_size(format, max_payload_size) {
        return None;
    }
    let decoded = by_format!(format, V => Packet::decode::<V, _>(packet, Role::Client, &mut ()));
    match decoded {
        Ok(Packet::Connect(connect)) => Some(connect.data),
        _ => None,
    }
}
