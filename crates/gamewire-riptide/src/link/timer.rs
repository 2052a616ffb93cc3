//! What time does to a connection.

use core::time::Duration;

use gamewire_machine::{Instant, Wake};

use super::connection::Phase;
use super::deadline::deadline;
use super::{CloseCause, Link};

/// What a client sends by itself, each time that its clock ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TickAction {
    /// The question for a connection.
    Connect,
    /// A heartbeat.
    Heartbeat {
        /// Its id.
        ping_id: u8,
        /// The round trip that was measured last, in milliseconds; -1 when none was.
        rtt: i16,
    },
}

impl Link {
    /// Time has passed: looks at timeouts, and says what to send for it. Reliable messages that
    /// are due come from [`Connection::poll_send`].
    pub fn handle_timeout(&mut self, now: Instant) -> Option<TickAction> {
        let next = now + self.config.heartbeat_interval;
        match &mut self.phase {
            Phase::Connecting { next_tick, attempts } if *next_tick <= now => {
                if *attempts >= self.config.max_connection_attempts {
                    self.end(CloseCause::NeverConnected);
                    return None;
                }
                (*next_tick, *attempts) = (next, attempts.saturating_add(1));
                Some(TickAction::Connect)
            }
            Phase::ClientPending { next_tick } if *next_tick <= now => {
                *next_tick = next;
                self.end_if_silent(now, self.config.connect_timeout_time);
                None
            }
            Phase::ClientConnected { next_tick } if *next_tick <= now => {
                *next_tick = next;
                self.end_if_silent(now, self.settings.timeout_time);
                (!self.is_ended()).then(|| TickAction::Heartbeat {
                    ping_id: self.ping.send(now),
                    rtt: self.round_trip.wire_value(),
                })
            }
            _ => {
                if self.server_deadline().is_some_and(|at| at <= now) {
                    self.end(CloseCause::TimedOut);
                }
                None
            }
        }
    }

    fn end_if_silent(&mut self, now: Instant, limit: Duration) {
        if self.settings.can_timeout && now.since(self.last_heartbeat) > limit {
            self.end(CloseCause::TimedOut);
        }
    }

    /// When a server notices the silence of its client: at a tick of its clock, of which no other
    /// needs to be waited for.
    fn server_deadline(&self) -> Option<Instant> {
        let (since, limit) = match self.phase {
            Phase::ServerPending { since } => (since, self.config.connect_timeout_time),
            Phase::Accepted { since } | Phase::ServerConnected { since } => {
                (since, self.settings.timeout_time)
            }
            _ => return None,
        };
        let at = deadline(since, self.config.heartbeat_interval, self.last_heartbeat, limit);
        self.settings.can_timeout.then_some(at)
    }

    /// When [`Connection::handle_timeout`] or [`Connection::poll_send`] next has something to do.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<Wake> {
        let (tick, send) = self.wakes();
        earlier(tick, send)
    }

    /// The same for an owner that polls what may be sent `now` anyway, and need not be woken for it.
    #[must_use]
    pub fn poll_timeout_after(&self, now: Instant) -> Option<Wake> {
        let (tick, send) = self.wakes();
        earlier(tick, send.filter(|send| send.at > now))
    }

    /// When the clock ticks, and when a message is due.
    fn wakes(&self) -> (Option<Wake>, Option<Wake>) {
        let tick = match self.phase {
            Phase::Ended => return (None, None),
            Phase::Connecting { next_tick, .. } => Some(Wake { at: next_tick, reason: "connect" }),
            Phase::ClientPending { next_tick } => Some(Wake { at: next_tick, reason: "pending" }),
            Phase::ClientConnected { next_tick } => Some(Wake { at: next_tick, reason: "heartbeat" }),
            _ => self.server_deadline().map(|at| Wake { at, reason: "timeout" }),
        };
        let send = self.sent.wake(self.window()).map(|(at, is_first)| {
            let why = if is_first { "send" } else { "resend" };
            Wake { at, reason: why }
        });
        (tick, send)
    }
}

/// The tick, if both come at once.
fn earlier(tick: Option<Wake>, send: Option<Wake>) -> Option<Wake> {
    match (tick, send) {
        (Some(tick), Some(send)) if send.at < tick.at => Some(send),
        (None, send) => send,
        (tick, _) => tick,
    }
}
