//! The figures of the last two minutes, for charts.

use std::cmp::Reverse;
use std::collections::VecDeque;

use super::conversation::Conversation;

/// Maximum number of samples.
const MAX_SAMPLES: usize = 120;
/// Maximum number of conversations in a sample: those that were active last.
const MAX_CONVERSATIONS: usize = 200;

/// The latest samples of a source, oldest first.
pub(super) type Samples = VecDeque<Sample>;

/// The figures of a source at a time.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    /// Nanoseconds since 1970.
    pub(crate) time: i64,
    /// The figures of all conversations together, with the number 0.
    pub(crate) total: Figures,
    pub(crate) conversations: Vec<Figures>,
}

/// The figures of a conversation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Figures {
    /// Number of the conversation.
    pub(crate) number: u64,
    /// Number of packets to the server.
    pub(crate) up: u64,
    /// Number of packets to the client.
    pub(crate) down: u64,
    pub(crate) lost: u64,
    pub(crate) resent: u64,
    /// The round trip in nanoseconds; of several conversations, its mean.
    pub(crate) round_trip: Option<i64>,
}

impl Figures {
    fn of(known: &Conversation) -> Self {
        let (to_server, to_client) = (known.to_server, known.to_client);
        Self {
            number: known.number,
            up: to_server.packets,
            down: to_client.packets,
            lost: to_server.lost.saturating_add(to_client.lost),
            resent: to_server.resent.saturating_add(to_client.resent),
            round_trip: known.round_trip.filter(|_| !known.progress.is_over()),
        }
    }

    fn add(&mut self, other: &Self) {
        self.up = self.up.saturating_add(other.up);
        self.down = self.down.saturating_add(other.down);
        self.lost = self.lost.saturating_add(other.lost);
        self.resent = self.resent.saturating_add(other.resent);
    }
}

impl Sample {
    /// Returns the figures of conversations at a time.
    pub(super) fn of<'a>(time: i64, all: impl Iterator<Item = &'a Conversation>) -> Self {
        let mut total = Figures::default();
        let mut trips = (0_i64, 0_i64);
        let mut latest: Vec<_> = all.collect();
        for known in &latest {
            let figures = Figures::of(known);
            total.add(&figures);
            if let Some(trip) = figures.round_trip {
                trips = (trips.0.saturating_add(trip), trips.1.saturating_add(1));
            }
        }
        total.round_trip = trips.0.checked_div(trips.1);
        latest.sort_by_key(|known| Reverse(known.times.1));
        latest.truncate(MAX_CONVERSATIONS);
        Self { time, total, conversations: latest.into_iter().map(Figures::of).collect() }
    }
}

/// Adds a sample, and drops the oldest if there are too many.
pub(super) fn push(samples: &mut Samples, sample: Sample) {
    if samples.len() >= MAX_SAMPLES {
        samples.pop_front();
    }
    samples.push_back(sample);
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that panics fails")]
mod tests {
    use super::super::source::tests::info;
    use super::*;

    #[test]
    fn a_sample_has_the_conversations_that_were_active_last() {
        let mut samples = Samples::new();
        for time in 0..300 {
            let conversations: Vec<_> = (1..=300)
                .map(|number| {
                    let mut known = Conversation::new(number, &info(number));
                    known.to_server.packets = number;
                    known.times.1 = i64::try_from(number).unwrap();
                    known.round_trip = (number > 298).then_some(known.times.1);
                    known
                })
                .collect();
            push(&mut samples, Sample::of(time, conversations.iter()));
        }
        assert_eq!((samples.len(), samples[0].time), (120, 180));
        let Sample { total, conversations, .. } = samples.back().unwrap();
        assert_eq!(
            (total.up, total.round_trip),
            (45_150, Some(299)),
            "the mean of 299 and 300, rounded down"
        );
        assert_eq!((conversations.len(), conversations[199].number), (200, 101));
    }
}
