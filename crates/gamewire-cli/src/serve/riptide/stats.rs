use std::collections::BTreeMap;

use gamewire_net::Stats;
use gamewire_riptide::{DisconnectReason, MessageSendMode};
use serde_json::json;

use crate::output::Summary;

/// The totals of a relay.
#[derive(Clone, Debug)]
pub(super) struct RelayStats {
    /// Clients that connected.
    pub(super) clients: u64,
    /// Maximum number of clients at the same time.
    pub(super) peak_clients: u64,
    pub(super) refused: u64,
    /// Connect requests that were rejected because the server was full.
    pub(super) rejected_full: u64,
    /// Connect requests that were rejected during the drain.
    pub(super) rejected_draining: u64,
    /// WebSockets of web pages that are not allowed.
    pub(super) refused_origins: u64,
    /// Connections that were not established.
    pub(super) failed: u64,
    /// Clients that disconnected, by the reason's name in the C# library.
    pub(super) disconnected: BTreeMap<&'static str, u64>,
    pub(super) messages: ByMode,
    pub(super) relayed: ByMode,
    /// Messages that some clients did not receive because they could not be translated.
    pub(super) untranslated: u64,
    /// Unreliable messages that were dropped because their senders sent too many.
    pub(super) rate_limited: u64,
    /// Reliable packets that were left unacknowledged because their senders sent too many.
    pub(super) deferred: u64,
    pub(super) echoed: ByMode,
}

/// Counts of messages by their mode.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ByMode {
    unreliable: u64,
    reliable: u64,
    notify: u64,
}

impl ByMode {
    pub(super) const fn increment(&mut self, mode: MessageSendMode) {
        let count = match mode {
            MessageSendMode::Unreliable => &mut self.unreliable,
            MessageSendMode::Reliable => &mut self.reliable,
            MessageSendMode::Notify => &mut self.notify,
        };
        *count = count.saturating_add(1);
    }

    /// Returns each mode's name and count.
    pub(super) const fn counts(&self) -> [(&'static str, u64); 3] {
        [("unreliable", self.unreliable), ("reliable", self.reliable), ("notify", self.notify)]
    }

    pub(super) const fn total(&self) -> u64 {
        self.unreliable.saturating_add(self.reliable).saturating_add(self.notify)
    }
}

/// The disconnect reasons of a server. They are shown even if none has occurred.
const REASONS: [DisconnectReason; 6] = [
    DisconnectReason::TransportError,
    DisconnectReason::TimedOut,
    DisconnectReason::Kicked,
    DisconnectReason::ServerStopped,
    DisconnectReason::Disconnected,
    DisconnectReason::PoorConnection,
];

impl Default for RelayStats {
    fn default() -> Self {
        Self {
            clients: 0,
            peak_clients: 0,
            refused: 0,
            rejected_full: 0,
            rejected_draining: 0,
            refused_origins: 0,
            failed: 0,
            disconnected: REASONS.iter().filter_map(|reason| Some((reason.name()?, 0))).collect(),
            messages: ByMode::default(),
            relayed: ByMode::default(),
            untranslated: 0,
            rate_limited: 0,
            deferred: 0,
            echoed: ByMode::default(),
        }
    }
}

impl RelayStats {
    pub(super) fn count_disconnected(&mut self, reason: DisconnectReason) {
        let count = self.disconnected.entry(reason.name().unwrap_or("Unknown")).or_default();
        *count = count.saturating_add(1);
    }

    /// Returns the summary.
    pub(super) fn summary(&self, socket: &Stats) -> Summary {
        let (sent, received) = transferred_bytes(socket);
        let fields = json!({
            "clients": self.clients,
            "peak_clients": self.peak_clients,
            "refused": self.refused,
            "rejected_full": self.rejected_full,
            "rejected_draining": self.rejected_draining,
            "refused_origins": self.refused_origins,
            "failed": self.failed,
            "messages": self.messages.total(),
            "relayed": self.relayed.total(),
            "untranslated": self.untranslated,
            "rate_limited": self.rate_limited,
            "deferred": self.deferred,
            "echoed": self.echoed.total(),
            "bytes": { "sent": sent, "received": received },
            "datagrams": { "sent": socket.sent.datagrams, "received": socket.received.datagrams },
            "streams": socket.streams.opened,
            "rejected": socket.rejected,
            "socket_errors": socket.errors.total(),
        });
        let Self { clients, peak_clients, refused, .. } = self;
        let (messages, relayed) = (self.messages.total(), self.relayed.total());
        let mut text = format!(
            "{clients} clients, at most {peak_clients} at once; {refused} rejected\n\
             {messages} messages, {relayed} relayed; sent {sent} bytes, received {received} bytes"
        );
        for (count, what) in [
            (self.rejected_full, "connection attempts rejected: server full"),
            (self.rejected_draining, "connection attempts rejected during the drain"),
            (self.refused_origins, "WebSockets of other origins refused"),
            (self.untranslated, "could not be translated to another client's format"),
            (self.rate_limited, "dropped by the relay budget"),
            (self.deferred, "reliable packets deferred by the relay budget"),
        ] {
            if count > 0 {
                text += &format!("; {count} {what}");
            }
        }
        Summary { fields, text }
    }
}

/// Returns the bytes that were sent and received, over both transports.
pub(super) const fn transferred_bytes(sockets: &Stats) -> (u64, u64) {
    let Stats { sent, received, streams, .. } = sockets;
    (sent.bytes.saturating_add(streams.sent_bytes), received.bytes.saturating_add(streams.received_bytes))
}
