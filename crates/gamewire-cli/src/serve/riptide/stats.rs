use gamewire_net::Stats;
use serde_json::{Value, json};

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
    /// Unreliable messages that were dropped because their senders sent too many.
    pub(super) rate_limited: u64,
    /// Reliable packets that were left unacknowledged because their senders sent too many.
    pub(super) deferred: u64,
    pub(super) echoed: u64,
}

impl RelayStats {
    /// Returns the summary as JSON and as text.
    pub(super) fn summary(&self, socket: &Stats) -> (Value, String) {
        let sent = socket.sent.bytes.saturating_add(socket.streams.sent_bytes);
        let received = socket.received.bytes.saturating_add(socket.streams.received_bytes);
        let fields = json!({
            "clients": self.clients,
            "peak_clients": self.peak_clients,
            "refused": self.refused,
            "rejected_full": self.rejected_full,
            "failed": self.failed,
            "messages": self.messages,
            "relayed": self.relayed,
            "untranslated": self.untranslated,
            "rate_limited": self.rate_limited,
            "deferred": self.deferred,
            "echoed": self.echoed,
            "bytes": { "sent": sent, "received": received },
            "datagrams": { "sent": socket.sent.datagrams, "received": socket.received.datagrams },
            "streams": socket.streams.opened,
            "rejected": socket.rejected,
            "socket_errors": socket.errors.total(),
        });
        let Self { clients, peak_clients, refused, messages, relayed, .. } = self;
        let mut text = format!(
            "{clients} clients, at most {peak_clients} at once; {refused} rejected\n\
             {messages} messages, {relayed} relayed; sent {sent} bytes, received {received} bytes"
        );
        for (count, what) in [
            (self.rejected_full, "connection attempts rejected: server full"),
            (self.untranslated, "could not be translated to another client's format"),
            (self.rate_limited, "dropped by the relay budget"),
            (self.deferred, "reliable packets deferred by the relay budget"),
        ] {
            if count > 0 {
                text += &format!("; {count} {what}");
            }
        }
        (fields, text)
    }
}
