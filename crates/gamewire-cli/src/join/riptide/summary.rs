use std::time::Duration;

use gamewire_net::Stats;
use gamewire_riptide::client::{Client, Session};
use gamewire_riptide::command::OutgoingMessage;
use serde_json::json;

use crate::output::Summary;

/// Returns the summary of a session.
pub(super) fn summary(client: &Client, socket: &Stats, session: &Session<OutgoingMessage>) -> Summary {
    let metrics = client.metrics();
    let resent = metrics.reliable_out.saturating_sub(metrics.reliable_uniques);
    let milliseconds = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    let fields = json!({
        "messages": { "sent": session.sent(), "received": session.received() },
        "packets": { "sent": metrics.messages_out(), "received": metrics.messages_in() },
        "bytes": { "sent": metrics.bytes_out(), "received": metrics.bytes_in() },
        "reliable": {
            "sent": metrics.reliable_uniques,
            "resent": resent,
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
    });
    let round_trip = client
        .smooth_rtt()
        .map_or_else(|| "not measured".to_owned(), |time| format!("{} ms", time.as_millis()));
    let text = format!(
        "{} messages sent, {} received; round trip {round_trip}\n\
         sent {} packets, {} bytes; received {} packets, {} bytes; {resent} reliable messages resent",
        session.sent(),
        session.received(),
        metrics.messages_out(),
        metrics.bytes_out(),
        metrics.messages_in(),
        metrics.bytes_in(),
    );
    Summary { fields, text }
}
