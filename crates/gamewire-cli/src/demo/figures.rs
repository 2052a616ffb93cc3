use std::collections::BTreeMap;

use gamewire_page::Source;

/// The figures of a player that the page shows, for the terminal.
#[derive(Clone, Debug)]
pub(super) struct PageFigures {
    pub(super) state: String,
    pub(super) packets_up: u64,
    pub(super) packets_down: u64,
    /// Bytes of both directions.
    pub(super) bytes: u64,
    pub(super) lost: u64,
    pub(super) resent: u64,
    /// Packets that could not be decoded.
    pub(super) errors: u64,
    /// Milliseconds, with one digit after the point.
    pub(super) round_trip: Option<String>,
}

impl Default for PageFigures {
    fn default() -> Self {
        let state = "connecting".to_owned();
        let (packets_up, packets_down, bytes, lost, resent, errors) = (0, 0, 0, 0, 0, 0);
        Self { state, packets_up, packets_down, bytes, lost, resent, errors, round_trip: None }
    }
}

impl PageFigures {
    /// Returns the figures of all players by name.
    pub(super) fn of(source: &Source) -> BTreeMap<String, Self> {
        let mut all = BTreeMap::new();
        source.each_conversation(|known| {
            let (up, down) = (&known.to_server, &known.to_client);
            let figures = Self {
                state: known.progress.to_string(),
                packets_up: up.packets,
                packets_down: down.packets,
                bytes: up.bytes.saturating_add(down.bytes),
                lost: up.lost.saturating_add(down.lost),
                resent: up.resent.saturating_add(down.resent),
                errors: known.errors,
                round_trip: known.round_trip.map(milliseconds),
            };
            if let Some(name) = &known.name {
                all.insert(name.clone(), figures);
            }
        });
        all
    }
}

/// Returns nanoseconds as milliseconds.
fn milliseconds(nanos: i64) -> String {
    let tenths = nanos.max(0).saturating_add(50_000) / 100_000;
    format!("{}.{}", tenths / 10, tenths % 10)
}
