use gamewire_inspect::render::{Palette, summary};
use gamewire_machine::Role;
use serde_json::{Value as Json, json};

use crate::traffic::StoredPacket;

/// Maximum characters of a summary. A longer summary is cut.
const SUMMARY: usize = 300;

/// Returns a packet as a row of the list.
pub(crate) fn row(packet: &StoredPacket) -> Json {
    let info = &packet.info;
    let mut row = json!({
        "number": packet.number,
        "time": seconds(info.time),
        "conversation": info.conversation,
        "sender": info.sender.name(),
        "dialect": info.dialect.unwrap_or(info.protocol),
        "length": packet.length,
        "summary": summary_of(packet),
    });
    if let Some(fields) = row.as_object_mut() {
        let marks = [
            ("error", packet.has_error()),
            ("warning", packet.has_warning()),
            ("lost", packet.delivery.is_lost),
            ("resent", packet.delivery.resent.is_some()),
            ("asks", packet.delivery.asks_for_resend),
        ];
        for (name, _) in marks.into_iter().filter(|(_, is_set)| *is_set) {
            fields.insert(name.to_owned(), Json::Bool(true));
        }
    }
    row
}

/// Returns the content of a packet as one line of escaped text.
pub(crate) fn summary_of(packet: &StoredPacket) -> String {
    let mut line = Vec::new();
    if packet.delivery.is_lost {
        let receiver = if packet.info.sender == Role::Client { "server" } else { "client" };
        line = format!("lost on the link to the {receiver}:").into_bytes();
    }
    // Writing to memory cannot fail.
    let _ = summary(&mut line, packet.meta(), &packet.record(), &Palette::plain());
    let text = String::from_utf8_lossy(&line);
    let text = text.trim();
    match text.char_indices().nth(SUMMARY) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// Returns nanoseconds as seconds, truncated to microseconds.
#[allow(clippy::cast_precision_loss, reason = "a time that is shown")]
pub(crate) fn seconds(nanos: i64) -> f64 {
    (nanos / 1_000) as f64 / 1e6
}

/// Returns the current time in seconds since 1970.
pub(crate) fn now() -> f64 {
    seconds(crate::traffic::unix_nanos())
}
