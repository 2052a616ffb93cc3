use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use gamewire_net::blocking::Driver;
use gamewire_riptide::server::Server;
use prometheus_client::collector::Collector;
use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric as _};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;
use prometheus_client::registry::{Registry, Unit};

use super::stats::RelayStats;
use crate::metrics::MetricsPage;

/// What the server shows of itself: counters since its start, and the present.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Figures {
    pub(super) totals: RelayStats,
    pub(super) socket: gamewire_net::Stats,
    /// Clients at present.
    pub(super) clients: u64,
    pub(super) half_open: u64,
    pub(super) round_trips: RoundTrips,
}

/// Smoothed round trips of the clients at present; zero without clients.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RoundTrips {
    pub(super) median: Duration,
    pub(super) worst: Duration,
}

impl Figures {
    pub(super) fn of(totals: &RelayStats, host: &Driver<Server>) -> Self {
        let server = host.machine();
        let mut trips: Vec<Duration> = server.clients().filter_map(|client| client.smooth_rtt()).collect();
        trips.sort_unstable();
        let count = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
        Self {
            totals: RelayStats {
                rejected_full: server.rejected_full(),
                rate_limited: server.relay_dropped(),
                deferred: server.relay_deferred(),
                ..*totals
            },
            socket: *host.stats(),
            clients: count(server.client_count()),
            half_open: count(server.half_open_count()),
            round_trips: RoundTrips {
                median: trips.get(trips.len() / 2).copied().unwrap_or_default(),
                worst: trips.last().copied().unwrap_or_default(),
            },
        }
    }

    /// Returns the bytes received over both transports.
    pub(super) const fn received_bytes(&self) -> u64 {
        self.socket.received.bytes.saturating_add(self.socket.streams.received_bytes)
    }

    /// Returns the bytes sent over both transports.
    pub(super) const fn sent_bytes(&self) -> u64 {
        self.socket.sent.bytes.saturating_add(self.socket.streams.sent_bytes)
    }
}

/// The latest figures, which the server replaces and the page of the metrics shows.
#[derive(Clone, Debug)]
pub(super) struct SharedFigures(Arc<Mutex<Figures>>);

impl SharedFigures {
    pub(super) fn new() -> Self {
        Self(Arc::default())
    }

    pub(super) fn set(&self, figures: Figures) {
        *self.lock() = figures;
    }

    fn lock(&self) -> MutexGuard<'_, Figures> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the page of the metrics.
    pub(super) fn page(&self) -> MetricsPage {
        let mut registry = Registry::with_prefix("gamewire_riptide");
        let start = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        registry.register_collector(Box::new(FiguresCollector { latest: self.clone(), start }));
        Arc::new(move || {
            let mut page = String::new();
            // Writing to memory cannot fail.
            _ = encode(&mut page, &registry);
            page
        })
    }
}

#[derive(Debug)]
struct FiguresCollector {
    latest: SharedFigures,
    /// Time of the start since 1970.
    start: Duration,
}

impl Collector for FiguresCollector {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let figures = *self.latest.lock();
        let Figures { totals, socket, clients, half_open, round_trips } = &figures;
        let gauges = [
            ("clients", "Clients at present", *clients),
            ("clients_peak", "Maximum number of clients at the same time", totals.peak_clients),
            ("half_open_connections", "Connections that are not established yet", *half_open),
        ];
        for (name, help, value) in gauges {
            let metric = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
            ConstGauge::new(i64::try_from(value).unwrap_or(i64::MAX)).encode(metric)?;
        }
        let counters = [
            ("connections", "Clients that connected", totals.clients),
            ("connections_rejected", "Connection requests that were rejected for their data", totals.refused),
            ("connections_rejected_full", "Connection requests to the full server", totals.rejected_full),
            ("connections_failed", "Connections that were not established", totals.failed),
            ("messages_received", "Messages of clients", totals.messages),
            ("messages_relayed", "Messages of clients that were relayed", totals.relayed),
            ("messages_echoed", "Messages that were sent back", totals.echoed),
            (
                "messages_untranslated",
                "Messages that some clients did not receive, because they could not be translated",
                totals.untranslated,
            ),
            ("relay_dropped", "Unreliable and notify messages over the relay budget", totals.rate_limited),
            ("relay_deferred", "Reliable packets over the relay budget, which come again", totals.deferred),
            ("received_datagrams", "Datagrams received", socket.received.datagrams),
            ("sent_datagrams", "Datagrams sent", socket.sent.datagrams),
            ("rejected_datagrams", "Datagrams that are no packets of a client", socket.rejected),
            ("dropped_datagrams", "Datagrams that could not be sent", socket.dropped),
            ("streams", "TCP streams that were opened", socket.streams.opened),
            ("socket_errors", "Errors of the UDP socket", socket.errors.total()),
        ];
        for (name, help, value) in counters {
            let metric = encoder.encode_descriptor(name, help, None, MetricType::Counter)?;
            ConstCounter::new(value).encode(metric)?;
        }
        let bytes = [
            ("received", "Bytes received over UDP and TCP", figures.received_bytes()),
            ("sent", "Bytes sent over UDP and TCP", figures.sent_bytes()),
        ];
        for (name, help, value) in bytes {
            let metric = encoder.encode_descriptor(name, help, Some(&Unit::Bytes), MetricType::Counter)?;
            ConstCounter::new(value).encode(metric)?;
        }
        let help = "Smoothed round trips of the clients at present";
        let mut metric =
            encoder.encode_descriptor("round_trip", help, Some(&Unit::Seconds), MetricType::Gauge)?;
        for (quantile, value) in [("0.5", round_trips.median), ("1", round_trips.worst)] {
            let labels = [("quantile", quantile)];
            ConstGauge::new(value.as_secs_f64()).encode(metric.encode_family(&labels)?)?;
        }
        let help = "Time of the start since 1970";
        let metric =
            encoder.encode_descriptor("start_time", help, Some(&Unit::Seconds), MetricType::Gauge)?;
        ConstGauge::new(self.start.as_secs_f64()).encode(metric)?;
        let mut metric =
            encoder.encode_descriptor("build", "Version of the program", None, MetricType::Gauge)?;
        ConstGauge::new(1_i64).encode(metric.encode_family(&[("version", env!("CARGO_PKG_VERSION"))])?)
    }
}
