use gamewire_inspect::render::{Palette, summary};
use gamewire_machine::Role;
use serde_json::{Value as Json, json};

use crate::traffic::StoredPacket;

/// Maximum characters of a summary. A longer summary is cut.
const MAX_SUMMARY: usize = 300;

/// A member of a row that is left out if it does not apply.
type Mark = (&'static str, fn(&StoredPacket) -> bool);

const MARKS: [Mark; 5] = [
    ("error", StoredPacket::has_error),
    ("warning", StoredPacket::has_warning),
    ("lost", |packet| packet.delivery.is_lost),
    ("resent", |packet| packet.delivery.resent.is_some()),
    ("asks", |packet| packet.delivery.asks_for_resend),
];

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
        for (name, _) in MARKS.iter().filter(|(_, is_set)| is_set(packet)) {
            fields.insert((*name).to_owned(), Json::Bool(true));
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
    match text.char_indices().nth(MAX_SUMMARY) {
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
    seconds(gamewire_watch::unix_nanos())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that panics fails")]
mod tests {
    use super::*;

    #[test]
    fn the_marks_are_the_optional_members_of_the_definition() {
        let schema = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/schema/page.json");
        let schema: Json = serde_json::from_str(&std::fs::read_to_string(schema).unwrap()).unwrap();
        let row = schema["anyOf"].as_array().unwrap().iter().find(|record| record["title"] == "row").unwrap();
        let required = row["required"].as_array().unwrap();
        let mut optional: Vec<_> = row["properties"].as_object().unwrap().keys().collect();
        optional.retain(|name| !required.contains(&Json::from(name.as_str())));
        assert_eq!(optional, MARKS.map(|(name, _)| name));
    }
}
