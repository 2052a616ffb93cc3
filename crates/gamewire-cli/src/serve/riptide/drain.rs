use std::time::{Duration, Instant};

use serde_json::json;

use crate::duration::from_now;
use crate::output::{OutputEvent, event};

/// The state of a server after a signal with `--drain`.
#[derive(Debug)]
pub(super) struct Draining {
    /// The time at which the remaining clients are disconnected; `None` if it is beyond the range of the clock.
    pub(super) end: Option<Instant>,
    /// The number of clients at the end. `None` before the end.
    pub(super) remaining: Option<usize>,
}

impl Draining {
    /// Starts the time of the clients.
    pub(super) fn begin(time: Duration) -> Self {
        Self { end: from_now(time), remaining: None }
    }

    /// Returns whether the server waits for its clients.
    pub(super) fn continues(&self, clients: usize) -> bool {
        clients > 0 && self.end.is_none_or(|end| Instant::now() < end)
    }
}

/// Describes the start of a drain: the clients, and the time that they may stay.
pub(super) fn draining(clients: usize, time: Duration) -> OutputEvent {
    event!("draining", clients: clients, seconds: json!(time.as_secs_f64()))
}

/// Describes the end of a drain, with the number of clients that are disconnected now.
pub(super) fn drained(clients: usize) -> OutputEvent {
    event!("drained", clients: clients)
}
