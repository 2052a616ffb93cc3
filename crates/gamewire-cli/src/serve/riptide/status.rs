use std::fmt;
use std::io::{self, IsTerminal as _};
use std::time::{Duration, Instant};

use anstyle::Style;
use console::Term;
use gamewire_net::Stats;
use gamewire_riptide::ClientId;
use gamewire_riptide::server::{ClientView, Server};

use super::stats::{RelayStats, transferred_bytes};
use crate::bottom;

const LABEL: Style = Style::new().dimmed();

/// The status at the bottom of the terminal. Dropping it removes the status.
#[derive(Debug)]
pub(super) struct StatusScreen {
    began: Instant,
    last: Totals,
    is_styled: bool,
}

/// Totals at a time, from which rates are computed.
#[derive(Clone, Copy, Debug)]
struct Totals {
    at: Instant,
    messages: u64,
    relayed: u64,
    received: u64,
    sent: u64,
}

impl StatusScreen {
    /// Opens the status if standard output is a terminal that can move its cursor.
    pub(super) fn open() -> Option<Self> {
        let is_dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        if is_dumb || !io::stdout().is_terminal() {
            return None;
        }
        let is_styled = anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never;
        let now = Instant::now();
        let last = Totals { at: now, messages: 0, relayed: 0, received: 0, sent: 0 };
        Some(Self { began: now, last, is_styled })
    }

    /// Shows the figures, with rates since the last call.
    pub(super) fn show(&mut self, server: &Server, sockets: &Stats, relay: &RelayStats) {
        let totals = Totals::of(sockets, relay, Instant::now());
        let columns = usize::from(Term::stdout().size().1);
        let mut lines = self.lines(totals, server, relay);
        lines.extend(slowest(server, columns));
        if !self.is_styled {
            lines = lines.iter().map(|line| anstream::adapter::strip_str(line).to_string()).collect();
        }
        self.last = totals;
        bottom::set_status(lines);
    }

    fn lines(&self, totals: Totals, server: &Server, relay: &RelayStats) -> Vec<String> {
        let seconds = totals.at.duration_since(self.last.at).as_secs_f64().max(0.001);
        let per_second = |now: u64, before: u64| precise(now.saturating_sub(before)) / seconds;
        let messages = |now, before| shown(per_second(now, before), "");
        let bytes = |now, before| shown(per_second(now, before), "B");
        let (dropped, deferred) = (server.relay_dropped(), server.relay_deferred());
        vec![
            line(
                "clients",
                format_args!(
                    "{} of {}, peak {}; up {}{}",
                    server.client_count(),
                    server.max_client_count(),
                    relay.peak_clients,
                    uptime(totals.at.duration_since(self.began)),
                    if server.accepts_clients() { "" } else { "; draining" },
                ),
            ),
            line(
                "messages",
                format_args!(
                    "{}/s received, {}/s relayed; {dropped} dropped, {deferred} deferred",
                    messages(totals.messages, self.last.messages),
                    messages(totals.relayed, self.last.relayed),
                ),
            ),
            line(
                "traffic",
                format_args!(
                    "{}/s received, {}/s sent",
                    bytes(totals.received, self.last.received),
                    bytes(totals.sent, self.last.sent),
                ),
            ),
        ]
    }
}

impl Drop for StatusScreen {
    fn drop(&mut self) {
        bottom::set_status(Vec::new());
    }
}

impl Totals {
    fn of(sockets: &Stats, relay: &RelayStats, at: Instant) -> Self {
        let (sent, received) = transferred_bytes(sockets);
        Self { at, messages: relay.messages.total(), relayed: relay.relayed.total(), received, sent }
    }
}

fn line(label: &str, text: impl fmt::Display) -> String {
    format!("{LABEL}{label:<9}{LABEL:#} {text}")
}

/// Returns the clients with the longest delays, as many as fit in a line; `None` if no round trip is known.
fn slowest(server: &Server, columns: usize) -> Option<String> {
    let measured = |client: ClientView<'_>| {
        let attempts = client.metrics().rolling_reliable_sends.mean().max(1.0);
        client.smooth_rtt().map(|round_trip| SlowClient { id: client.id(), round_trip, attempts })
    };
    let mut clients: Vec<_> = server.clients().filter_map(measured).collect();
    clients.sort_by(|one, other| other.delay().total_cmp(&one.delay()));
    // The label and its space have 10 columns, and the cursor needs one.
    let text = join_fitting(clients.iter().map(ToString::to_string), columns.saturating_sub(11));
    (!text.is_empty()).then(|| line("slowest", text))
}

/// A client with the delay of its connection.
struct SlowClient {
    id: ClientId,
    round_trip: Duration,
    /// Mean number of sends of a reliable message, over the last 64 messages.
    attempts: f64,
}

impl SlowClient {
    /// Returns the estimated time to deliver a reliable message, in seconds.
    fn delay(&self) -> f64 {
        self.round_trip.as_secs_f64() * self.attempts
    }
}

impl fmt::Display for SlowClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let resent = (1.0 - 1.0 / self.attempts) * 100.0;
        write!(f, "client {}: {} ms, {resent:.0}% resent", self.id, self.round_trip.as_millis())
    }
}

/// Joins as many parts as fit, from the first one.
fn join_fitting(parts: impl Iterator<Item = String>, columns: usize) -> String {
    let mut text = String::new();
    for part in parts {
        let separator = if text.is_empty() { "" } else { "; " };
        if text.len().saturating_add(separator.len()).saturating_add(part.len()) > columns {
            break;
        }
        text += separator;
        text += &part;
    }
    text
}

/// Formats a number with its unit, in at most five digits.
fn shown(number: f64, unit: &str) -> String {
    for (prefix, size) in [("G", 1e9), ("M", 1e6), ("k", 1e3)] {
        if number >= 10.0 * size {
            return format!("{:.1} {prefix}{unit}", number / size);
        }
    }
    format!("{number:.0} {unit}").trim_end().to_owned()
}

fn uptime(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    format!("{hours}:{minutes:02}:{:02}", seconds % 60)
}

#[allow(clippy::cast_precision_loss, reason = "a rate that is only shown")]
fn precise(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_short() {
        for (number, unit, text) in [
            (0.0, "", "0"),
            (9_999.4, "", "9999"),
            (12_345.0, "", "12.3 k"),
            (950.0, "B", "950 B"),
            (2_500_000_000.0, "B", "2500.0 MB"),
            (25_000_000_000.0, "B", "25.0 GB"),
        ] {
            assert_eq!(shown(number, unit), text);
        }
    }

    #[test]
    fn as_many_clients_as_fit_are_listed() {
        let clients = [(7, 120, 1.25), (300, 80, 1.0), (2, 9, 1.0)].map(|(id, millis, attempts)| {
            SlowClient { id: ClientId(id), round_trip: Duration::from_millis(millis), attempts }.to_string()
        });
        let fitting = |columns| join_fitting(clients.iter().cloned(), columns);
        assert_eq!(fitting(27), "");
        assert_eq!(fitting(28), "client 7: 120 ms, 20% resent");
        assert_eq!(fitting(80), "client 7: 120 ms, 20% resent; client 300: 80 ms, 0% resent");
    }

    #[test]
    fn the_time_since_the_start_has_hours() {
        assert_eq!(uptime(Duration::from_secs(90_061)), "25:01:01");
    }
}
