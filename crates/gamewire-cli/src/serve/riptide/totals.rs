use std::time::Duration;

use gamewire_net::Stats;
use serde_json::json;

/// The totals of a relay.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RelayStats {
    /// Clients that connected.
    pub(super) clients: u64,
    /// Maximum number of clients at the same time.
    pub(super) peak_clients: u64,
    pub(super) refused: u64,
    /// Connect requests that were rejected because the server was full.
    pub(super) rejected_full: u64,
    /// Connections that were not established.
    pub(super) failed: u64,
    pub(super) messages: u64,
    pub(super) relayed: u64,
    /// Messages that some clients did not receive because they could not be translated.
    pub(super) untranslated: u64,
    /// Messages that were dropped because their senders sent too many.
    pub(super) rate_limited: u64,
    pub(super) echoed: u64,
}

impl RelayStats {
    /// Returns the summary as JSON.
    pub(super) fn json(&self, socket: &Stats, time: Duration) -> String {
        json!({
            "event": "summary",
            "seconds": (time.as_secs_f64() * 1000.0).round() / 1000.0,
            "clients": self.clients,
            "peak_clients": self.peak_clients,
            "refused": self.refused,
            "rejected_full": self.rejected_full,
            "failed": self.failed,
            "messages": self.messages,
            "relayed": self.relayed,
            "untranslated": self.untranslated,
            "rate_limited": self.rate_limited,
            "echoed": self.echoed,
            "bytes": { "sent": sent(socket), "received": received(socket) },
            "datagrams": { "sent": socket.sent.datagrams, "received": socket.received.datagrams },
            "streams": socket.streams.opened,
            "rejected": socket.rejected,
            "socket_errors": socket.errors.total(),
        })
        .to_string()
    }

    /// Returns the summary as text.
    pub(super) fn text(&self, socket: &Stats, time: Duration) -> String {
        let mut text = format!(
            "{:.1} s: {} clients, at most {} at once; {} rejected\n\
             {} messages, {} relayed; sent {} bytes, received {} bytes",
            time.as_secs_f64(),
            self.clients,
            self.peak_clients,
            self.refused,
            self.messages,
            self.relayed,
            sent(socket),
            received(socket),
        );
        if self.rejected_full > 0 {
            text += &format!("; {} connection attempts rejected: server full", self.rejected_full);
        }
        if self.untranslated > 0 {
            text += &format!("; {} could not be translated to another client's format", self.untranslated);
        }
        if self.rate_limited > 0 {
            text += &format!("; {} dropped by the rate limit", self.rate_limited);
        }
        text
    }
}

const fn sent(socket: &Stats) -> u64 {
    socket.sent.bytes.saturating_add(socket.streams.sent_bytes)
}

const fn received(socket: &Stats) -> u64 {
    socket.received.bytes.saturating_add(socket.streams.received_bytes)
}
