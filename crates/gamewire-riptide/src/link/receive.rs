use gamewire_machine::Instant;

use super::Phase;
use super::metrics::one_more;
use super::receive_window::{SeqCheck, seq_diff};
use super::{CloseCause, ConnectionLimit, DeliveryOutcome, Link};
use crate::shared::packet::{Ack, Notify};
use crate::shared::payload::Payload;

/// Number of ids before the last acknowledged one that the sender watches. A message that leaves this range is resent
/// immediately, because acks no longer name it.
const WATCHED: u16 = 32;

/// The result of receiving a reliable packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub(crate) struct ReceiveOutcome {
    /// Set if the packet is not a duplicate. The owner must handle it.
    pub(crate) is_new: bool,
    /// The ack to send, also for a duplicate; `None` if the connection is closed.
    pub(crate) ack: Option<Ack<'static>>,
}

impl Link {
    /// Handles a reliable packet of `length` bytes: a message, a Welcome, or any other packet with a sequence id. Messages
    /// are delivered in the order of arrival, not of their ids.
    #[inline(always)]
    pub(crate) fn handle_reliable(&mut self, seq_id: u16, length: usize) -> ReceiveOutcome {
        if self.is_ended() {
            return ReceiveOutcome { is_new: false, ack: None };
        }
        self.metrics.received_reliable(length);
        let is_fresh = match self.received.check(seq_id) {
            SeqCheck::New => true,
            SeqCheck::Duplicate => {
                one_more(&mut self.metrics.reliable_discarded);
                false
            }
            SeqCheck::OutOfWindow => {
                self.end(CloseCause::Exceeded(ConnectionLimit::SequenceGap));
                return ReceiveOutcome { is_new: false, ack: None };
            }
        };
        let last = self.received.last;
        let ack = Ack {
            last_received_seq_id: last,
            received_seq_ids: self.received.first_16(),
            for_seq_id: (seq_id != last).then_some(seq_id),
            trailing: Payload::EMPTY,
        };
        ReceiveOutcome { is_new: is_fresh, ack: Some(ack) }
    }

    /// Returns whether a reliable packet with this id is a duplicate.
    pub(crate) fn has_received(&self, seq_id: u16) -> bool {
        self.received.has(seq_id)
    }

    /// Handles an ack. Messages that it does not acknowledge may become due. An ack that names an unsent id is ignored.
    #[inline(always)]
    pub(crate) fn handle_ack(&mut self, now: Instant, ack: Ack<'_>) {
        let last = ack.last_received_seq_id;
        if ack.for_seq_id.is_none()
            && last == self.last_acked.wrapping_add(1)
            && let Some(attempts) = self.sent.ack_oldest(last)
        {
            // Usually an ack is for the oldest message in flight.
            (self.last_acked, self.last_progress) = (last, now);
            return self.was_delivered(last, attempts);
        }
        self.handle_any_ack(now, ack);
    }

    fn handle_any_ack(&mut self, now: Instant, ack: Ack<'_>) {
        if self.is_ended() {
            return;
        }
        let Ack { last_received_seq_id: last, received_seq_ids, for_seq_id, .. } = ack;
        let newest = self.sent.newest();
        let answered = for_seq_id.unwrap_or(last);
        if seq_diff(last, newest) > 0 || seq_diff(answered, newest) > 0 {
            one_more(&mut self.metrics.acks_ignored);
            return;
        }
        self.delivered(now, answered);
        let advance = seq_diff(last, self.last_acked);
        if advance > 0 {
            self.expedite_unackable(now, advance);
            self.last_acked = last;
        }
        if answered != last {
            self.delivered(now, last);
        }
        if advance >= 0 {
            // If the last id is unchanged, the C# library does not count these messages as delivered before they leave
            // its bit field.
            self.delivered_before(now, last, received_seq_ids);
        }
    }

    /// Marks each of the 16 messages before the last one as acknowledged if its bit is set.
    fn delivered_before(&mut self, now: Instant, last: u16, received: u16) {
        // Those before the oldest message in flight are acknowledged already.
        let waiting = u32::from(self.sent.count_before(last));
        let mask = 1_u32.checked_shl(waiting).map_or(u32::MAX, |end| end.wrapping_sub(1));
        let mut left = u32::from(received) & mask;
        while left != 0 {
            let back = u16::try_from(left.trailing_zeros()).unwrap_or(0).saturating_add(1);
            self.delivered(now, last.wrapping_sub(back));
            left &= left.wrapping_sub(1);
        }
    }

    /// Makes messages due that an ack can no longer name. After a long gap, the messages in the gap wait for their
    /// timers.
    fn expedite_unackable(&mut self, now: Instant, advance: i32) {
        if self.sent.count_before(self.last_acked) == 0 {
            return;
        }
        let leave = u16::try_from(advance).unwrap_or(WATCHED).min(WATCHED);
        let pace = self.pace;
        for back in (WATCHED.saturating_sub(leave)..WATCHED).rev() {
            self.sent.expedite(now, self.last_acked.wrapping_sub(back).wrapping_sub(1), pace);
        }
    }

    /// Handles a notify message of `length` bytes (2.1). Returns whether it is newer than all before it; the owner must
    /// deliver it then. Its acks are ignored if they name an unsent id.
    pub(crate) fn handle_notify(&mut self, ids: Notify<'_>, length: usize) -> bool {
        if self.is_ended() {
            return false;
        }
        let last = ids.last_received_seq_id;
        if self.notify_sent.is_sent(last) {
            self.resolve_notify(last, ids.received_seq_ids);
        } else {
            one_more(&mut self.metrics.acks_ignored);
        }
        if self.is_ended() {
            return false;
        }
        self.metrics.received_notify(length);
        let is_fresh = self.notify_received.check(ids.seq_id);
        if !is_fresh {
            one_more(&mut self.metrics.notify_discarded);
        }
        is_fresh
    }

    fn resolve_notify(&mut self, last: u16, received: u8) {
        while !self.is_ended()
            && let Some((seq_id, outcome)) = self.notify_sent.resolve(last, received)
        {
            self.emit(seq_id, outcome);
            let count = match outcome {
                DeliveryOutcome::NotifyDelivered => &mut self.metrics.notify_delivered,
                DeliveryOutcome::NotifyLost => &mut self.metrics.notify_lost,
                _ => {
                    // Unknown messages do not count as lost.
                    one_more(&mut self.metrics.notify_unknown);
                    continue;
                }
            };
            one_more(count);
            self.metrics.rolling_notify.add(outcome == DeliveryOutcome::NotifyDelivered);
            self.notified();
        }
    }

    /// Handles the server's notice that its application has yet to decide. A late notice is ignored.
    pub(crate) const fn handle_pending(&mut self, now: Instant) {
        if let Phase::Connecting { next_tick, .. } = self.phase {
            self.phase = Phase::ClientPending { next_tick };
            self.last_heartbeat = now;
        }
    }

    /// Handles the server's Welcome. Returns whether it establishes the connection; the client must echo it then.
    pub(crate) fn handle_welcome(&mut self, now: Instant) -> bool {
        let (Phase::Connecting { next_tick, .. } | Phase::ClientPending { next_tick }) = self.phase else {
            return false;
        };
        self.phase = Phase::ClientConnected { next_tick };
        self.connected(now);
        true
    }

    /// Accepts a client; the owner sends the Welcome. Returns whether the client awaited the decision.
    pub(crate) const fn accept(&mut self, now: Instant) -> bool {
        let Phase::ServerPending { since } = self.phase else { return false };
        self.phase = Phase::Accepted { since };
        self.last_heartbeat = now;
        true
    }

    /// Handles the client's echo of the Welcome. Returns whether it establishes the connection.
    pub(crate) fn handle_welcome_echo(&mut self, now: Instant) -> bool {
        let Phase::Accepted { since } = self.phase else { return false };
        self.phase = Phase::ServerConnected { since };
        self.connected(now);
        true
    }

    fn connected(&mut self, now: Instant) {
        self.last_heartbeat = now;
        self.sent.retry_stalled(now, 0);
    }

    /// Handles a client's heartbeat with its round-trip time in milliseconds. Returns whether to reply.
    pub(crate) fn handle_heartbeat(&mut self, now: Instant, rtt: i16) -> bool {
        if !matches!(self.phase, Phase::ServerConnected { .. }) {
            return false;
        }
        self.on_rtt_sample(rtt);
        self.last_heartbeat = now;
        true
    }

    /// Handles a heartbeat reply. A late reply resets the timeout, too.
    pub(crate) fn handle_heartbeat_reply(&mut self, now: Instant, ping_id: u8) {
        if !matches!(self.phase, Phase::ClientConnected { .. }) {
            return;
        }
        if let Some(millis) = self.ping.match_reply(now, ping_id) {
            self.on_rtt_sample(millis);
        }
        self.last_heartbeat = now;
    }

    /// Restarts the timeout (`ResetTimeout`).
    pub(crate) const fn reset_timeout(&mut self, now: Instant) {
        self.last_heartbeat = now;
    }
}
