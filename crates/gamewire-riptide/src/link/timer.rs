use core::time::Duration;

use gamewire_machine::{Instant, Wake};

use super::Phase;
use super::{CloseCause, ConnectionLimit, Link};

/// A packet that a client sends on a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TickAction {
    /// A connect request.
    Connect,
    /// A heartbeat with the last measured round trip in milliseconds; -1 if there is none.
    Heartbeat { ping_id: u8, rtt: i16 },
}

impl Link {
    /// Checks timeouts, and returns what to send on this tick. [`Link::poll_send`] returns the reliable packets that are due.
    pub(crate) fn handle_timeout(&mut self, now: Instant) -> Option<TickAction> {
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
                    self.end(CloseCause::Exceeded(ConnectionLimit::Silence));
                }
                None
            }
        }
    }

    fn end_if_silent(&mut self, now: Instant, limit: Duration) {
        if self.settings.can_timeout && now.since(self.last_heartbeat) > limit {
            self.end(CloseCause::Exceeded(ConnectionLimit::Silence));
        }
    }

    /// Returns the tick at which a server detects a timeout. Its other ticks have no effect.
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

    /// Returns the next time at which [`Link::handle_timeout`] or [`Link::poll_send`] has an effect.
    pub(crate) fn poll_timeout(&self) -> Option<Wake> {
        let (tick, send) = self.wakes();
        earlier(tick, send)
    }

    /// Returns the next timer for an owner that has polled all packets that are due `now`, and needs no timer for them.
    pub(crate) fn poll_timeout_after(&self, now: Instant) -> Option<Wake> {
        let (tick, send) = self.wakes();
        earlier(tick, send.filter(|send| send.at > now))
    }

    /// Returns the timers of the next tick and of the next send.
    fn wakes(&self) -> (Option<Wake>, Option<Wake>) {
        let tick = match self.phase {
            Phase::Ended => return (None, None),
            Phase::Connecting { next_tick, .. } => Some(Wake { at: next_tick, reason: "connect" }),
            Phase::ClientPending { next_tick } => Some(Wake { at: next_tick, reason: "pending" }),
            Phase::ClientConnected { next_tick } => Some(Wake { at: next_tick, reason: "heartbeat" }),
            _ => self.server_deadline().map(|at| Wake { at, reason: "timeout" }),
        };
        let send = self.sent.wake(self.window()).map(|(at, is_first)| {
            let reason = if is_first { "send" } else { "resend" };
            Wake { at, reason }
        });
        (tick, send)
    }
}

/// Returns the earlier timer; the tick, if both are due at the same time.
fn earlier(tick: Option<Wake>, send: Option<Wake>) -> Option<Wake> {
    match (tick, send) {
        (Some(tick), Some(send)) if send.at < tick.at => Some(send),
        (None, send) => send,
        (tick, _) => tick,
    }
}

/// Returns the first tick, of one each `interval` since `start`, that is more than `limit` after `last`.
pub(super) fn deadline(start: Instant, interval: Duration, last: Instant, limit: Duration) -> Instant {
    let interval = u64::try_from(interval.as_micros()).unwrap_or(u64::MAX).max(1);
    let allowed = (last + limit).since(start).as_micros();
    let allowed = u64::try_from(allowed).unwrap_or(u64::MAX);
    let ticks = allowed.checked_div(interval).unwrap_or(0).saturating_add(1);
    start + Duration::from_micros(ticks.saturating_mul(interval))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_is_noticed_at_the_first_tick_after_it_lasted_too_long() {
        let at = |millis: u64| Instant::from_micros(millis.saturating_mul(1000));
        let (second, limit) = (Duration::from_secs(1), Duration::from_secs(5));
        let noticed = |last| deadline(at(300), second, at(last), limit);
        assert_eq!(noticed(300), at(6_300));
        assert_eq!(noticed(301), at(6_300));
        assert_eq!(noticed(299), at(5_300));
        assert_eq!(noticed(1_300), at(7_300));
        assert_eq!(deadline(at(0), Duration::ZERO, at(0), Duration::ZERO), Instant::from_micros(1));
    }
}
