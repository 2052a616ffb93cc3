use gamewire_net::Stats;
use gamewire_riptide::Format;
use gamewire_riptide::server::Server;

use super::describe::transport_name;
use super::stats::RelayStats;
use crate::metrics::{Exposition, Histogram};

/// The figures of a relay, for the page of metrics.
pub(super) struct Figures<'a> {
    pub(super) server: &'a Server,
    pub(super) sockets: &'a Stats,
    pub(super) relay: &'a RelayStats,
    /// The round-trip times of the clients, observed once per second.
    pub(super) round_trips: &'a Histogram,
    /// The start time in seconds since 1970.
    pub(super) start_time: f64,
}

impl Figures<'_> {
    /// Returns the page of metrics. No label contains an address, a name or an id of a client.
    pub(super) fn page(&self) -> String {
        let mut page = Exposition::default();
        let version = [([("version", env!("CARGO_PKG_VERSION"))], 1)];
        page.gauges("gamewire_build_info", "The version of gamewire.", version);
        let start = "Start time of the server since unix epoch in seconds.";
        page.gauge("process_start_time_seconds", start, self.start_time);
        self.clients(&mut page);
        self.messages(&mut page);
        self.connections(&mut page);
        self.sockets(&mut page);
        page.into_text()
    }

    fn clients(&self, page: &mut Exposition) {
        let relay = self.relay;
        page.gauges("gamewire_riptide_clients", "Connected clients.", self.clients_by_kind());
        page.gauge("gamewire_riptide_clients_peak", "Most clients at the same time.", relay.peak_clients);
        let max = self.server.max_client_count();
        page.gauge("gamewire_riptide_clients_max", "Maximum number of clients.", max);
        let half_open = self.server.half_open_count();
        page.gauge(
            "gamewire_riptide_half_open_connections",
            "Connections that have not completed the handshake.",
            half_open,
        );
        page.counter("gamewire_riptide_clients_connected_total", "Clients that connected.", relay.clients);
        let disconnected = relay.disconnected.iter().map(|(reason, count)| ([("reason", *reason)], *count));
        page.counters(
            "gamewire_riptide_clients_disconnected_total",
            "Clients that disconnected.",
            disconnected,
        );
        page.counter(
            "gamewire_riptide_connects_refused_total",
            "Connect requests that the relay refused.",
            relay.refused,
        );
        let full = self.server.rejected_full();
        page.counter(
            "gamewire_riptide_connects_rejected_full_total",
            "Connect requests that were rejected because the server was full.",
            full,
        );
        page.gauge(
            "gamewire_riptide_draining",
            "1 while the server accepts no clients and waits for its own to leave.",
            u8::from(!self.server.accepts_clients()),
        );
        page.counter(
            "gamewire_riptide_connects_rejected_draining_total",
            "Connect requests that were rejected during the drain.",
            self.server.rejected_closed(),
        );
        page.counter(
            "gamewire_riptide_connects_failed_total",
            "Connections that did not complete the handshake.",
            relay.failed,
        );
    }

    fn clients_by_kind(&self) -> Vec<([(&'static str, &'static str); 2], usize)> {
        let kinds = ["2.0", "2.1"]
            .into_iter()
            .flat_map(|version| ["udp", "tcp", "websocket"].map(|transport| (version, transport)));
        let mut clients = kinds
            .map(|(version, transport)| ([("version", version), ("transport", transport)], 0_usize))
            .collect::<Vec<_>>();
        for client in self.server.clients() {
            let version = match client.format() {
                Format::V20 => "2.0",
                Format::V21 => "2.1",
            };
            let transport = transport_name(self.server, client.endpoint());
            let labels = [("version", version), ("transport", transport)];
            if let Some((_, count)) = clients.iter_mut().find(|(kind, _)| *kind == labels) {
                *count = count.saturating_add(1);
            }
        }
        clients
    }

    fn messages(&self, page: &mut Exposition) {
        let relay = self.relay;
        for (name, help, counts) in [
            ("gamewire_riptide_messages_received_total", "Messages received from clients.", &relay.messages),
            (
                "gamewire_riptide_messages_relayed_total",
                "Messages relayed to the other clients, each counted once.",
                &relay.relayed,
            ),
            ("gamewire_riptide_messages_echoed_total", "Messages sent back to their senders.", &relay.echoed),
        ] {
            page.counters(name, help, counts.counts().map(|(mode, count)| ([("mode", mode)], count)));
        }
        page.counter(
            "gamewire_riptide_messages_untranslated_total",
            "Relayed messages that some clients did not receive, because they could not be translated.",
            relay.untranslated,
        );
        page.counter(
            "gamewire_riptide_relay_dropped_total",
            "Unreliable messages dropped by the relay budget.",
            self.server.relay_dropped(),
        );
        page.counter(
            "gamewire_riptide_relay_deferred_total",
            "Reliable packets left unacknowledged by the relay budget, which come again.",
            self.server.relay_deferred(),
        );
    }

    fn connections(&self, page: &mut Exposition) {
        let total = self.server.total_metrics();
        let resends = total.reliable_out.saturating_sub(total.reliable_uniques);
        page.counter(
            "gamewire_riptide_reliable_sent_total",
            "Reliable messages sent to clients, each counted once.",
            total.reliable_uniques,
        );
        page.counter(
            "gamewire_riptide_reliable_resent_total",
            "Reliable messages sent again because no ack came in time.",
            resends,
        );
        page.counter(
            "gamewire_riptide_reliable_duplicates_total",
            "Reliable messages of clients that came again.",
            total.reliable_discarded,
        );
        page.counter(
            "gamewire_riptide_notify_lost_total",
            "Notify messages to clients that were lost.",
            total.notify_lost,
        );
        page.histogram(
            "gamewire_riptide_round_trip_seconds",
            "Smoothed round-trip times, one of each client a second.",
            self.round_trips,
        );
        let reasons =
            self.server.packet_errors().by_reason().map(|(reason, count)| ([("reason", reason)], count));
        page.counters(
            "gamewire_riptide_packets_dropped_total",
            "Received packets that were dropped.",
            reasons,
        );
    }

    fn sockets(&self, page: &mut Exposition) {
        let Stats { received, sent, dropped, errors, streams, .. } = *self.sockets;
        let bytes = |udp, tcp| [([("transport", "udp")], udp), ([("transport", "tcp")], tcp)];
        page.counters(
            "gamewire_riptide_received_bytes_total",
            "Payload bytes received.",
            bytes(received.bytes, streams.received_bytes),
        );
        page.counters(
            "gamewire_riptide_sent_bytes_total",
            "Payload bytes sent.",
            bytes(sent.bytes, streams.sent_bytes),
        );
        page.counter("gamewire_riptide_received_datagrams_total", "Datagrams received.", received.datagrams);
        page.counter("gamewire_riptide_sent_datagrams_total", "Datagrams sent.", sent.datagrams);
        page.counter(
            "gamewire_riptide_unsent_datagrams_total",
            "Datagrams dropped because the socket was full or failed.",
            dropped,
        );
        page.counter("gamewire_riptide_streams_opened_total", "TCP streams opened.", streams.opened);
        let ends = [
            ("closed", streams.closed),
            ("ended", streams.ended),
            ("reset", streams.reset),
            ("slow_reader", streams.slow_reader),
        ];
        page.counters(
            "gamewire_riptide_streams_ended_total",
            "TCP streams that the server closed, that clients ended, that failed, and that were read too \
             slowly.",
            ends.map(|(cause, count)| ([("cause", cause)], count)),
        );
        page.counter(
            "gamewire_riptide_accept_errors_total",
            "Failures to accept a TCP stream.",
            streams.accept_errors,
        );
        let kinds = [
            ("refused", errors.refused),
            ("full", errors.full),
            ("too_long", errors.too_long),
            ("unreachable", errors.unreachable),
            ("forbidden", errors.forbidden),
            ("interrupted", errors.interrupted),
            ("other", errors.other),
        ];
        page.counters(
            "gamewire_riptide_socket_errors_total",
            "Errors of the UDP socket.",
            kinds.map(|(kind, count)| ([("kind", kind)], count)),
        );
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use std::collections::BTreeSet;

    use gamewire_machine::{Instant, Machine as _};
    use gamewire_riptide::server::ServerConfig;

    use super::*;

    /// Returns the page of a server with a client of 2.1 at 192.0.2.1, after a packet that cannot be decoded.
    fn page() -> String {
        let mut server = Server::new(ServerConfig::new(10), Instant::ZERO);
        // A connect request and the echo of the Welcome.
        for packet in [&[0x02][..], &[0x18, 0x00, 0x10, 0x00, 0x00]] {
            server.handle_datagram(Instant::ZERO, "192.0.2.1:40404".parse().unwrap(), packet).unwrap();
        }
        server.handle_datagram(Instant::ZERO, "192.0.2.2:1".parse().unwrap(), &[]).unwrap_err();
        let mut sockets = Stats::default();
        sockets.received.bytes = 6;
        let mut relay = RelayStats { clients: 1, peak_clients: 1, ..RelayStats::default() };
        relay.messages.increment(gamewire_riptide::MessageSendMode::Notify);
        let mut round_trips = Histogram::default();
        round_trips.observe(std::time::Duration::from_millis(40));
        Figures {
            server: &server,
            sockets: &sockets,
            relay: &relay,
            round_trips: &round_trips,
            start_time: 1.5,
        }
        .page()
    }

    #[test]
    fn the_page_has_what_the_server_counted() {
        let page = page();
        for line in [
            "process_start_time_seconds 1.5",
            "gamewire_riptide_clients{version=\"2.0\",transport=\"udp\"} 0",
            "gamewire_riptide_clients{version=\"2.1\",transport=\"udp\"} 1",
            "gamewire_riptide_clients_connected_total 1",
            "gamewire_riptide_clients_disconnected_total{reason=\"TimedOut\"} 0",
            "gamewire_riptide_messages_received_total{mode=\"notify\"} 1",
            "gamewire_riptide_packets_dropped_total{reason=\"unknown_address\"} 1",
            "gamewire_riptide_received_bytes_total{transport=\"udp\"} 6",
            "gamewire_riptide_round_trip_seconds_count 1",
        ] {
            assert!(page.lines().any(|found| found == line), "{line}: {page}");
        }
    }

    #[test]
    fn names_and_units_are_as_prometheus_wants_them() {
        let page = page();
        let mut names = BTreeSet::new();
        let mut lines = page.lines().peekable();
        while let Some(help) = lines.next() {
            let (name, text) = help.strip_prefix("# HELP ").unwrap().split_once(' ').unwrap();
            assert!(text.ends_with('.'), "{help}");
            assert!(names.insert(name), "{name} once");
            let kind = lines.next().unwrap().strip_prefix("# TYPE ").unwrap().strip_prefix(name).unwrap();
            assert_eq!(kind == " counter", name.ends_with("_total"), "{name}");
            assert!(name.starts_with("gamewire_") || name == "process_start_time_seconds", "{name}");
            let mut samples = 0;
            while let Some(sample) = lines.next_if(|line| !line.starts_with('#')) {
                assert!(sample.starts_with(name), "{sample}");
                samples += 1;
            }
            assert!(samples > 0, "{name} has samples");
        }
        assert!(names.len() > 30);
    }

    #[test]
    fn no_label_tells_who_a_client_is() {
        let page = page();
        let mut labels = BTreeSet::new();
        for part in page.lines().filter(|line| !line.starts_with('#')).flat_map(|line| line.split(['{', ',']))
        {
            labels.extend(part.split_once("=\"").map(|(label, _)| label));
        }
        let expected = ["cause", "kind", "le", "mode", "reason", "transport", "version"];
        assert_eq!(labels, BTreeSet::from(expected));
        assert!(!page.contains("192.0.2") && !page.contains("40404"), "{page}");
    }
}
