use gamewire_machine::{Instant, Wake};

use super::codec::KEEP_ALIVE;
use super::connection::LinkState;
use super::{CloseReason, Link};

impl Link {
    /// Sends everything that is due: resends, queued messages, KEEPALIVE.
    ///
    /// # Errors
    /// [`CloseReason`] once, when the link is closed. The link has sent a CLOSE if the game sends one.
    pub fn handle_timeout(&mut self, now: Instant) -> Result<(), CloseReason> {
        let now = self.clock.advance(now);
        match self.state {
            LinkState::Closed => return Ok(()),
            LinkState::OutOfBuffer { .. } => {
                self.state = LinkState::Closed;
                return Err(CloseReason::OutOfBuffer);
            }
            LinkState::Repeating(_) | LinkState::Confirming(_) | LinkState::Online => {}
        }
        if let Some(reason) = self.timed_out(now) {
            if self.config.close_on_timeout && !self.is_unproven() {
                self.close(Some(reason.to_string().as_bytes()));
            }
            self.state = LinkState::Closed;
            return Err(reason);
        }
        self.answer_resend_request();
        self.repeat_unconfirmed(now);
        if self.unacked.oldest().is_some_and(|oldest| now >= oldest.last_sent + self.config.resend_after) {
            self.resend_oldest();
        }
        self.send_due(now);
        Ok(())
    }

    /// Returns the reason of a timeout, if there is one. If both timers are due, the games report the unacknowledged
    /// message.
    fn timed_out(&self, now: Instant) -> Option<CloseReason> {
        let after = self.config.unacked_timeout;
        if self.unacked.oldest().is_some_and(|oldest| now >= oldest.first_sent + after) {
            return Some(CloseReason::TooWeak { after });
        }
        (now >= self.last_receive + self.config.receive_timeout).then_some(CloseReason::Timeout)
    }

    fn send_due(&mut self, now: Instant) {
        if let LinkState::Repeating(control) = self.state {
            if now >= self.last_send + self.config.retry_after {
                self.send_control(control.id, control.body());
            }
            return;
        }
        if now >= self.last_send + self.config.flush_after {
            self.flush();
        }
        if now >= self.last_send + self.config.keepalive_after {
            self.send_control(KEEP_ALIVE, &[]);
        }
    }

    /// Returns the next time at which [`Link::handle_timeout`] is due, or `None` if the link is closed.
    pub fn poll_timeout(&self) -> Option<Wake> {
        let config = &self.config;
        let wake = |at, reason| Some(Wake { at, reason });
        let send = match self.state {
            LinkState::Closed => return None,
            LinkState::OutOfBuffer { since } => return wake(since, "out of buffer"),
            LinkState::Repeating(_) => wake(self.last_send + config.retry_after, "handshake"),
            LinkState::Confirming(_) | LinkState::Online if self.queue.is_due() => {
                wake(self.last_send + config.flush_after, "flush")
            }
            LinkState::Confirming(_) | LinkState::Online => {
                wake(self.last_send + config.keepalive_after, "keepalive")
            }
        };
        let confirming = match &self.state {
            LinkState::Confirming(unconfirmed) => wake(unconfirmed.due_at(), "handshake"),
            _ => None,
        };
        let oldest = self.unacked.oldest();
        let resend_request = self.resend_request.is_pending.then(|| self.next_resend_answer());
        Wake::earliest([
            send,
            wake(self.last_receive + config.receive_timeout, "timeout"),
            oldest.and_then(|oldest| wake(oldest.last_sent + config.resend_after, "resend")),
            oldest.and_then(|oldest| wake(oldest.first_sent + config.unacked_timeout, "too weak")),
            resend_request.and_then(|at| wake(at, "resend request")),
            confirming,
        ])
    }
}
