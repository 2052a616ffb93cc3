//! What a datagram does to a link.

use gamewire_machine::Instant;
use gamewire_wire::{CodecError, Found};

use super::connection::Phase;
use super::unpack::{self, ChunkCounts, unpack};
use super::{Chunks, Link, LinkInput, Outbox, PacketError, Scratch, window};
use crate::shared::pack::{Sanitize, Text};
use crate::shared::packet::Header;

/// The control messages that concern a link; the ids are the same in all dialects.
pub(super) const KEEP_ALIVE: u8 = 0;
const ACCEPT: u8 = 2;
pub(super) const CLOSE: u8 = 4;

impl Link {
    /// A datagram arrived from the peer. All of it is checked before anything changes.
    ///
    /// # Errors
    /// It was dropped, and the link is as if it had never come.
    pub fn receive<'s>(
        &mut self,
        now: Instant,
        datagram: &'s [u8],
        scratch: &'s mut Scratch,
        out: &mut Outbox,
    ) -> Result<LinkInput<'s>, PacketError> {
        if self.is_closed() {
            return Err(PacketError::Closed);
        }
        let Scratch { payload: room, chunks: places } = scratch;
        let (header, payload) = unpack(&self.tokens, self.config.strict_packets, datagram, room)?;
        if !window::may_acknowledge(self.peer_ack, self.sequence, header.ack) {
            return Err(PacketError::AckOutsideWindow);
        }
        if header.control {
            let (&id, body) = payload.split_first().ok_or_else(|| {
                CodecError::new(0, "the id of a control message", Found::End).in_packet("control")
            })?;
            self.take_packet(now, datagram.len(), &header, out);
            return Ok(self.take_control(id, body));
        }
        let mut arrivals = self.arrivals;
        let tally = unpack::chunks(&self.tokens, payload, header.chunks, &mut arrivals, places)?;
        // All of it has been checked; from here on nothing is refused.
        self.arrivals = arrivals;
        self.add_counts(tally);
        self.phase = Phase::Online;
        self.take_packet(now, datagram.len(), &header, out);
        Ok(LinkInput::Chunks(Chunks { payload, places: places.iter() }))
    }

    fn take_packet(&mut self, now: Instant, length: usize, header: &Header, out: &mut Outbox) {
        self.stats.datagrams_in = self.stats.datagrams_in.saturating_add(1);
        self.stats.bytes_in = self.stats.bytes_in.saturating_add(length.try_into().unwrap_or(u64::MAX));
        self.peer_ack = header.ack;
        // Acknowledgements before the resend request: the games first send again even what this
        // very packet acknowledges.
        //
        // As long as the handshake goes on, control packets do not show that the peer has seen its end.
        if matches!(self.phase, Phase::Online) {
            self.last_receive = now;
            self.unacked.acknowledge(header.ack);
            self.round_trip.acknowledged(header.ack, now);
            self.stats.round_trip = self.round_trip.smoothed();
        }
        if header.resend {
            self.stats.resend_requests_in = self.stats.resend_requests_in.saturating_add(1);
            self.resend_answer.requested = true;
            self.answer_resend_request(now, out);
        }
    }

    fn add_counts(&mut self, tally: ChunkCounts) {
        self.stats.vital_in = self.stats.vital_in.saturating_add(tally.vital);
        self.stats.repeated = self.stats.repeated.saturating_add(tally.repeated);
        self.stats.gaps = self.stats.gaps.saturating_add(tally.gaps);
        if tally.gaps > 0 {
            self.queue.request_resend = true;
        }
    }

    /// A control message; chunks that its packet announces are never read.
    fn take_control<'s>(&mut self, id: u8, body: &'s [u8]) -> LinkInput<'s> {
        match id {
            // Whoever takes an ACCEPT once online would let its sender begin the connection anew.
            KEEP_ALIVE | ACCEPT => LinkInput::KeepAlive,
            CLOSE => {
                self.phase = Phase::Closed;
                let reason = body.split(|&byte| byte == 0).next().unwrap_or_default();
                let reason = reason.get(..self.config.close_reason_max).unwrap_or(reason);
                let said = !reason.is_empty();
                LinkInput::Close { reason: said.then(|| Text::received(reason, Sanitize::Controls)) }
            }
            id => LinkInput::Control { id, body },
        }
    }
}
