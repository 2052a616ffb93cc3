use std::fmt::{Display, Write as _};
use std::time::Duration;

/// The type of a metric.
#[derive(Clone, Copy, Debug)]
enum MetricType {
    Counter,
    Gauge,
    Histogram,
}

/// A page of metrics in Prometheus' text format, version 0.0.4.
///
/// Names, help and labels are constants of this program, so they need no escaping. They contain no data of a peer.
#[derive(Debug, Default)]
pub(crate) struct Exposition {
    text: String,
}

impl Exposition {
    pub(crate) const CONTENT_TYPE: &str = "text/plain; version=0.0.4; charset=utf-8";

    /// Adds a counter. Its name must end in `_total`.
    pub(crate) fn counter(&mut self, name: &str, help: &str, value: u64) {
        self.counters(name, help, [([], value)]);
    }

    /// Adds a counter for each set of labels.
    pub(crate) fn counters<'a, const N: usize>(
        &mut self,
        name: &str,
        help: &str,
        samples: impl IntoIterator<Item = ([(&'a str, &'a str); N], u64)>,
    ) {
        self.header(name, help, MetricType::Counter);
        samples.into_iter().for_each(|(labels, value)| self.sample(name, &labels, value));
    }

    /// Adds a gauge.
    pub(crate) fn gauge(&mut self, name: &str, help: &str, value: impl Display) {
        self.gauges(name, help, [([], value)]);
    }

    /// Adds a gauge for each set of labels.
    pub(crate) fn gauges<'a, const N: usize>(
        &mut self,
        name: &str,
        help: &str,
        samples: impl IntoIterator<Item = ([(&'a str, &'a str); N], impl Display)>,
    ) {
        self.header(name, help, MetricType::Gauge);
        samples.into_iter().for_each(|(labels, value)| self.sample(name, &labels, value));
    }

    /// Adds a histogram.
    pub(crate) fn histogram(&mut self, name: &str, help: &str, histogram: &Histogram) {
        self.header(name, help, MetricType::Histogram);
        let bucket = format!("{name}_bucket");
        for (bound, count) in BUCKETS.iter().zip(&histogram.buckets) {
            self.sample(&bucket, &[("le", &bound.to_string())], count);
        }
        self.sample(&bucket, &[("le", "+Inf")], histogram.count);
        self.sample(&format!("{name}_sum"), &[], histogram.sum);
        self.sample(&format!("{name}_count"), &[], histogram.count);
    }

    pub(crate) fn into_text(self) -> String {
        self.text
    }

    fn header(&mut self, name: &str, help: &str, kind: MetricType) {
        let kind = match kind {
            MetricType::Counter => "counter",
            MetricType::Gauge => "gauge",
            MetricType::Histogram => "histogram",
        };
        // Writing to memory cannot fail.
        _ = writeln!(self.text, "# HELP {name} {help}\n# TYPE {name} {kind}");
    }

    fn sample(&mut self, name: &str, labels: &[(&str, &str)], value: impl Display) {
        let labels: Vec<_> = labels.iter().map(|(label, value)| format!("{label}=\"{value}\"")).collect();
        let labels = if labels.is_empty() { String::new() } else { format!("{{{}}}", labels.join(",")) };
        _ = writeln!(self.text, "{name}{labels} {value}");
    }
}

/// The upper bounds of the buckets, in seconds.
const BUCKETS: [f64; 12] = [0.005, 0.01, 0.02, 0.03, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.5, 1.0];

/// A histogram of observed durations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Histogram {
    /// The number of observations up to each bound.
    buckets: [u64; BUCKETS.len()],
    count: u64,
    /// The sum of all observations, in seconds.
    sum: f64,
}

impl Histogram {
    pub(crate) fn observe(&mut self, time: Duration) {
        let seconds = time.as_secs_f64();
        for (bound, count) in BUCKETS.iter().zip(&mut self.buckets) {
            *count = count.saturating_add((seconds <= *bound).into());
        }
        self.count = self.count.saturating_add(1);
        self.sum += seconds;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_metric_has_its_help_and_type_before_its_samples() {
        let mut page = Exposition::default();
        page.counters("packets_total", "Packets.", [([("reason", "busy")], 3), ([("reason", "closed")], 0)]);
        page.gauge("time_seconds", "A time.", 1.5);
        let expected = "\
            # HELP packets_total Packets.\n\
            # TYPE packets_total counter\n\
            packets_total{reason=\"busy\"} 3\n\
            packets_total{reason=\"closed\"} 0\n\
            # HELP time_seconds A time.\n\
            # TYPE time_seconds gauge\n\
            time_seconds 1.5\n";
        assert_eq!(page.into_text(), expected);
    }

    #[test]
    fn the_buckets_of_a_histogram_count_all_times_up_to_their_bound() {
        let mut times = Histogram::default();
        for millis in [0, 5, 80, 250, 7_000] {
            times.observe(Duration::from_millis(millis));
        }
        let mut page = Exposition::default();
        page.histogram("trip_seconds", "Trips.", &times);
        let page = page.into_text();
        for line in [
            "# TYPE trip_seconds histogram",
            "trip_seconds_bucket{le=\"0.005\"} 2",
            "trip_seconds_bucket{le=\"0.1\"} 3",
            "trip_seconds_bucket{le=\"1\"} 4",
            "trip_seconds_bucket{le=\"+Inf\"} 5",
            "trip_seconds_sum 7.335",
            "trip_seconds_count 5",
        ] {
            assert!(page.lines().any(|found| found == line), "{line}: {page}");
        }
    }
}
