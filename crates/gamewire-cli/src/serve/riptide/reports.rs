use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use gamewire_net::blocking::Driver;
use gamewire_riptide::server::Server;

use super::agones::Agones;
use super::page::Figures;
use super::stats::RelayStats;
use super::status::StatusScreen;
use crate::metrics::{Histogram, MetricsServer};

const INTERVAL: Duration = Duration::from_secs(1);

/// The reports of a relay, once per second: its figures on the terminal and as metrics, and that its loop runs.
#[derive(Debug)]
pub(super) struct Reports {
    metrics: Option<MetricsServer>,
    agones: Option<Agones>,
    status: Option<StatusScreen>,
    round_trips: Histogram,
    start_time: f64,
    /// The time of the last report; `None` before the first one.
    at: Option<Instant>,
}

impl Reports {
    pub(super) fn begin(
        metrics: Option<MetricsServer>,
        agones: Option<Agones>,
        status: Option<StatusScreen>,
    ) -> Self {
        let start_time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64();
        Self { metrics, agones, status, round_trips: Histogram::default(), start_time, at: None }
    }

    pub(super) fn are_due(&self) -> bool {
        self.due_at().is_none_or(|at| at <= Instant::now())
    }

    /// Returns the time of the next report; `None` before the first one, which is due.
    pub(super) fn due_at(&self) -> Option<Instant> {
        self.at?.checked_add(INTERVAL)
    }

    pub(super) fn update(&mut self, host: &Driver<Server>, relay: &RelayStats) {
        self.at = Some(Instant::now());
        let (server, sockets) = (host.machine(), host.stats());
        if let Some(metrics) = &self.metrics {
            server
                .clients()
                .filter_map(|client| client.smooth_rtt())
                .for_each(|time| self.round_trips.observe(time));
            let (round_trips, start_time) = (&self.round_trips, self.start_time);
            let page = Figures { server, sockets, relay, round_trips, start_time }.page();
            metrics.publish(page, server.accepts_clients());
        }
        if let Some(agones) = &self.agones {
            agones.loop_runs();
        }
        if let Some(status) = &mut self.status {
            status.show(server, sockets, relay);
        }
    }
}
