use core::time::Duration;

use gamewire_machine::{Instant, Wake};

use super::{Server, ServerEvent, SessionId};

/// Time between two searches for silent sessions.
const SWEEP_INTERVAL: Duration = Duration::from_secs(1);

impl Server {
    /// Advances the clock, and closes the sessions that were silent too long.
    pub fn handle_timeout(&mut self, now: Instant) {
        let now = self.clock.advance(now);
        if self.next_sweep.is_none_or(|at| at > now) {
            return;
        }
        self.next_sweep = None;
        let timeout = self.config.half_open_timeout;
        while let Some(old) = self.half_open.pop_if(|entry| now.since(entry.since) >= timeout) {
            self.sessions.remove(&old.session);
        }
        let idle = self.config.idle_timeout;
        let is_closed = |session: &super::Session| {
            session.is_open && (now.since(session.last_received) >= idle || session.cipher.is_exhausted())
        };
        // Keep the sessions while their events would not be polled, so that both are bounded.
        if self.events.len() < self.config.max_sessions {
            let closed = self.sessions.extract_if(.., |_, session| is_closed(session));
            self.events.extend(closed.map(|(id, _)| ServerEvent::Closed { session: SessionId(id) }));
        }
        self.schedule_sweep(now);
    }

    /// Returns the time of the next search for silent sessions.
    pub fn poll_timeout(&self) -> Option<Wake> {
        self.next_sweep.map(|at| Wake { at, reason: "records" })
    }

    /// Schedules the next search, if there are sessions.
    pub(super) fn schedule_sweep(&mut self, now: Instant) {
        if self.next_sweep.is_none() && !self.sessions.is_empty() {
            self.next_sweep = Some(now + SWEEP_INTERVAL);
        }
    }
}
