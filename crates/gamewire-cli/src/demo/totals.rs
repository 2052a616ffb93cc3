use std::time::Duration;

use serde_json::json;

use super::figures::{Figures, Game};
use super::watch::Seen;

/// All conversations together.
#[derive(Default)]
pub(super) struct Totals {
    conversations: u64,
    datagrams: u64,
    runs: u64,
    bytes: u64,
    messages: u64,
    pub(super) errors: u64,
    snapshots: u64,
    wrong_sums: u64,
    relayed: u64,
    garbled: u64,
    turns: u64,
    wrong_turns: u64,
    pub(super) outside: Vec<String>,
}

impl Totals {
    pub(super) fn of(figures: &[Figures]) -> Self {
        let mut totals = Self::default();
        for one in figures {
            totals.add(&one.seen);
            match &one.game {
                Game::Teeworlds { wrong_sums, .. } => {
                    totals.snapshots = totals.snapshots.saturating_add(one.received);
                    totals.wrong_sums = totals.wrong_sums.saturating_add(*wrong_sums);
                }
                Game::Riptide { garbled } => {
                    totals.relayed = totals.relayed.saturating_add(one.received);
                    totals.garbled = totals.garbled.saturating_add(*garbled);
                }
                Game::Freeciv { wrong } => {
                    totals.turns = totals.turns.saturating_add(one.received);
                    totals.wrong_turns = totals.wrong_turns.saturating_add(*wrong);
                }
            }
            if !one.has_entered {
                totals.outside.push(one.name.clone());
            }
        }
        totals
    }

    fn add(&mut self, seen: &Seen) {
        self.conversations = self.conversations.saturating_add(1);
        for way in [&seen.to_server, &seen.to_client] {
            let count = if seen.is_stream { &mut self.runs } else { &mut self.datagrams };
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
            "runs": self.runs,
            "bytes": self.bytes,
            "messages": self.messages,
            "errors": self.errors,
            "snapshots": self.snapshots,
            "wrong_sums": self.wrong_sums,
            "relayed": self.relayed,
            "garbled": self.garbled,
            "turns": self.turns,
            "wrong_turns": self.wrong_turns,
        })
        .to_string()
    }

    /// Three lines that fit a narrow terminal.
    pub(super) fn text(&self, time: Duration) -> String {
        format!(
            "{} conversations in {:.1} s: {} datagrams and {} runs of streams, {} bytes,\n\
             {} messages, {} decode errors; {} snapshots, {} with a wrong sum;\n\
             {} messages relayed, {} of them garbled; {} turns played, {} of them wrong",
            self.conversations,
            time.as_secs_f64(),
            self.datagrams,
            self.runs,
            self.bytes,
            self.messages,
            self.errors,
            self.snapshots,
            self.wrong_sums,
            self.relayed,
            self.garbled,
            self.turns,
            self.wrong_turns,
        )
    }
}
