use std::time::Duration;

use gamewire_net::Stats;
use serde_json::json;

/// The totals of a server that replays a recording.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ReplayStats {
    /// Clients that connected.
    pub(super) clients: u64,
    /// Turns that were sent to them.
    pub(super) turns: u64,
    /// Clients that received the whole recording.
    pub(super) whole: u64,
    /// Packets of clients.
    pub(super) requests: u64,
}

impl ReplayStats {
    /// Returns the summary as JSON.
    pub(super) fn json(&self, socket: &Stats, time: Duration) -> String {
        json!({
            "event": "summary",
            "seconds": (time.as_secs_f64() * 1000.0).round() / 1000.0,
            "clients": self.clients,
            "turns": self.turns,
            "replays_finished": self.whole,
            "requests": self.requests,
            "bytes": { "sent": socket.streams.sent_bytes, "received": socket.streams.received_bytes },
            "streams": socket.streams.opened,
        })
        .to_string()
    }

    /// Returns the summary as text.
    pub(super) fn text(&self, socket: &Stats, time: Duration) -> String {
        format!(
            "{:.1} s: {} clients, {} turns replayed; sent {} bytes; received {} requests, {} bytes",
            time.as_secs_f64(),
            self.clients,
            self.turns,
            socket.streams.sent_bytes,
            self.requests,
            socket.streams.received_bytes,
        )
    }
}
