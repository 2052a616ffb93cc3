use core::mem::take;
use std::net::SocketAddr;

use gamewire_machine::{Clock, Instant, Transmit, TransmitQueue};
use gamewire_wire::Writer;

use super::codec::{self, CLOSE, ReceiveWindow, pack};
use super::queue::Queue;
use super::repeated::{PendingControl, Unconfirmed};
use super::round_trip::RoundTrip;
use super::unacked::Unacked;
use super::{LinkConfig, LinkStats, LinkTokens, OverflowPolicy, SendError};
use crate::Dialect;
use crate::shared::packet::{ChunkHeader, Header, MAX_DATAGRAM, SEQUENCE_SPACE};

/// A queue of unsent datagrams.
pub type Outbox = TransmitQueue<SocketAddr>;

/// One established connection.
///
/// A link stores its time. [`Link::receive`] and [`Link::handle_timeout`] advance it, and all other methods use the
/// time of the last such call. The link also stores the datagrams that it sends, until [`Link::poll_transmit`] takes
/// them.
#[derive(Debug)]
pub struct Link {
    pub(super) clock: Clock,
    /// A machine with many links lends its own queue to each of them, which saves memory.
    pub(crate) transmits: Outbox,
    pub(super) tokens: LinkTokens,
    pub(super) config: LinkConfig,
    pub(super) stats: LinkStats,
    pub(super) state: LinkState,
    peer: SocketAddr,
    /// A message is added to a packet if the chunks and the message together have at most this many bytes.
    limit: usize,
    /// Sequence number of our last vital message.
    pub(super) sequence: u16,
    /// The peer's last ack.
    pub(super) peer_ack: u16,
    pub(super) receive_window: ReceiveWindow,
    pub(super) unacked: Unacked,
    pub(super) queue: Queue,
    pub(super) round_trip: RoundTrip,
    pub(super) resend_request: ResendRequest,
    pub(super) last_send: Instant,
    pub(super) last_receive: Instant,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum LinkState {
    /// The peer may not have received the last message of the handshake, so the link repeats it.
    Repeating(PendingControl),
    /// Online, but the server has not shown that it has a connection. The client repeats the last message of the
    /// handshake.
    Confirming(Unconfirmed),
    Online,
    /// Closed, and the next timeout returns the reason.
    OutOfBuffer {
        since: Instant,
    },
    Closed,
}

/// The peer's request to resend.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ResendRequest {
    pub(super) is_pending: bool,
    last_answer: Option<Instant>,
}

/// The last vital messages that were delivered in both directions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct LinkProgress {
    received: u16,
    acknowledged: u16,
}

impl Link {
    /// Creates a connection to `peer` that was established at `now`.
    pub fn new(tokens: LinkTokens, peer: SocketAddr, config: LinkConfig, now: Instant) -> Self {
        let trailer = tokens.trailer().map_or(0, |bytes| bytes.len());
        // A packet contains its header, at least one chunk header (3 bytes) and the trailer.
        let max = MAX_DATAGRAM.saturating_sub(tokens.header_size()).saturating_sub(trailer).saturating_sub(3);
        let limit = config.max_payload.saturating_sub(config.chunk_reserve).min(max);
        Self {
            clock: Clock::new(now),
            transmits: Outbox::new(),
            tokens,
            config,
            stats: LinkStats::default(),
            state: LinkState::Online,
            peer,
            limit,
            sequence: 0,
            peer_ack: 0,
            receive_window: ReceiveWindow::default(),
            unacked: Unacked::default(),
            queue: Queue::new(limit),
            round_trip: RoundTrip::default(),
            resend_request: ResendRequest::default(),
            last_send: now,
            last_receive: now,
        }
    }

    /// Continues as if `sequence` vital messages had been sent, and accepts any sequence number for the peer's first
    /// vital message. The handshake of 0.6.5 with older clients sends 2 messages before the link is created.
    #[must_use]
    pub const fn with_sequence(mut self, sequence: u16) -> Self {
        self.sequence = sequence % SEQUENCE_SPACE;
        self.receive_window.accepts_any = true;
        self
    }

    /// Advances the time of the link, without firing timers. An earlier `now` is ignored.
    pub fn advance(&mut self, now: Instant) {
        self.clock.advance(now);
    }

    /// Queues a message (id and body). Full packets are sent immediately, the remaining messages with the next flush.
    ///
    /// # Errors
    /// * [`SendError::TooLong`] if the message does not fit into a packet.
    /// * [`SendError::Full`] if the message is vital and the send buffer is full, with [`OverflowPolicy::Refuse`].
    /// * [`SendError::OutOfBuffer`] if the message is vital and the send buffer is full, with
    ///   [`OverflowPolicy::Disconnect`]. The link is closed.
    /// * [`SendError::Closed`] if the link is closed.
    pub fn send(&mut self, vital: bool, message: &[u8]) -> Result<(), SendError> {
        if self.is_closed() {
            return Err(SendError::Closed);
        }
        let (length, max) = (message.len(), self.max_message());
        if length > max {
            return Err(SendError::TooLong { length, max });
        }
        if !vital {
            self.queue_chunk(ChunkHeader::default(), message);
            return Ok(());
        }
        if !self.unacked.has_room(length, self.config.resend_buffer) {
            return Err(match self.config.overflow {
                OverflowPolicy::Refuse => SendError::Full,
                OverflowPolicy::Disconnect => self.close_out_of_buffer(),
            });
        }
        self.sequence = codec::next(self.sequence);
        let header = ChunkHeader { resend: false, sequence: Some(self.sequence) };
        self.queue_chunk(header, message);
        self.unacked.push(self.clock.now(), self.sequence, message, self.config.resend_buffer);
        self.stats.vital_out = self.stats.vital_out.saturating_add(1);
        Ok(())
    }

    fn queue_chunk(&mut self, header: ChunkHeader, message: &[u8]) {
        if !self.queue.has_room(message.len(), self.limit) {
            self.flush();
        }
        self.queue.push(&self.tokens, header, message);
    }

    /// Sends the queued messages, if there are any.
    pub fn flush(&mut self) {
        if self.is_closed() || !self.queue.is_due() {
            return;
        }
        let header = Header {
            resend: self.queue.request_resend,
            ack: self.receive_window.ack,
            chunks: self.queue.chunks,
            ..Header::default()
        };
        if let Some(trailer) = self.tokens.trailer() {
            self.queue.bytes.extend_from_slice(&trailer);
        }
        let (tokens, payload, ending) = (&self.tokens, &self.queue.bytes, self.config.ending);
        let pack = |buffer: &mut [u8]| pack(tokens, header, payload, ending, buffer);
        let length = self.transmits.write(self.peer, MAX_DATAGRAM, pack);
        if let Some(newest) = self.queue.newest {
            self.round_trip.on_send(newest, self.clock.now());
        }
        if self.queue.request_resend {
            self.stats.resend_requests_out = self.stats.resend_requests_out.saturating_add(1);
        }
        self.queue.clear();
        self.count_sent(length);
    }

    /// Sends the control message `id` with `body` immediately, before queued messages.
    pub fn send_control(&mut self, id: u8, body: &[u8]) {
        if self.is_closed() {
            return;
        }
        let header = Header { control: true, ack: self.receive_window.ack, ..Header::default() };
        let trailer = self.tokens.trailer();
        let (tokens, ending) = (&self.tokens, self.config.ending);
        let mut payload = [0; MAX_DATAGRAM];
        let mut to = Writer::new(&mut payload);
        let written = to
            .u8(id)
            .and_then(|()| to.bytes(body))
            .and_then(|()| to.bytes(trailer.as_ref().map_or(&[], |bytes| bytes.as_slice())));
        if written.is_ok() {
            let pack = |buffer: &mut [u8]| pack(tokens, header, to.written(), ending, buffer);
            let length = self.transmits.write(self.peer, MAX_DATAGRAM, pack);
            self.count_sent(length);
        }
    }

    fn count_sent(&mut self, length: usize) {
        self.last_send = self.clock.now();
        self.stats.datagrams_out = self.stats.datagrams_out.saturating_add(1);
        self.stats.bytes_out = self.stats.bytes_out.saturating_add(length.try_into().unwrap_or(u64::MAX));
    }

    /// Sends a CLOSE and closes the link. Queued messages are not sent. The reason is cut at
    /// [`LinkConfig::close_reason_max`] bytes and at its first zero byte. A peer with an unproven address gets no
    /// reason, so that the CLOSE is not longer than its CONNECT.
    pub fn close(&mut self, reason: Option<&[u8]>) {
        self.close_with(reason.filter(|_| !self.is_unproven()));
    }

    /// Sends a CLOSE with this reason to any peer, and closes the link.
    pub(crate) fn close_with(&mut self, reason: Option<&[u8]>) {
        let mut body = Vec::new();
        if let Some(reason) = reason {
            let kept = reason.iter().take(self.config.close_reason_max).take_while(|&&byte| byte != 0);
            body.extend(kept);
            body.push(0);
        }
        self.send_control(CLOSE, &body);
        self.state = LinkState::Closed;
    }

    /// Returns the header of CLOSE, for dialects in which a server ignores a new handshake while it has the connection.
    /// A client that reconnects repeats the CLOSE, because it may be lost.
    pub(crate) fn close_header(&self) -> Option<Header> {
        let token = match self.tokens {
            LinkTokens::V06 => None,
            LinkTokens::V065(token) => Some(token),
            LinkTokens::Tken(_) | LinkTokens::V07 { .. } => return None,
        };
        Some(Header { control: true, token, ack: self.receive_window.ack, ..Header::default() })
    }

    /// Closes the link because the send buffer is full. The next timeout returns the reason.
    pub(crate) fn close_out_of_buffer(&mut self) -> SendError {
        let error = SendError::OutOfBuffer;
        self.close(Some(error.to_string().as_bytes()));
        self.state = LinkState::OutOfBuffer { since: self.clock.now() };
        error
    }

    /// Resends all unacknowledged messages if the peer has requested it, but at most once per round trip: an earlier
    /// request cannot refer to the last resend.
    pub(super) fn answer_resend_request(&mut self) {
        let now = self.clock.now();
        if !self.resend_request.is_pending || now < self.next_resend_answer() {
            return;
        }
        self.resend_request = ResendRequest { is_pending: false, last_answer: Some(now) };
        self.resend(|unacked, send| unacked.resend_all(now, send));
    }

    /// Returns the time from which the next resend request may be answered.
    pub(super) fn next_resend_answer(&self) -> Instant {
        let interval = self.round_trip.smoothed().unwrap_or_default().max(self.config.resend_answer_after);
        self.resend_request.last_answer.map_or(Instant::ZERO, |last| last + interval)
    }

    pub(super) fn resend_oldest(&mut self) {
        let now = self.clock.now();
        self.resend(|unacked, send| unacked.resend_oldest(now, send));
    }

    fn resend(&mut self, select: impl FnOnce(&mut Unacked, &mut dyn FnMut(u16, &[u8]))) {
        let mut unacked = take(&mut self.unacked);
        select(&mut unacked, &mut |sequence, message| {
            let header = ChunkHeader { resend: true, sequence: Some(sequence) };
            self.queue_chunk(header, message);
            self.stats.resent = self.stats.resent.saturating_add(1);
            self.round_trip.on_resend();
        });
        self.unacked = unacked;
    }

    /// Writes the next datagram to send to `buffer` and replaces the content of the buffer.
    pub fn poll_transmit(&mut self, buffer: &mut Vec<u8>) -> Option<Transmit> {
        self.transmits.pop(buffer).map(|to| Transmit { to })
    }

    /// Returns whether the link is closed.
    pub const fn is_closed(&self) -> bool {
        matches!(self.state, LinkState::Closed | LinkState::OutOfBuffer { .. })
    }

    /// Returns the address of the peer.
    pub const fn peer(&self) -> SocketAddr {
        self.peer
    }

    /// Returns the dialect.
    pub const fn dialect(&self) -> Dialect {
        self.tokens.dialect()
    }

    /// Returns the tokens.
    pub const fn tokens(&self) -> LinkTokens {
        self.tokens
    }

    /// Returns the timers and limits.
    pub const fn config(&self) -> &LinkConfig {
        &self.config
    }

    /// Returns the maximum length of a message in bytes.
    pub fn max_message(&self) -> usize {
        self.limit.min(self.tokens.max_chunk())
    }

    /// Returns the counters.
    pub const fn stats(&self) -> &LinkStats {
        &self.stats
    }

    /// Returns the time of the link.
    pub(crate) const fn now(&self) -> Instant {
        self.clock.now()
    }

    /// Returns the last vital messages that were delivered in both directions.
    pub(crate) const fn progress(&self) -> LinkProgress {
        LinkProgress { received: self.receive_window.ack, acknowledged: self.peer_ack }
    }

    /// Sets [`OverflowPolicy::Refuse`].
    pub(crate) const fn refuse_overflow(&mut self) {
        self.config.overflow = OverflowPolicy::Refuse;
    }

    /// Returns the number of messages that the peer has not acknowledged.
    pub(crate) const fn unacked_count(&self) -> usize {
        self.unacked.count()
    }

    /// Returns whether the peer has not acknowledged all vital messages.
    pub fn has_unacked(&self) -> bool {
        self.unacked.oldest().is_some()
    }

    /// Returns the memory of the link in bytes, without unsent datagrams.
    pub const fn held_bytes(&self) -> usize {
        size_of::<Self>()
            .saturating_add(self.queue.bytes.capacity())
            .saturating_add(self.unacked.held_bytes())
    }
}
