use std::time::Duration;

use gamewire_net::Stats as Socket;
use gamewire_teeworlds::client::ClientStats;
use serde_json::json;

use crate::output::Summary;

/// Returns the summary of a session.
pub(super) fn summary(client: &ClientStats, socket: &Socket) -> Summary {
    let (link, snapshots) = (&client.link, &client.snapshots);
    let milliseconds = |time: Duration| (time.as_secs_f64() * 10_000.0).round() / 10.0;
    let fields = json!({
        "snapshots": {
            "good": snapshots.good,
            "empty": snapshots.empty,
            "bad": snapshots.bad,
            "missing_base": snapshots.missing_base,
        },
        "datagrams": { "sent": socket.sent.datagrams, "received": socket.received.datagrams },
        "bytes": { "sent": socket.sent.bytes, "received": socket.received.bytes },
        "vital": { "sent": link.vital_out, "received": link.vital_in },
        "resent": link.resent,
        "duplicates": link.repeated,
        "resend_requests": { "sent": link.resend_requests_out, "received": link.resend_requests_in },
        "round_trip_ms": link.round_trip.map(milliseconds),
        "inputs": {
            "sent": client.inputs,
            "timed": client.timing.reports,
            "late_inputs": client.timing.late,
            "mean_time_left_ms": client.timing.mean_time_left,
        },
        "decode_errors": client.undecodable,
        "rejected": socket.rejected,
        "socket_errors": socket.errors.total(),
    });
    let round_trip = link
        .round_trip
        .map_or_else(|| "not measured".to_owned(), |time| format!("{:.1} ms", milliseconds(time)));
    let text = format!(
        "{} snapshots ({} unchanged), {} with checksum errors; round trip {round_trip}\n\
         sent {} datagrams, {} bytes; received {} datagrams, {} bytes; {} vital messages resent\n\
         {} inputs, {} of {} timed ones late; {} decode errors",
        snapshots.good.saturating_add(snapshots.empty),
        snapshots.empty,
        snapshots.bad,
        socket.sent.datagrams,
        socket.sent.bytes,
        socket.received.datagrams,
        socket.received.bytes,
        link.resent,
        client.inputs,
        client.timing.late,
        client.timing.reports,
        client.undecodable,
    );
    Summary { fields, text }
}
