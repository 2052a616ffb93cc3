use gamewire_machine::Instant;
use gamewire_machine::Role;

use super::{PacketError, Peer, ReplyQueue, by_format, loose};
use crate::link::{Acknowledgement, ConnectionState, NotifyIds, ReceiveOutcome};
use crate::shared::bits;
use crate::shared::header::Header;
use crate::shared::packet::{Ack, HeartbeatReply, Packet, fast_path};
use crate::shared::payload::Payload;
use crate::shared::version::Version;
use crate::v20::V20;
use crate::v21::V21;
use crate::{ClientId, Format};

/// What a packet leaves to the owner of a peer. What is reliable comes once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Inbound<'a> {
    /// Nothing more.
    Nothing,
    /// A message that may get lost.
    Unreliable { id: u16, payload: Payload<'a> },
    /// A reliable message, in the order of arrival.
    Reliable { id: u16, payload: Payload<'a> },
    /// Messages of the extension, for [`Peer::poll_extended`]; perhaps none.
    ExtensionFrame,
    /// The peer broke the rules of the extension: the owner ends the connection.
    Violation,
    /// A notify message, never an older one after a newer.
    Notify { payload: Payload<'a> },
    /// The client asks for a connection, again.
    Connect { data: Payload<'a> },
    /// The server's application decides later.
    Pending,
    /// To a client, which is connected by it and is to send it back: its id. To a server: the id
    /// that the client sent back; [`Connection::handle_welcome_echo`](crate::link::Connection::handle_welcome_echo)
    /// makes the connection.
    Welcome { client_id: ClientId },
    /// The server refuses: the owner closes the connection.
    Reject { reason: u8, data: Payload<'a> },
    /// The client leaves: the owner closes the connection.
    Leave,
    /// The server ends the connection: the owner closes it.
    Disconnect { reason: u8, data: Payload<'a> },
    /// Another client came.
    ClientConnected(ClientId),
    /// Another client left.
    ClientDisconnected(ClientId),
}

/// What a packet of the common kinds leaves to the owner of a peer. It is returned in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FastPathOutcome {
    /// It is of another kind, or nothing is known of it: nothing was done.
    Other,
    /// Nothing more.
    Nothing,
    /// A reliable message, in the order of arrival. Its values begin at bit `start` of the packet.
    Reliable { id: u16, start: u16 },
}

impl Peer {
    /// What the first bits of a packet say that it is.
    pub(crate) fn header(&self, packet: &[u8]) -> Option<Header> {
        let first = *packet.first()?;
        Some(match self.format {
            Format::V20 => V20::header(first),
            Format::V21 => V21::header(first & 0x0f),
        })
    }

    /// A packet of the peer arrived: handles it if it is a reliable message or an ack, as nearly all
    /// are. The others are for [`Peer::handle_packet`].
    ///
    /// This and what it does for such a packet becomes one function with each of its two callers: calls
    /// would take as long as what they do.
    #[inline(always)]
    pub(crate) fn handle_common(
        &mut self,
        now: Instant,
        packet: &[u8],
        out: &mut ReplyQueue,
    ) -> FastPathOutcome {
        if self.extension.is_some() || !self.is_connected() || packet.len() > self.max_size {
            return FastPathOutcome::Other;
        }
        by_format!(self.format, V => self.handle_common_of::<V>(now, packet, out))
    }

    #[inline(always)]
    fn handle_common_of<V: Version>(
        &mut self,
        now: Instant,
        packet: &[u8],
        out: &mut ReplyQueue,
    ) -> FastPathOutcome {
        let length = packet.len();
        let (head, count) = (bits::load(packet, 0, 64), length.saturating_mul(8));
        if let Some((seq_id, id, start)) = fast_path::decode_reliable_head::<V>(head, count) {
            let is_fresh = self.receive_reliable::<V>(seq_id, length, out);
            let start = u16::try_from(start).unwrap_or(0);
            return if is_fresh { FastPathOutcome::Reliable { id, start } } else { FastPathOutcome::Nothing };
        }
        let Some(ack) = fast_path::decode_ack::<V>(head, count) else { return FastPathOutcome::Other };
        self.link.received_unreliable(length);
        self.handle_ack(now, &ack);
        FastPathOutcome::Nothing
    }

    /// A packet of the peer arrived. Acks and answers to heartbeats are sent at once.
    ///
    /// # Errors
    /// The packet was dropped, and the peer is as if it had never come.
    pub(crate) fn handle_packet<'a>(
        &mut self,
        now: Instant,
        packet: &'a [u8],
        out: &mut ReplyQueue,
    ) -> Result<Inbound<'a>, PacketError> {
        by_format!(self.format, V => self.handle::<V>(now, packet, out))
    }

    fn handle<'a, V: Version>(
        &mut self,
        now: Instant,
        packet: &'a [u8],
        out: &mut ReplyQueue,
    ) -> Result<Inbound<'a>, PacketError> {
        let (state, length) = (self.link.state(), packet.len());
        if state == ConnectionState::Ended {
            return Err(PacketError::Closed);
        }
        if length > self.max_size {
            return Err(PacketError::TooLong { length });
        }
        let packet = Packet::decode::<V, _>(packet, self.sender, &mut ())?;
        self.check_expected(&packet, state)?;
        // Before its echo counts, a client that is not heard has sent nothing that could come again.
        if self.requires_handshake
            && state == ConnectionState::Accepted
            && seq_id(&packet).is_some_and(|seq_id| self.link.has_received(seq_id))
        {
            return Err(PacketError::NotConnected);
        }
        if let Some(seq_id) = seq_id(&packet)
            && !self.receive_reliable::<V>(seq_id, length, out)
        {
            return Ok(Inbound::Nothing);
        }
        Ok(match packet {
            Packet::Reliable(message) => self.receive_extension(now, message.id, message.payload),
            Packet::Welcome(welcome) => self.handle_welcome(now, ClientId(welcome.client_id)),
            Packet::ClientConnected(other) if self.sender == Role::Server => {
                Inbound::ClientConnected(ClientId(other.client_id))
            }
            Packet::ClientDisconnected(other) if self.sender == Role::Server => {
                Inbound::ClientDisconnected(ClientId(other.client_id))
            }
            Packet::ClientConnected(_) | Packet::ClientDisconnected(_) | Packet::Unknown(..) => {
                Inbound::Nothing
            }
            Packet::Notify(notify) => {
                let ids = NotifyIds {
                    last_received_seq_id: notify.last_received_seq_id,
                    received_seq_ids: notify.received_seq_ids,
                    seq_id: notify.seq_id,
                };
                if self.link.handle_notify(ids, length) {
                    Inbound::Notify { payload: notify.payload }
                } else {
                    Inbound::Nothing
                }
            }
            unreliable => {
                self.link.received_unreliable(length);
                self.handle_unreliable::<V>(now, &unreliable, out)
            }
        })
    }

    /// Whether this side gets such a packet, now.
    fn check_expected(&self, packet: &Packet<'_>, state: ConnectionState) -> Result<(), PacketError> {
        match packet {
            Packet::Reject(_) if self.sender == Role::Client || state == ConnectionState::Connected => {
                Err(PacketError::Unexpected(packet.name()))
            }
            Packet::Unreliable(_)
            | Packet::Notify(_)
            | Packet::Reliable(_)
            | Packet::ClientConnected(_)
            | Packet::ClientDisconnected(_)
            | Packet::Unknown(..)
                if self.requires_handshake && state != ConnectionState::Connected =>
            {
                Err(PacketError::NotConnected)
            }
            _ => Ok(()),
        }
    }

    /// Acknowledges a reliable packet: whether it is here for the first time.
    #[inline(always)]
    fn receive_reliable<V: Version>(&mut self, seq_id: u16, length: usize, out: &mut ReplyQueue) -> bool {
        let ReceiveOutcome { is_new: is_fresh, ack } = self.link.handle_reliable(seq_id, length);
        if let Some(Acknowledgement { last_received_seq_id, received_seq_ids, for_seq_id }) = ack {
            let trailing = Payload::EMPTY;
            let ack = Ack { last_received_seq_id, received_seq_ids, for_seq_id, trailing };
            let (bytes, length) = fast_path::encode_ack::<V>(&ack);
            out.push(&self.endpoint, bytes, length);
            self.link.sent_unreliable(length.into());
        }
        is_fresh
    }

    /// What may be sent now leaves when packets are polled.
    #[inline]
    fn handle_ack(&mut self, now: Instant, ack: &Ack<'_>) {
        let Ack { last_received_seq_id, received_seq_ids, for_seq_id, .. } = *ack;
        self.link.handle_ack(now, Acknowledgement { last_received_seq_id, received_seq_ids, for_seq_id });
    }

    fn handle_welcome<'a>(&mut self, now: Instant, client_id: ClientId) -> Inbound<'a> {
        let counts = match self.sender {
            Role::Server => self.link.handle_welcome(now),
            Role::Client => self.link.state() == ConnectionState::Accepted,
        };
        if counts { Inbound::Welcome { client_id } } else { Inbound::Nothing }
    }

    fn handle_unreliable<'a, V: Version>(
        &mut self,
        now: Instant,
        packet: &Packet<'a>,
        out: &mut ReplyQueue,
    ) -> Inbound<'a> {
        match packet {
            Packet::Unreliable(message) => Inbound::Unreliable { id: message.id, payload: message.payload },
            Packet::Ack(ack) => {
                self.handle_ack(now, ack);
                Inbound::Nothing
            }
            Packet::Connect(connect) => Inbound::Connect { data: connect.data },
            Packet::Pending(_) => {
                let was_connecting = self.link.state() == ConnectionState::Connecting;
                self.link.handle_pending(now);
                if was_connecting { Inbound::Pending } else { Inbound::Nothing }
            }
            Packet::Reject(reject) => Inbound::Reject { reason: reject.reason, data: reject.data },
            Packet::Heartbeat(heartbeat) => {
                if self.link.handle_heartbeat(now, heartbeat.rtt) {
                    let reply = HeartbeatReply { ping_id: heartbeat.ping_id, trailing: Payload::EMPTY };
                    let length = loose::send_reply::<V>(&self.endpoint, &reply.into(), out);
                    self.link.sent_unreliable(length);
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

/// The sequence id of a reliable packet.
const fn seq_id(packet: &Packet<'_>) -> Option<u16> {
    match packet {
        Packet::Reliable(packet) => Some(packet.seq_id),
        Packet::Welcome(packet) => Some(packet.seq_id),
        Packet::ClientConnected(packet) => Some(packet.seq_id),
        Packet::ClientDisconnected(packet) => Some(packet.seq_id),
        Packet::Unknown(_, packet) => Some(packet.seq_id),
        _ => None,
    }
}
