use std::time::Duration;

use gamewire_net::Stats;
use gamewire_riptide::client::Client;
use serde_json::json;

/// Numbers of the application's messages.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MessageStats {
    pub(super) sent: u64,
    pub(super) received: u64,
}

/// The summary.
pub(super) struct Summary<'a> {
    pub(super) client: &'a Client,
    pub(super) socket: &'a Stats,
    pub(super) counts: MessageStats,
    pub(super) time: Duration,
}

impl Summary<'_> {
    /// Returns the summary as JSON.
    pub(super) fn json(&self) -> String {
        let Self { client, socket, counts, time } = self;
        let metrics = client.metrics();
        json!({
            "event": "summary",
            "seconds": (time.as_secs_f64() * 1000.0).round() / 1000.0,
            "messages": { "sent": counts.sent, "received": counts.received },
            "packets": { "sent": metrics.messages_out(), "received": metrics.messages_in() },
            "bytes": { "sent": metrics.bytes_out(), "received": metrics.bytes_in() },
            "reliable": {
                "sent": metrics.reliable_uniques,
                "resent": self.resent(),
                "received": metrics.reliable_in.saturating_sub(metrics.reliable_discarded),
                "duplicates": metrics.reliable_discarded,
            },
            "notify": {
                "sent": metrics.notify_out,
                "delivered": metrics.notify_delivered,
                "lost": metrics.notify_lost,
                "received": metrics.notify_in.saturating_sub(metrics.notify_discarded),
            },
            "round_trip_ms": client.rtt().map(milliseconds),
            "smooth_round_trip_ms": client.smooth_rtt().map(milliseconds),
            "rejected": socket.rejected,
            "socket_errors": socket.errors.total(),
        })
        .to_string()
    }

    /// Returns the summary as text.
    pub(super) fn text(&self) -> String {
        let Self { client, counts, time, .. } = self;
        let metrics = client.metrics();
        let round_trip = client
            .smooth_rtt()
            .map_or_else(|| "not measured".to_owned(), |time| format!("{} ms", time.as_millis()));
        format!(
            "{:.1} s: {} messages sent, {} received; round trip {round_trip}\n\
             sent {} packets, {} bytes; received {} packets, {} bytes; {} reliable messages resent",
            time.as_secs_f64(),
            counts.sent,
            counts.received,
            metrics.messages_out(),
            metrics.bytes_out(),
            metrics.messages_in(),
            metrics.bytes_in(),
            self.resent(),
        )
    }

    fn resent(&self) -> u64 {
        let metrics = self.client.metrics();
        metrics.reliable_out.saturating_sub(metrics.reliable_uniques)
    }
}

fn milliseconds(time: Duration) -> u64 {
    time.as_millis().try_into().unwrap_or(u64::MAX)
}
