use gamewire_machine::Instant;

use super::Phase;
use super::metrics::one_more;
use super::rtt::ResendTimeout;
use super::send_window::{DueAction, STEADY_ATTEMPTS, SendLimits};
use super::{CloseCause, ConnectionLimit, DeliveryOutcome, Link, OnSendExhausted};
use crate::SendError;
use crate::shared::packet::Notify;
use crate::shared::payload::Payload;

/// Number of timeouts without an ack after which a connection ends, although heartbeats arrive. A single one is too
/// short where half of the packets are lost.
const MAX_TIMEOUTS_WITHOUT_ACK: u32 = 3;

/// A reliable packet that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Transmission<'a> {
    /// Sequence id of the packet.
    pub(crate) seq_id: u16,
    /// Number of the attempt, from 1 on.
    pub(crate) attempt: u16,
    /// The bytes of the packet.
    pub(crate) packet: &'a [u8],
}

impl Link {
    /// Queues a reliable packet of `length` bytes, and returns its sequence id. `write` receives the id and must overwrite
    /// all bytes. [`Link::poll_send`] returns the packet whenever it is due, until it is acknowledged.
    ///
    /// # Errors
    /// [`SendError::Full`] if [`LinkConfig::send_buffer`] is used up, [`SendError::TooLong`] if the packet exceeds 65535
    /// bytes, [`SendError::NotConnected`] if the connection is closed. No id is used.
    #[inline]
    pub(crate) fn send_reliable(
        &mut self,
        now: Instant,
        length: usize,
        write: impl FnOnce(u16, &mut [u8]),
    ) -> Result<u16, SendError> {
        if self.is_ended() {
            return Err(SendError::NotConnected);
        }
        if self.sent.is_empty() {
            self.last_progress = now;
        }
        let seq_id = self.sent.push(now, length, self.config.send_buffer, write)?;
        one_more(&mut self.metrics.reliable_uniques);
        Ok(seq_id)
    }

    /// Returns whether `packets` reliable packets, of `bytes` in total, fit into the send buffer.
    pub(crate) fn has_room(&self, packets: usize, bytes: usize) -> bool {
        !self.is_ended() && self.sent.has_room(packets, bytes, self.config.send_buffer)
    }

    /// Returns the ids for a notify message of `length` bytes that is sent now (2.1).
    ///
    /// # Errors
    /// [`SendError::NotConnected`] if the connection is closed.
    pub(crate) fn send_notify(&mut self, length: usize) -> Result<Notify<'static>, SendError> {
        if self.is_ended() {
            return Err(SendError::NotConnected);
        }
        let (seq_id, given_up) = self.notify_sent.send();
        if let Some(seq_id) = given_up {
            one_more(&mut self.metrics.notify_unknown);
            self.emit(seq_id, DeliveryOutcome::NotifyUnknown);
        }
        self.metrics.sent_notify(length);
        let (last_received_seq_id, received_seq_ids) = self.notify_received.ack();
        Ok(Notify { last_received_seq_id, received_seq_ids, seq_id, payload: Payload::EMPTY })
    }

    /// Returns the next reliable packet that is due, for the first time or again. Call it until it returns `None`.
    #[inline]
    pub(crate) fn poll_send(&mut self, now: Instant) -> Option<Transmission<'_>> {
        if self.sent.is_quiet(now) { None } else { self.poll_due(now) }
    }

    #[inline(always)]
    fn poll_due(&mut self, now: Instant) -> Option<Transmission<'_>> {
        let (seq_id, attempt, place) = loop {
            if self.is_ended() {
                return None;
            }
            let rules = self.rules();
            match self.sent.next(now, &rules)? {
                DueAction::Send { attempt, .. }
                    if attempt > STEADY_ATTEMPTS
                        && rules.max_attempts.is_none()
                        && self.is_unacknowledged(now) =>
                {
                    self.end(CloseCause::Exceeded(ConnectionLimit::NoAck));
                }
                DueAction::Send { id, attempt, place } => break (id, attempt, place),
                DueAction::Exhausted { id, attempts } => self.exhausted(id, attempts),
            }
        };
        let packet = self.sent.packet(place)?;
        self.metrics.sent_reliable(packet.len());
        Some(Transmission { seq_id, attempt, packet })
    }

    /// Returns whether the peer has acknowledged nothing for too long.
    #[cold]
    fn is_unacknowledged(&self, now: Instant) -> bool {
        let limit = self.settings.timeout_time.saturating_mul(MAX_TIMEOUTS_WITHOUT_ACK);
        self.settings.can_timeout && now.since(self.last_progress) > limit
    }

    fn rules(&self) -> SendLimits {
        let max_attempts = if !self.is_connected() {
            Some(self.config.handshake_send_attempts)
        } else if self.config.on_send_exhausted == OnSendExhausted::Discard
            || self.settings.can_quality_disconnect
        {
            self.settings.max_send_attempts
        } else {
            None
        };
        let ResendTimeout { rto, min_interval: spacing } = self.pace;
        SendLimits { rto, spacing, window: self.window(), max_attempts }
    }

    /// Returns the maximum number of messages in flight. A server sends an accepted client only the Welcome, because
    /// its address may be forged; the C# library sends everything.
    pub(super) fn window(&self) -> u16 {
        match self.phase {
            Phase::Accepted { .. } => u16::from(self.sent.newest() == 0),
            _ => self.config.send_window.max(1),
        }
    }

    #[cold]
    fn exhausted(&mut self, seq_id: u16, attempts: u16) {
        if !self.is_connected() {
            // The C# library discards the message silently, although the handshake may still succeed.
            self.sent.mark_stalled(seq_id);
        } else if self.config.on_send_exhausted == OnSendExhausted::Disconnect {
            self.end(CloseCause::Exceeded(ConnectionLimit::SendAttempts { seq_id, attempts }));
        } else if self.sent.ack(seq_id).is_some() {
            self.emit(seq_id, DeliveryOutcome::ReliableGivenUp);
        }
    }

    /// Sends each message that used up its attempts during the handshake once more. Call it when the client repeats its
    /// connect request.
    pub(crate) fn retry_stalled(&mut self, now: Instant) {
        if !self.is_connected() {
            self.sent.retry_stalled(now, self.config.handshake_send_attempts.saturating_sub(1));
        }
    }
}
