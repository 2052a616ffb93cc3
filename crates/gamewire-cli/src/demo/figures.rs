use std::time::Duration;

use gamewire_teeworlds::client::ClientStats;
use serde_json::json;

use super::player::Player;
use super::watch::{Seen, Watch};

/// How a conversation went.
pub(super) struct Figures {
    pub(super) name: String,
    pub(super) seen: Seen,
    pub(super) client: ClientStats,
    pub(super) has_entered: bool,
    pub(super) map_bytes: usize,
}

impl Figures {
    pub(super) fn of(player: &Player, watch: &Watch) -> Self {
        Self {
            name: player.name.clone(),
            seen: watch.seen(player.driver.local_addr()),
            client: player.driver.view().stats(),
            has_entered: player.has_entered,
            map_bytes: player.map_bytes,
        }
    }

    /// Snapshots that a player has taken.
    pub(super) const fn snapshots(&self) -> u64 {
        self.client.snapshots.good.saturating_add(self.client.snapshots.empty)
    }

    pub(super) fn json(&self) -> String {
        let Self { name, seen, client, has_entered, map_bytes } = self;
        json!({
            "player": name,
            "dialect": seen.dialect,
            "entered": has_entered,
            "to_server": { "datagrams": seen.to_server.datagrams, "bytes": seen.to_server.bytes },
            "to_client": { "datagrams": seen.to_client.datagrams, "bytes": seen.to_client.bytes },
            "messages": seen.messages,
            "errors": seen.errors,
            "warnings": seen.warnings,
            "snapshots": self.snapshots(),
            "wrong_sums": client.snapshots.bad,
            "resent": client.link.resent,
            "round_trip_ms": client.link.round_trip.map(|time| (time.as_secs_f64() * 10_000.0).round() / 10.0),
            "map_bytes": map_bytes,
        })
        .to_string()
    }

    /// One row of the table; [`HEAD`] is above it.
    pub(super) fn row(&self, time: Duration) -> String {
        let rate = |count: u64| precise(count) / time.as_secs_f64().max(0.001);
        let round_trip =
            self.client.link.round_trip.map_or_else(|| "-".into(), |time| format!("{} ms", time.as_millis()));
        format!(
            "{:<15} {:>5.0}/s {:>7.1} kB/s {:>5.0}/s {:>7.1} kB/s {:>9} {:>6} {:>7} {:>6}",
            self.name,
            rate(self.seen.to_server.datagrams),
            rate(self.seen.to_server.bytes) / 1000.0,
            rate(self.seen.to_client.datagrams),
            rate(self.seen.to_client.bytes) / 1000.0,
            self.snapshots(),
            self.client.link.resent,
            round_trip,
            self.seen.errors,
        )
    }
}

/// What the columns of [`Figures::row`] are.
pub(super) const HEAD: &str =
    "player          to server              to client            snapshots resent    trip errors";

/// All conversations together.
#[derive(Default)]
pub(super) struct Totals {
    pub(super) conversations: u64,
    pub(super) datagrams: u64,
    pub(super) bytes: u64,
    pub(super) messages: u64,
    pub(super) errors: u64,
    pub(super) snapshots: u64,
    pub(super) wrong_sums: u64,
    pub(super) outside: Vec<String>,
}

impl Totals {
    pub(super) fn of(figures: &[Figures]) -> Self {
        let mut totals = Self::default();
        for one in figures {
            let (up, down) = (&one.seen.to_server, &one.seen.to_client);
            totals.conversations = totals.conversations.saturating_add(1);
            totals.datagrams = totals.datagrams.saturating_add(up.datagrams).saturating_add(down.datagrams);
            totals.bytes = totals.bytes.saturating_add(up.bytes).saturating_add(down.bytes);
            totals.messages = totals.messages.saturating_add(one.seen.messages);
            totals.errors = totals.errors.saturating_add(one.seen.errors);
            totals.snapshots = totals.snapshots.saturating_add(one.snapshots());
            totals.wrong_sums = totals.wrong_sums.saturating_add(one.client.snapshots.bad);
            if !one.has_entered {
                totals.outside.push(one.name.clone());
            }
        }
        totals
    }

    pub(super) fn json(&self, time: Duration) -> String {
        json!({
            "seconds": (time.as_secs_f64() * 1000.0).round() / 1000.0,
            "conversations": self.conversations,
            "datagrams": self.datagrams,
            "bytes": self.bytes,
            "messages": self.messages,
            "errors": self.errors,
            "snapshots": self.snapshots,
            "wrong_sums": self.wrong_sums,
        })
        .to_string()
    }

    pub(super) fn text(&self, time: Duration) -> String {
        format!(
            "{} conversations in {:.1} s: {} datagrams, {} bytes, {} messages, {} decode errors; \
             {} snapshots, {} with a wrong sum",
            self.conversations,
            time.as_secs_f64(),
            self.datagrams,
            self.bytes,
            self.messages,
            self.errors,
            self.snapshots,
            self.wrong_sums,
        )
    }
}

#[allow(clippy::cast_precision_loss, reason = "a rate to be looked at")]
fn precise(count: u64) -> f64 {
    count as f64
}
