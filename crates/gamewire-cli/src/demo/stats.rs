use std::time::Duration;

use serde_json::json;

use super::freeciv::FreecivDemoClient;
use super::monitor::{ConversationView, TrafficMonitor};
use super::riptide::RiptideDemoClient;
use super::teeworlds::Player;
use crate::url::UrlTransport;

/// The figures of a conversation.
pub(super) struct ConversationStats {
    pub(super) name: String,
    pub(super) view: ConversationView,
    pub(super) has_entered: bool,
    /// Its progress in the game: snapshots, messages of others, or turns.
    pub(super) received: u64,
    resent: Option<u64>,
    round_trip: Option<Duration>,
    pub(super) game: GameStats,
}

/// Figures that only one game has.
pub(super) enum GameStats {
    Teeworlds { checksum_errors: u64, map_bytes: usize },
    Riptide { corrupted: u64 },
    Freeciv { desynced_turns: u64 },
}

impl ConversationStats {
    pub(super) fn of_player(player: &Player, watch: &TrafficMonitor) -> Self {
        let stats = player.driver.machine().stats();
        Self {
            name: player.name.clone(),
            view: watch.view(UrlTransport::Udp, player.driver.local_addr()),
            has_entered: player.has_entered,
            received: stats.snapshots.good.saturating_add(stats.snapshots.empty),
            resent: Some(stats.link.resent),
            round_trip: stats.link.round_trip,
            game: GameStats::Teeworlds { checksum_errors: stats.snapshots.bad, map_bytes: player.map_bytes },
        }
    }

    pub(super) fn of_riptide(demo_client: &RiptideDemoClient, watch: &TrafficMonitor) -> Self {
        let client = demo_client.driver.machine();
        let metrics = client.metrics();
        Self {
            name: demo_client.name.clone(),
            view: watch.view(demo_client.transport, demo_client.driver.local_addr()),
            has_entered: demo_client.has_entered,
            received: demo_client.received,
            resent: Some(metrics.reliable_out.saturating_sub(metrics.reliable_uniques)),
            round_trip: client.smooth_rtt(),
            game: GameStats::Riptide { corrupted: demo_client.corrupted },
        }
    }

    pub(super) fn of_freeciv(freeciv_client: &FreecivDemoClient, watch: &TrafficMonitor) -> Self {
        Self {
            name: freeciv_client.name.clone(),
            view: watch.view(UrlTransport::Tcp, freeciv_client.driver.local_addr()),
            has_entered: freeciv_client.has_entered,
            received: freeciv_client.turns,
            // TCP resends, and does not report it.
            resent: None,
            round_trip: None,
            game: GameStats::Freeciv { desynced_turns: freeciv_client.desynced_turns },
        }
    }

    pub(super) fn json(&self) -> String {
        let Self { name, view, has_entered, received, resent, round_trip, game } = self;
        let packets = if view.is_stream { "stream_reads" } else { "datagrams" };
        let mut line = json!({
            "player": name,
            "dialect": view.dialect,
            "entered": has_entered,
            "to_server": { packets: view.to_server.packets, "bytes": view.to_server.bytes },
            "to_client": { packets: view.to_client.packets, "bytes": view.to_client.bytes },
            "messages": view.messages,
            "errors": view.errors(),
            "warnings": view.warnings,
            "resent": resent,
            "round_trip_ms": round_trip.map(|time| (time.as_secs_f64() * 10_000.0).round() / 10.0),
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

    /// Returns one row of the table under [`HEAD`].
    pub(super) fn row(&self, time: Duration) -> String {
        let rate = |count: u64| precise(count) / time.as_secs_f64().max(0.001);
        let round_trip =
            self.round_trip.map_or_else(|| "-".into(), |time| format!("{} ms", time.as_millis()));
        let what = match self.game {
            GameStats::Teeworlds { .. } => "snapshots",
            GameStats::Riptide { .. } => "messages ",
            GameStats::Freeciv { .. } => "turns    ",
        };
        format!(
            "{:<15}{:>6.0}{:>6.1}{:>7.0}{:>6.1} {:>7} {what} {:>6} {:>6} {:>6}",
            self.name,
            rate(self.view.to_server.packets),
            rate(self.view.to_server.bytes) / 1000.0,
            rate(self.view.to_client.packets),
            rate(self.view.to_client.bytes) / 1000.0,
            self.received,
            self.resent.map_or_else(|| "-".into(), |count| count.to_string()),
            round_trip,
            self.view.errors(),
        )
    }
}

/// The heading of [`Figures::row`]: datagrams or runs of a stream per second, and so on. It fits a
/// terminal of 80 columns.
pub(super) const HEAD: &str =
    "player           up/s  kB/s down/s  kB/s          received resent   trip errors";

#[allow(clippy::cast_precision_loss, reason = "a rate that is only shown")]
fn precise(count: u64) -> f64 {
    count as f64
}

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
        self.errors = self.errors.saturating_add(view.errors());
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
