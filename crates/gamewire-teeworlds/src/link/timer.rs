//! What time does to a link.

use gamewire_machine::{Instant, Wake};

use super::connection::Phase;
use super::receive::KEEP_ALIVE;
use super::{CloseReason, Link, Outbox};

impl Link {
    /// Time has passed.
    ///
    /// # Errors
    /// Once, when the link is over; the peer has been told if the game would.
    pub fn handle_timeout(&mut self, now: Instant, out: &mut Outbox) -> Result<(), CloseReason> {
        match self.phase {
            Phase::Closed => return Ok(()),
            Phase::OutOfBuffer { .. } => {
                self.phase = Phase::Closed;
                return Err(CloseReason::OutOfBuffer);
            }
            Phase::Repeating(_) | Phase::Online => {}
        }
        if let Some(reason) = self.timed_out(now) {
            if self.config.close_on_timeout {
                self.close(now, Some(reason.to_string().as_bytes()), out);
            }
            self.phase = Phase::Closed;
            return Err(reason);
        }
        self.answer_resend_request(now, out);
        if self.unacked.oldest().is_some_and(|oldest| now >= oldest.last_sent + self.config.resend_after) {
            self.resend_oldest(now, out);
        }
        self.send_due(now, out);
        Ok(())
    }

    /// When both are due the games, too, say the second.
    fn timed_out(&self, now: Instant) -> Option<CloseReason> {
        let after = self.config.unacked_timeout;
        if self.unacked.oldest().is_some_and(|oldest| now >= oldest.first_sent + after) {
            return Some(CloseReason::TooWeak { after });
        }
        (now >= self.last_receive + self.config.receive_timeout).then_some(CloseReason::Timeout)
    }

    fn send_due(&mut self, now: Instant, out: &mut Outbox) {
        if let Phase::Repeating(control) = self.phase {
            if now >= self.last_send + self.config.retry_after {
                self.send_control(now, control.id, control.body(), out);
            }
            return;
        }
        if now >= self.last_send + self.config.flush_after {
            self.flush(now, out);
        }
        if now >= self.last_send + self.config.keepalive_after {
            self.send_control(now, KEEP_ALIVE, &[], out);
        }
    }

    /// The next time at which [`Link::handle_timeout`] has something to do; `None` when the link is over.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<Wake> {
        let config = &self.config;
        let sends = match self.phase {
            Phase::Closed => return None,
            Phase::OutOfBuffer { since } => return Some(Wake { at: since, reason: "out of buffer" }),
            Phase::Repeating(_) => Wake { at: self.last_send + config.retry_after, reason: "handshake" },
            Phase::Online if self.queue.is_due() => {
                Wake { at: self.last_send + config.flush_after, reason: "flush" }
            }
            Phase::Online => Wake { at: self.last_send + config.keepalive_after, reason: "keepalive" },
        };
        let silence = Wake { at: self.last_receive + config.receive_timeout, reason: "timeout" };
        let mut next = earlier(sends, silence);
        if let Some(oldest) = self.unacked.oldest() {
            next = earlier(next, Wake { at: oldest.last_sent + config.resend_after, reason: "resend" });
            next = earlier(next, Wake { at: oldest.first_sent + config.unacked_timeout, reason: "too weak" });
        }
        if self.resend_answer.requested {
            next = earlier(next, Wake { at: self.next_resend_answer(), reason: "resend request" });
        }
        Some(next)
    }
}

fn earlier(one: Wake, other: Wake) -> Wake {
    if other.at < one.at { other } else { one }
}
