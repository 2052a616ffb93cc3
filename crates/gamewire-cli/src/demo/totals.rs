use std::time::Duration;

use serde_json::json;

use super::figures::{ConversationStats, GameStats};
use super::watch::ConversationView;

/// Totals of all conversations.
#[derive(Default)]
pub(super) struct DemoStats {
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
    pub(super) failed_to_join: Vec<String>,
}

impl DemoStats {
    pub(super) fn of(figures: &[ConversationStats]) -> Self {
        let mut totals = Self::default();
        for one in figures {
            totals.add(&one.seen);
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

    fn add(&mut self, seen: &ConversationView) {
        self.conversations = self.conversations.saturating_add(1);
        for way in [&seen.to_server, &seen.to_client] {
            let count = if seen.is_stream { &mut self.stream_reads } else { &mut self.datagrams };
            *count = count.saturating_add(way.packets);
            self.bytes = self.bytes.saturating_add(way.bytes);
        }
        self.messages = self.messages.saturating_add(seen.messages);
        self.errors = self.errors.saturating_add(seen.errors());
    }

    pub(super) fn json(&self, time: Duration) -> String {
        json!({
            "seconds": (time.as_secs_f64() * 1000.0).round() / 1000.0,
            "conversations": self.conversations,
            "datagrams": self.datagrams,
            "stream_reads": self.stream_reads,
            "bytes": self.bytes,
            "messages": self.messages,
            "errors": self.errors,
            "snapshots": self.snapshots,
            "checksum_errors": self.checksum_errors,
            "relayed": self.relayed,
            "corrupted": self.corrupted,
            "turns": self.turns,
            "desynced_turns": self.desynced_turns,
        })
        .to_string()
    }

    /// Returns three lines that fit a narrow terminal.
    pub(super) fn text(&self, time: Duration) -> String {
        format!(
            "{} conversations in {:.1} s: {} datagrams and {} stream reads, {} bytes,\n\
             {} messages, {} decode errors; {} snapshots, {} with checksum errors;\n\
             {} messages relayed, {} corrupted; {} turns played, {} desynced",
            self.conversations,
            time.as_secs_f64(),
            self.datagrams,
            self.stream_reads,
            self.bytes,
            self.messages,
            self.errors,
            self.snapshots,
            self.checksum_errors,
            self.relayed,
            self.corrupted,
            self.turns,
            self.desynced_turns,
        )
    }
}
