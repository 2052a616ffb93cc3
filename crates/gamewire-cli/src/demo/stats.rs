use std::time::Duration;

use serde::Serialize;
use serde_json::json;

use super::figures::PageFigures;
use super::sink::ConversationView;

/// The figures of a conversation.
pub(super) struct ConversationStats {
    pub(super) name: String,
    pub(super) view: ConversationView,
    pub(super) has_entered: bool,
    /// Progress in the game: number of snapshots, messages of others, or turns.
    pub(super) received: u64,
    pub(super) page: PageFigures,
    pub(super) game: GameStats,
}

/// Figures that are specific to one game.
pub(super) enum GameStats {
    Teeworlds { checksum_errors: u64, map_bytes: usize },
    Riptide { corrupted: u64 },
    Freeciv { desynced_turns: u64 },
}

impl ConversationStats {
    pub(super) fn json(&self) -> String {
        let Self { name, view, has_entered, received, page, game } = self;
        let packets = if view.is_stream { "stream_reads" } else { "datagrams" };
        let mut line = json!({
            "player": name,
            "dialect": view.dialect,
            "entered": has_entered,
            "to_server": { packets: view.to_server.packets, "bytes": view.to_server.bytes },
            "to_client": { packets: view.to_client.packets, "bytes": view.to_client.bytes },
            "messages": view.messages,
            "errors": view.errors,
            "warnings": view.warnings,
            "resent": page.resent,
            "round_trip_ms": page.round_trip.as_deref().and_then(|time| time.parse::<f64>().ok()),
        });
        let more = match game {
            GameStats::Teeworlds { checksum_errors, map_bytes } => {
                json!({ "snapshots": received, "checksum_errors": checksum_errors, "map_bytes": map_bytes })
            }
            GameStats::Riptide { corrupted } => json!({ "relayed": received, "corrupted": corrupted }),
            GameStats::Freeciv { desynced_turns } => {
                json!({ "turns": received, "desynced_turns": desynced_turns })
            }
        };
        if let (Some(line), Some(more)) = (line.as_object_mut(), more.as_object()) {
            line.extend(more.clone());
        }
        line.to_string()
    }

    /// Returns a row of the table that is printed at the end, under [`HEAD`].
    pub(super) fn row(&self, time: Duration) -> String {
        let rate = |count: u64| precise(count) / time.as_secs_f64().max(0.001);
        let what = match self.game {
            GameStats::Teeworlds { .. } => "snapshots",
            GameStats::Riptide { .. } => "messages ",
            GameStats::Freeciv { .. } => "turns    ",
        };
        format!(
            "{:<15}{:>6.0}{:>6.1}{:>7.0}{:>6.1} {:>7} {what} {:>6} {:>7} {:>6}",
            self.name,
            rate(self.view.to_server.packets),
            rate(self.view.to_server.bytes) / 1000.0,
            rate(self.view.to_client.packets),
            rate(self.view.to_client.bytes) / 1000.0,
            self.received,
            self.page.resent,
            self.page.round_trip.as_deref().unwrap_or("-"),
            self.page.errors,
        )
    }
}

/// The heading of the rows of [`ConversationStats::row`]. The rates count datagrams, or reads of a stream. The heading
/// fits a terminal of 80 columns.
pub(super) const HEAD: &str =
    "player           up/s  kB/s down/s  kB/s          received resent trip ms errors";

#[allow(clippy::cast_precision_loss, reason = "a rate that is only shown")]
fn precise(count: u64) -> f64 {
    count as f64
}

/// Totals of all conversations.
#[derive(Default, Serialize)]
pub(super) struct DemoStats {
    seconds: f64,
    conversations: u64,
    datagrams: u64,
    stream_reads: u64,
    bytes: u64,
    messages: u64,
    pub(super) errors: u64,
    snapshots: u64,
    checksum_errors: u64,
    relayed: u64,
    corrupted: u64,
    turns: u64,
    desynced_turns: u64,
    pub(super) missed: u64,
    #[serde(skip)]
    pub(super) failed_to_join: Vec<String>,
}

impl DemoStats {
    pub(super) fn of(figures: &[ConversationStats], time: Duration) -> Self {
        let mut totals = Self { seconds: (time.as_secs_f64() * 1000.0).round() / 1000.0, ..Self::default() };
        for one in figures {
            totals.add(&one.view);
            match &one.game {
                GameStats::Teeworlds { checksum_errors, .. } => {
                    totals.snapshots = totals.snapshots.saturating_add(one.received);
                    totals.checksum_errors = totals.checksum_errors.saturating_add(*checksum_errors);
                }
                GameStats::Riptide { corrupted } => {
                    totals.relayed = totals.relayed.saturating_add(one.received);
                    totals.corrupted = totals.corrupted.saturating_add(*corrupted);
                }
                GameStats::Freeciv { desynced_turns } => {
                    totals.turns = totals.turns.saturating_add(one.received);
                    totals.desynced_turns = totals.desynced_turns.saturating_add(*desynced_turns);
                }
            }
            if !one.has_entered {
                totals.failed_to_join.push(one.name.clone());
            }
        }
        totals
    }

    fn add(&mut self, view: &ConversationView) {
        self.conversations = self.conversations.saturating_add(1);
        for way in [&view.to_server, &view.to_client] {
            let count = if view.is_stream { &mut self.stream_reads } else { &mut self.datagrams };
            *count = count.saturating_add(way.packets);
            self.bytes = self.bytes.saturating_add(way.bytes);
        }
        self.messages = self.messages.saturating_add(view.messages);
        self.errors = self.errors.saturating_add(view.errors);
    }

    pub(super) fn json(&self) -> String {
        json!(self).to_string()
    }

    /// Returns three lines that fit a narrow terminal.
    pub(super) fn text(&self, time: Duration) -> String {
        let Self { conversations, datagrams, stream_reads, bytes, messages, errors, .. } = self;
        let Self { snapshots, checksum_errors, relayed, corrupted, turns, desynced_turns, .. } = self;
        format!(
            "{conversations} conversations in {:.1} s: {datagrams} datagrams and {stream_reads} stream reads, {bytes} bytes,\n\
             {messages} messages, {errors} decode errors; {snapshots} snapshots, {checksum_errors} with checksum errors;\n\
             {relayed} messages relayed, {corrupted} corrupted; {turns} turns played, {desynced_turns} desynced",
            time.as_secs_f64(),
        )
    }
}
