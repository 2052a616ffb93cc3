use core::time::Duration;
use std::collections::VecDeque;

use gamewire_machine::{Instant, StreamId};

use crate::DriverConfig;

/// The deadlines of the handshakes of streams.
pub(crate) struct Handshakes {
    /// Earliest first. Complete handshakes stay until their deadline.
    deadlines: VecDeque<(Instant, StreamId)>,
    timeout: Duration,
    max_streams: usize,
}

impl Handshakes {
    pub(crate) fn new(config: &DriverConfig, max_streams: usize) -> Self {
        Self { deadlines: VecDeque::new(), timeout: timeout(config), max_streams }
    }

    /// Sets the deadline of a new stream. `exists` returns whether a stream does.
    pub(crate) fn begin(&mut self, now: Instant, id: StreamId, exists: impl Fn(StreamId) -> bool) {
        if self.deadlines.len() >= self.max_streams.saturating_mul(2) {
            self.deadlines.retain(|(_, id)| exists(*id));
        }
        self.deadlines.push_back((now + self.timeout, id));
    }

    /// Returns a stream after its deadline. Call it until it returns `None`.
    pub(crate) fn next_late(&mut self, now: Instant) -> Option<StreamId> {
        self.deadlines.pop_front_if(|(until, _)| *until <= now).map(|(_, id)| id)
    }

    /// Returns the time of the first deadline.
    pub(crate) fn due_at(&self) -> Option<Instant> {
        self.deadlines.front().map(|(until, _)| *until)
    }
}

#[cfg(feature = "tls")]
fn timeout(config: &DriverConfig) -> Duration {
    config.tls_handshake_timeout.unwrap_or(crate::limits::TLS_HANDSHAKE_TIMEOUT)
}

#[cfg(not(feature = "tls"))]
const fn timeout(_: &DriverConfig) -> Duration {
    Duration::ZERO
}
