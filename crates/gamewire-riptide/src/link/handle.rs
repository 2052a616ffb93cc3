//! What packets of the peer do to a connection.

use gamewire_machine::Instant;

use super::connection::Phase;
use super::gap::seq_diff;
use super::metrics::one_more;
use super::notify::NotifyFate;
use super::received::SeqCheck;
use super::{CloseCause, Event, Link, QualityFailure};

/// How many ids before the last acknowledged one the sender keeps an eye on.
const WATCHED: u16 = 32;

/// The fields of an ack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Acknowledgement {
    /// The newest reliable message that has arrived.
    pub last_received_seq_id: u16,
    /// Which of the 16 before that have arrived, the latest of them in the lowest bit.
    pub received_seq_ids: u16,
    /// The message that is answered, if it is another one than the newest.
    pub for_seq_id: Option<u16>,
}

/// The ids in a notify message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotifyIds {
    /// The newest notify message that its sender has received.
    pub last_received_seq_id: u16,
    /// Which of the 8 before that it received, the latest of them in the lowest bit.
    pub received_seq_ids: u8,
    /// The id of this one.
    pub seq_id: u16,
}

/// What becomes of a reliable message that arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub struct ReceiveOutcome {
    /// It did not arrive before: handle it.
    pub is_new: bool,
    /// The ack to send, at once and for duplicates too; none when the connection is over.
    pub ack: Option<Acknowledgement>,
}

impl Link {
    /// An unreliable packet of `length` bytes arrived, be it an ack or a heartbeat.
    pub const fn received_unreliable(&mut self, length: usize) {
        self.metrics.received_unreliable(length);
    }

    /// A reliable packet of `length` bytes arrived: a message, a Welcome, or any other with an id.
    /// Messages are handled in the order of their arrival, not of their ids.
    #[inline(always)]
    pub fn handle_reliable(&mut self, seq_id: u16, length: usize) -> ReceiveOutcome {
        if self.is_ended() {
            return ReceiveOutcome { is_new: false, ack: None };
        }
        self.metrics.received_reliable(length);
        let is_fresh = match self.received.take(seq_id) {
            SeqCheck::New => true,
            SeqCheck::Duplicate => {
                one_more(&mut self.metrics.reliable_discarded);
                false
            }
            SeqCheck::OutOfWindow => {
                self.end(CloseCause::PoorConnection(QualityFailure::SequenceGap));
                return ReceiveOutcome { is_new: false, ack: None };
            }
        };
        let last = self.received.last;
        let ack = Acknowledgement {
            last_received_seq_id: last,
            received_seq_ids: self.received.first_16(),
            for_seq_id: (seq_id != last).then_some(seq_id),
        };
        ReceiveOutcome { is_new: is_fresh, ack: Some(ack) }
    }

    /// Whether a reliable packet with this id would be a duplicate.
    #[must_use]
    pub fn has_received(&self, seq_id: u16) -> bool {
        self.received.has(seq_id)
    }

    /// An ack arrived; what it acknowledges need not be sent again, what it leaves out may be due.
    ///
    /// One that names an id which was never sent is ignored as a whole.
    #[inline(always)]
    pub fn handle_ack(&mut self, now: Instant, ack: Acknowledgement) {
        let last = ack.last_received_seq_id;
        if ack.for_seq_id.is_none()
            && last == self.last_acked.wrapping_add(1)
            && let Some(attempts) = self.sent.finish_oldest(last)
        {
            // Nearly always. Nothing is left behind, and nothing before it waits.
            self.last_acked = last;
            return self.was_delivered(last, attempts);
        }
        self.handle_any_ack(now, ack);
    }

    fn handle_any_ack(&mut self, now: Instant, ack: Acknowledgement) {
        if self.is_ended() {
            return;
        }
        let Acknowledgement { last_received_seq_id: last, received_seq_ids, for_seq_id } = ack;
        let newest = self.sent.newest();
        let answered = for_seq_id.unwrap_or(last);
        if seq_diff(last, newest) > 0 || seq_diff(answered, newest) > 0 {
            one_more(&mut self.metrics.acks_ignored);
            return;
        }
        self.delivered(answered);
        let advance = seq_diff(last, self.last_acked);
        if advance > 0 {
            self.expedite_unackable(now, advance);
            self.last_acked = last;
        }
        if answered != last {
            self.delivered(last);
        }
        if advance >= 0 {
            // The original waits until they leave its field when the last id is the same again.
            self.delivered_before(last, received_seq_ids);
        }
    }

    /// Of the 16 messages before the last one the peer has those whose bits are set.
    fn delivered_before(&mut self, last: u16, received: u16) {
        // Of those from before the oldest that waits it has been known for long.
        let waiting = u32::from(self.sent.count_before(last));
        let mask = 1_u32.checked_shl(waiting).map_or(u32::MAX, |end| end.wrapping_sub(1));
        let mut left = u32::from(received) & mask;
        while left != 0 {
            let back = u16::try_from(left.trailing_zeros()).unwrap_or(0).saturating_add(1);
            self.delivered(last.wrapping_sub(back));
            left &= left.wrapping_sub(1);
        }
    }

    /// Messages that are now too far behind the last acknowledged one to be named by an ack are
    /// due at once. After a long gap those in it are left to their timers.
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

    /// A notify message of `length` bytes in all arrived (2.1): whether it is newer than all
    /// before it, and so to be handled.
    ///
    /// What it says of our own messages is ignored if it names an id which was never sent.
    pub fn handle_notify(&mut self, ids: NotifyIds, length: usize) -> bool {
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
        let is_fresh = self.notify_received.take(ids.seq_id);
        if !is_fresh {
            one_more(&mut self.metrics.notify_discarded);
        }
        is_fresh
    }

    fn resolve_notify(&mut self, last: u16, received: u8) {
        while !self.is_ended()
            && let Some((seq_id, verdict)) = self.notify_sent.resolve(last, received)
        {
            let (count, event) = match verdict {
                NotifyFate::Unknown => {
                    // No loss that counts: nothing is known of it.
                    one_more(&mut self.metrics.notify_unknown);
                    self.emit(Event::NotifyUnknown { seq_id });
                    continue;
                }
                NotifyFate::Delivered => {
                    (&mut self.metrics.notify_delivered, Event::NotifyDelivered { seq_id })
                }
                NotifyFate::Lost => (&mut self.metrics.notify_lost, Event::NotifyLost { seq_id }),
            };
            one_more(count);
            self.metrics.rolling_notify.add(verdict == NotifyFate::Delivered);
            self.emit(event);
            self.notified();
        }
    }

    /// A client's server has said that its application will decide (an empty Connect). Nothing
    /// happens when that comes late.
    pub const fn handle_pending(&mut self, now: Instant) {
        if let Phase::Connecting { next_tick, .. } = self.phase {
            self.phase = Phase::ClientPending { next_tick };
            self.last_heartbeat = now;
        }
    }

    /// A client's server has sent its Welcome: whether that makes the connection. Then the
    /// Welcome is to be sent back.
    pub fn handle_welcome(&mut self, now: Instant) -> bool {
        let (Phase::Connecting { next_tick, .. } | Phase::ClientPending { next_tick }) = self.phase else {
            return false;
        };
        self.phase = Phase::ClientConnected { next_tick };
        self.connected(now);
        true
    }

    /// A server's application accepts: the owner sends the Welcome. Whether that was to be decided.
    pub const fn accept(&mut self, now: Instant) -> bool {
        let Phase::ServerPending { since } = self.phase else { return false };
        self.phase = Phase::Accepted { since };
        self.last_heartbeat = now;
        true
    }

    /// A server's client has sent the Welcome back: whether that makes the connection.
    pub fn handle_welcome_echo(&mut self, now: Instant) -> bool {
        let Phase::Accepted { since } = self.phase else { return false };
        self.phase = Phase::ServerConnected { since };
        self.connected(now);
        true
    }

    fn connected(&mut self, now: Instant) {
        self.last_heartbeat = now;
        self.sent.retry_stalled(now, 0);
    }

    /// A server's client has sent a heartbeat with the round trip that it measured, in
    /// milliseconds: whether to answer it.
    pub fn handle_heartbeat(&mut self, now: Instant, rtt: i16) -> bool {
        if !matches!(self.phase, Phase::ServerConnected { .. }) {
            return false;
        }
        self.on_rtt_sample(rtt);
        self.last_heartbeat = now;
        true
    }

    /// A client's server has answered a heartbeat. An old answer is a sign of life too.
    pub fn handle_heartbeat_reply(&mut self, now: Instant, ping_id: u8) {
        if !matches!(self.phase, Phase::ClientConnected { .. }) {
            return;
        }
        if let Some(millis) = self.ping.match_reply(now, ping_id) {
            self.on_rtt_sample(millis);
        }
        self.last_heartbeat = now;
    }

    /// The silence counts from now on (`ResetTimeout`).
    pub const fn reset_timeout(&mut self, now: Instant) {
        self.last_heartbeat = now;
    }
}
