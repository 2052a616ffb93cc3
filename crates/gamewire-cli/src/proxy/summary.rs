use gamewire_proxy::relay::RelayStats;
use gamewire_watch::WatchStats;
use serde_json::json;

use crate::output::Summary;

/// Returns the summary. `not_shown` is the number of packets that the printer left out.
pub(super) fn summary(relay: &RelayStats, watch: &WatchStats, not_shown: u64) -> Summary {
    let RelayStats { total, clients, displaced, refused, from_itself, socket_errors, lost, missed, .. } =
        *relay;
    let WatchStats { decoded, errors, warnings, unrecognized, not_recorded } = *watch;
    let (to_server, to_client) = (total.to_server, total.to_client);
    let fields = json!({
        "clients": clients,
        "to_server": { "packets": to_server.sent, "bytes": to_server.sent_bytes },
        "to_client": { "packets": to_client.sent, "bytes": to_client.sent_bytes },
        "decoded": decoded,
        "errors": errors,
        "warnings": warnings,
        "unrecognized": unrecognized,
        "lost": lost,
        "missed": missed,
        "not_recorded": not_recorded,
        "not_shown": not_shown,
        "displaced": displaced,
        "refused": refused,
        "from_itself": from_itself,
        "socket_errors": socket_errors,
    });
    let mut text = format!(
        "{clients} clients; {} packets with {} bytes to the server, {} with {} to clients\n\
         {decoded} decoded: {errors} with errors, {warnings} with warnings",
        to_server.sent, to_server.sent_bytes, to_client.sent, to_client.sent_bytes
    );
    for (count, what) in [
        (unrecognized, "of an unknown protocol"),
        (lost, "lost by the links"),
        (missed, "missed by the watcher"),
        (not_recorded, "not recorded"),
        (not_shown, "not shown"),
        (displaced, "clients displaced before they answered"),
        (refused, "new clients refused"),
        (from_itself, "from the proxy itself"),
        (socket_errors, "errors of sockets"),
    ] {
        if count > 0 {
            text += &format!("; {count} {what}");
        }
    }
    Summary { fields, text }
}
