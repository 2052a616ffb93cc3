use gamewire_machine::Instant;
use gamewire_wire::{CodecError, Found};

use super::codec::{ACCEPT, CLOSE, CONNECT, ChunkCounts, ChunkRange, KEEP_ALIVE, read_chunks, unpack};
use super::connection::LinkState;
use super::{Link, LinkTokens, PacketError, codec};
use crate::shared::pack::Text;
use crate::shared::packet::{Header, MAX_PAYLOAD};

/// Buffers for received packets. One is enough for all links of a machine.
#[derive(Debug)]
pub struct Scratch {
    payload: Box<[u8; MAX_PAYLOAD]>,
    /// The new chunks of the last packet.
    chunks: Vec<ChunkRange>,
}

impl Default for Scratch {
    fn default() -> Self {
        Self::new()
    }
}

impl Scratch {
    /// Creates the buffers.
    pub fn new() -> Self {
        Self { payload: Box::new([0; MAX_PAYLOAD]), chunks: Vec::with_capacity(u8::MAX.into()) }
    }
}

/// The content of a received datagram. It borrows from the datagram and the [`Scratch`], not from the link.
#[derive(Clone, Debug)]
pub enum LinkInput<'s> {
    /// New messages. There are none if the packet held only old ones, or only a resend request.
    Chunks(Chunks<'s>),
    /// A KEEPALIVE, or a repeated answer of the finished handshake. The link has handled it.
    KeepAlive,
    /// The peer closed the connection, and the link is closed.
    Close {
        /// The peer's reason, if it sent one.
        reason: Option<Text<'s>>,
    },
    /// Another control message with the right token: CONNECT, TOKEN, or an unknown one. The games ignore such messages
    /// in an established connection. Here the owner of the link decides.
    Control {
        /// The id.
        id: u8,
        /// The bytes after the id.
        body: &'s [u8],
    },
}

/// A new message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InboundChunk<'s> {
    /// Message id and body.
    pub content: &'s [u8],
    /// The message was sent as vital.
    pub vital: bool,
}

/// The new messages of a packet, in order.
#[derive(Clone, Debug)]
pub struct Chunks<'s> {
    payload: &'s [u8],
    ranges: core::slice::Iter<'s, ChunkRange>,
}

impl<'s> Iterator for Chunks<'s> {
    type Item = InboundChunk<'s>;

    fn next(&mut self) -> Option<InboundChunk<'s>> {
        let range = self.ranges.next()?;
        let content = self.payload.get(range.start.into()..range.end.into()).unwrap_or_default();
        Some(InboundChunk { content, vital: range.vital })
    }
}

impl Link {
    /// Handles a datagram of the peer. The datagram is checked completely before the state of the link changes.
    ///
    /// # Errors
    /// [`PacketError`] if the datagram was dropped. The link is unchanged.
    pub fn receive<'s>(
        &mut self,
        now: Instant,
        datagram: &'s [u8],
        scratch: &'s mut Scratch,
    ) -> Result<LinkInput<'s>, PacketError> {
        if self.is_closed() {
            return Err(PacketError::Closed);
        }
        let Scratch { payload: buffer, chunks: ranges } = scratch;
        let (header, payload) = unpack(&self.tokens, self.config.strict_packets, datagram, buffer)?;
        if !codec::may_acknowledge(self.peer_ack, self.sequence, header.ack) {
            return Err(PacketError::AckOutsideWindow);
        }
        if header.control {
            let (&id, body) = payload.split_first().ok_or_else(|| {
                CodecError::new(0, "the id of a control message", Found::End).in_packet("control")
            })?;
            self.clock.advance(now);
            self.on_packet(datagram.len(), &header);
            return Ok(self.on_control(id, body));
        }
        let mut window = self.receive_window;
        let counts = read_chunks(&self.tokens, payload, header.chunks, &mut window, ranges)?;
        self.clock.advance(now);
        self.receive_window = window;
        self.add_counts(counts);
        self.state = LinkState::Online;
        self.on_packet(datagram.len(), &header);
        Ok(LinkInput::Chunks(Chunks { payload, ranges: ranges.iter() }))
    }

    fn on_packet(&mut self, length: usize, header: &Header) {
        let now = self.clock.now();
        self.stats.datagrams_in = self.stats.datagrams_in.saturating_add(1);
        self.stats.bytes_in = self.stats.bytes_in.saturating_add(length.try_into().unwrap_or(u64::MAX));
        self.peer_ack = header.ack;
        // During the handshake, a control packet does not show that the peer has received the last message of the
        // handshake.
        if !matches!(self.state, LinkState::Repeating(_)) {
            self.last_receive = now;
            self.unacked.acknowledge(header.ack);
            self.round_trip.on_ack(header.ack, now);
            self.stats.round_trip = self.round_trip.smoothed();
        }
        // Answer the request after the acknowledgement. The games even resend messages that this packet acknowledges.
        if header.resend {
            self.stats.resend_requests_in = self.stats.resend_requests_in.saturating_add(1);
            self.resend_request.is_pending = true;
            self.answer_resend_request();
        }
    }

    fn add_counts(&mut self, counts: ChunkCounts) {
        self.stats.vital_in = self.stats.vital_in.saturating_add(counts.new);
        self.stats.repeated = self.stats.repeated.saturating_add(counts.repeated);
        self.stats.gaps = self.stats.gaps.saturating_add(counts.gaps);
        if counts.gaps > 0 {
            self.queue.request_resend = true;
        }
    }

    /// Handles a control message. If its packet announces chunks, they are not read.
    fn on_control<'s>(&mut self, id: u8, body: &'s [u8]) -> LinkInput<'s> {
        if let (CONNECT, LinkTokens::V06, LinkState::Repeating(accept)) = (id, self.tokens, self.state) {
            // The client has not received the CONNECTACCEPT.
            self.send_control(accept.id, accept.body());
            if body.is_empty() {
                return LinkInput::KeepAlive;
            }
        }
        match id {
            KEEP_ALIVE => {
                if let LinkState::Confirming(_) = self.state {
                    self.state = LinkState::Online;
                }
                LinkInput::KeepAlive
            }
            // An ACCEPT must not restart an established connection.
            ACCEPT => LinkInput::KeepAlive,
            CLOSE => {
                self.state = LinkState::Closed;
                LinkInput::Close { reason: self.config.close_text(body) }
            }
            id => LinkInput::Control { id, body },
        }
    }
}
