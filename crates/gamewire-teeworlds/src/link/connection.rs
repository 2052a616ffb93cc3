use core::mem::take;
use std::net::SocketAddr;

use gamewire_machine::Instant;

use super::pack::pack;
use super::queue::Queue;
use super::receive::CLOSE;
use super::round_trip::RoundTrip;
use super::unacked::Unacked;
use super::window::{self, ReceiveWindow};
use super::{LinkConfig, LinkStats, LinkTokens, Outbox, SendError};
use crate::Dialect;
use crate::shared::packet::{ChunkHeader, Header, MAX_DATAGRAM, SEQUENCE_SPACE};
use crate::{v06, v07};

/// One established connection.
#[derive(Debug)]
pub struct Link {
    pub(super) tokens: LinkTokens,
    pub(super) config: LinkConfig,
    pub(super) stats: LinkStats,
    pub(super) phase: Phase,
    peer: SocketAddr,
    /// A message is put into a packet while chunks and message have at most so many bytes.
    limit: usize,
    /// Our last vital message.
    pub(super) sequence: u16,
    /// What the peer acknowledged last.
    pub(super) peer_ack: u16,
    pub(super) arrivals: ReceiveWindow,
    pub(super) unacked: Unacked,
    pub(super) queue: Queue,
    pub(super) round_trip: RoundTrip,
    pub(super) resend_answer: ResendAnswer,
    pub(super) last_send: Instant,
    pub(super) last_receive: Instant,
}

/// Where in its life a link is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Phase {
    /// The peer may not have seen that it was let in.
    Repeating(PendingControl),
    Online,
    /// It is over and the owner has not been told by a timeout yet.
    OutOfBuffer {
        since: Instant,
    },
    Closed,
}

/// A short control message.
#[derive(Clone, Copy, Debug)]
pub(super) struct PendingControl {
    pub(super) id: u8,
    bytes: [u8; 8],
    length: u8,
}

impl PendingControl {
    pub(super) fn body(&self) -> &[u8] {
        self.bytes.get(..self.length.into()).unwrap_or_default()
    }
}

/// How far the peer's wish to have messages again is fulfilled.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ResendAnswer {
    pub(super) requested: bool,
    last: Option<Instant>,
}

impl Link {
    /// A connection to `peer` that was made just now.
    #[must_use]
    pub fn new(tokens: LinkTokens, peer: SocketAddr, config: LinkConfig, now: Instant) -> Self {
        let trailer = tokens.trailer().map_or(0, |bytes| bytes.len());
        // Behind the packet header there must be room for one chunk header and the trailer.
        let most =
            MAX_DATAGRAM.saturating_sub(tokens.header_size()).saturating_sub(trailer).saturating_sub(3);
        let limit = config.max_payload.saturating_sub(config.chunk_reserve).min(most);
        Self {
            tokens,
            config,
            stats: LinkStats::default(),
            phase: Phase::Online,
            peer,
            limit,
            sequence: 0,
            peer_ack: 0,
            arrivals: ReceiveWindow::default(),
            unacked: Unacked::default(),
            queue: Queue::new(limit),
            round_trip: RoundTrip::default(),
            resend_answer: ResendAnswer::default(),
            last_send: now,
            last_receive: now,
        }
    }

    /// As if `own` vital messages had been sent, which the peer may acknowledge; and the peer's
    /// first vital message is taken whatever its sequence number is. For handshakes that begin in
    /// the middle: 0.6.5's with older clients (2).
    #[must_use]
    pub const fn with_sequence(mut self, own: u16) -> Self {
        self.sequence = own % SEQUENCE_SPACE;
        self.arrivals.any = true;
        self
    }

    /// Repeats the control message `id`, `body` every [`LinkConfig::retry_after`], and sends no
    /// KEEPALIVE, until the peer's first packet that is not a control packet: a server of 0.7
    /// (ACCEPT) or plain 0.6 (CONNECTACCEPT) that has just let a client in. Of `body` at most 8
    /// bytes are taken.
    #[must_use]
    pub fn repeating(mut self, id: u8, body: &[u8]) -> Self {
        let mut bytes = [0; 8];
        let length = bytes.iter_mut().zip(body).map(|(to, from)| *to = *from).count();
        self.phase = Phase::Repeating(PendingControl { id, bytes, length: length.try_into().unwrap_or(0) });
        self
    }

    /// Queues one message (id and body). Full packets leave at once, the rest with the next flush.
    ///
    /// # Errors
    /// When the message is too long, too much is unacknowledged, or the link is over.
    pub fn send(
        &mut self,
        now: Instant,
        vital: bool,
        message: &[u8],
        out: &mut Outbox,
    ) -> Result<(), SendError> {
        if self.is_closed() {
            return Err(SendError::Closed);
        }
        let (length, max) = (message.len(), self.max_message());
        if length > max {
            return Err(SendError::TooLong { length, max });
        }
        if !vital {
            self.queue_chunk(now, ChunkHeader::default(), message, out);
            return Ok(());
        }
        if !self.unacked.has_room(length, self.config.resend_buffer) {
            return Err(self.refuse(now, out));
        }
        self.sequence = window::next(self.sequence);
        let header = ChunkHeader { resend: false, sequence: Some(self.sequence) };
        self.queue_chunk(now, header, message, out);
        self.unacked.push(now, self.sequence, message, self.config.resend_buffer);
        self.stats.vital_out = self.stats.vital_out.saturating_add(1);
        Ok(())
    }

    fn queue_chunk(&mut self, now: Instant, header: ChunkHeader, message: &[u8], out: &mut Outbox) {
        if !self.queue.has_room(message.len(), self.limit) {
            self.flush(now, out);
        }
        self.queue.push(&self.tokens, header, message);
    }

    /// Sends what is queued; nothing happens when nothing is.
    pub fn flush(&mut self, now: Instant, out: &mut Outbox) {
        if self.is_closed() || !self.queue.is_due() {
            return;
        }
        let header = Header {
            resend: self.queue.request_resend,
            ack: self.arrivals.ack,
            chunks: self.queue.chunks,
            ..Header::default()
        };
        if let Some(trailer) = self.tokens.trailer() {
            self.queue.bytes.extend_from_slice(&trailer);
        }
        let (tokens, payload, ending) = (&self.tokens, &self.queue.bytes, self.config.ending);
        let length = out.write(self.peer, MAX_DATAGRAM, |room| pack(tokens, header, payload, ending, room));
        if let Some(newest) = self.queue.newest {
            self.round_trip.sent(newest, now);
        }
        if self.queue.request_resend {
            self.stats.resend_requests_out = self.stats.resend_requests_out.saturating_add(1);
        }
        self.queue.clear();
        self.sent(now, length);
    }

    /// Sends the control message `id`, `body` at once, before what is queued.
    pub fn send_control(&mut self, now: Instant, id: u8, body: &[u8], out: &mut Outbox) {
        if self.is_closed() {
            return;
        }
        let header = Header { control: true, ack: self.arrivals.ack, ..Header::default() };
        let trailer = self.tokens.trailer();
        let (tokens, ending) = (&self.tokens, self.config.ending);
        let mut payload = [0; MAX_DATAGRAM];
        let mut to = gamewire_wire::Writer::new(&mut payload);
        let written = to
            .u8(id)
            .and_then(|()| to.bytes(body))
            .and_then(|()| to.bytes(trailer.as_ref().map_or(&[], |bytes| bytes.as_slice())));
        if written.is_ok() {
            let length =
                out.write(self.peer, MAX_DATAGRAM, |room| pack(tokens, header, to.written(), ending, room));
            self.sent(now, length);
        }
    }

    fn sent(&mut self, now: Instant, length: usize) {
        self.last_send = now;
        self.stats.datagrams_out = self.stats.datagrams_out.saturating_add(1);
        self.stats.bytes_out = self.stats.bytes_out.saturating_add(length.try_into().unwrap_or(u64::MAX));
    }

    /// Sends a CLOSE, and the link is over. What is queued is not sent. The reason is cut at
    /// [`LinkConfig::close_reason_max`] bytes and at its first zero byte.
    pub fn close(&mut self, now: Instant, reason: Option<&[u8]>, out: &mut Outbox) {
        let mut body = Vec::new();
        if let Some(reason) = reason {
            let kept = reason.iter().take(self.config.close_reason_max).take_while(|&&byte| byte != 0);
            body.extend(kept);
            body.push(0);
        }
        self.send_control(now, CLOSE, &body, out);
        self.phase = Phase::Closed;
    }

    /// Too much is unacknowledged.
    fn refuse(&mut self, now: Instant, out: &mut Outbox) -> SendError {
        match self.config.overflow {
            super::OverflowPolicy::Refuse => SendError::Full,
            super::OverflowPolicy::Disconnect => self.give_up(now, out),
        }
    }

    /// Closes the connection because too much is unacknowledged; the next timeout says so.
    pub(crate) fn give_up(&mut self, now: Instant, out: &mut Outbox) -> SendError {
        let error = SendError::OutOfBuffer;
        self.close(now, Some(error.to_string().as_bytes()), out);
        self.phase = Phase::OutOfBuffer { since: now };
        error
    }

    /// Sends everything unacknowledged again if the peer has asked for that, but at most once in
    /// a round trip: what it asks for sooner cannot be meant for what was sent last.
    pub(super) fn answer_resend_request(&mut self, now: Instant, out: &mut Outbox) {
        if !self.resend_answer.requested || now < self.next_resend_answer() {
            return;
        }
        self.resend_answer = ResendAnswer { requested: false, last: Some(now) };
        self.resend(|unacked, send| unacked.resend_all(now, send), now, out);
    }

    /// When the next request may be answered.
    pub(super) fn next_resend_answer(&self) -> Instant {
        let apart = self.round_trip.smoothed().unwrap_or_default().max(self.config.resend_answer_after);
        self.resend_answer.last.map_or(Instant::ZERO, |last| last + apart)
    }

    pub(super) fn resend_oldest(&mut self, now: Instant, out: &mut Outbox) {
        self.resend(|unacked, send| unacked.resend_oldest(now, send), now, out);
    }

    fn resend(
        &mut self,
        which: impl FnOnce(&mut Unacked, &mut dyn FnMut(u16, &[u8])),
        now: Instant,
        out: &mut Outbox,
    ) {
        let mut unacked = take(&mut self.unacked);
        which(&mut unacked, &mut |sequence, message| {
            let header = ChunkHeader { resend: true, sequence: Some(sequence) };
            self.queue_chunk(now, header, message, out);
            self.stats.resent = self.stats.resent.saturating_add(1);
            self.round_trip.resent();
        });
        self.unacked = unacked;
    }

    /// Whether the link is over.
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        matches!(self.phase, Phase::Closed | Phase::OutOfBuffer { .. })
    }

    /// The peer.
    #[must_use]
    pub const fn peer(&self) -> SocketAddr {
        self.peer
    }

    /// The dialect.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        self.tokens.dialect()
    }

    /// The tokens.
    #[must_use]
    pub const fn tokens(&self) -> LinkTokens {
        self.tokens
    }

    /// The timers and limits.
    #[must_use]
    pub const fn config(&self) -> &LinkConfig {
        &self.config
    }

    /// The longest message that can be sent, in bytes.
    #[must_use]
    pub fn max_message(&self) -> usize {
        match self.tokens {
            LinkTokens::V07 { .. } => self.limit.min(v07::wire::chunk::MAX_SIZE),
            _ => self.limit.min(v06::wire::chunk::MAX_SIZE),
        }
    }

    /// What has been counted.
    #[must_use]
    pub const fn stats(&self) -> &LinkStats {
        &self.stats
    }

    /// The memory that the link holds, in bytes.
    #[must_use]
    pub const fn held_bytes(&self) -> usize {
        size_of::<Self>()
            .saturating_add(self.queue.bytes.capacity())
            .saturating_add(self.unacked.held_bytes())
    }
}
