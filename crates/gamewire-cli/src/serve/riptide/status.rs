use std::time::{Duration, Instant};

use indicatif::{HumanBytes, HumanDuration};

use super::figures::Figures;

/// The lines above the prompt: the present, and rates since they were last drawn.
pub(super) struct Status {
    start: Instant,
    last: Option<(Instant, Figures)>,
}

impl Status {
    pub(super) fn new() -> Self {
        Self { start: Instant::now(), last: None }
    }

    /// Returns the lines at the time `now`.
    pub(super) fn lines(&mut self, figures: &Figures, max_clients: u16, now: Instant) -> Vec<String> {
        let (before_at, before) =
            self.last.replace((now, *figures)).unwrap_or_else(|| (self.start, Figures::default()));
        let time = now.saturating_duration_since(before_at);
        let rate =
            |count: fn(&Figures) -> u64| per_second(count(figures).saturating_sub(count(&before)), time);
        let bytes = |count| format!("{}/s", HumanBytes(rate(count)));
        let mut second = format!(
            "up {}, {} clients at most; round trip {} ms, at most {} ms",
            HumanDuration(now.saturating_duration_since(self.start)),
            figures.totals.peak_clients,
            figures.round_trips.median.as_millis(),
            figures.round_trips.worst.as_millis(),
        );
        let held_back = [
            (figures.totals.rate_limited, "dropped by the relay budget"),
            (figures.totals.deferred, "deferred by it"),
        ];
        for (count, what) in held_back.into_iter().filter(|(count, _)| *count > 0) {
            second += &format!("; {count} {what}");
        }
        vec![
            format!(
                "{} of {max_clients} clients; {} messages/s, {} relayed/s; in {}, out {}",
                figures.clients,
                rate(|figures| figures.totals.messages),
                rate(|figures| figures.totals.relayed),
                bytes(Figures::received_bytes),
                bytes(Figures::sent_bytes),
            ),
            second,
        ]
    }
}

fn per_second(count: u64, time: Duration) -> u64 {
    let millis = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    count.saturating_mul(1000).checked_div(millis).unwrap_or_default()
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "a test that panics fails")]
mod tests {
    use super::*;

    #[test]
    fn rates_are_those_since_the_last_time() {
        let mut status = Status::new();
        let mut figures = Figures { clients: 3, ..Figures::default() };
        figures.totals.messages = 500;
        let now = status.start + Duration::from_secs(5);
        assert!(
            status.lines(&figures, 10, now)[0].starts_with("3 of 10 clients; 100 messages/s, 0 relayed/s")
        );
        figures.totals.messages = 530;
        (figures.totals.relayed, figures.socket.sent.bytes, figures.totals.deferred) = (20, 4096, 7);
        let lines = status.lines(&figures, 10, now + Duration::from_secs(2));
        assert_eq!(lines[0], "3 of 10 clients; 15 messages/s, 10 relayed/s; in 0 B/s, out 2.00 KiB/s");
        assert!(
            lines[1].starts_with("up 7 seconds, 0 clients at most")
                && lines[1].ends_with("; 7 deferred by it")
        );
    }
}
