//! Two machines over a stream in virtual time.

use core::convert::Infallible;
use core::num::NonZeroUsize;
use core::time::Duration;
use std::net::SocketAddr;

use gamewire_machine::{Instant, Machine, StreamId, StreamOutput, Wake};
use gamewire_sim::{StreamConditions, StreamNetwork};

/// Sends its lines immediately, stores received bytes, and closes the stream on a zero byte.
#[derive(Default)]
struct Speaker {
    says: Vec<u8>,
    heard: Vec<u8>,
    pieces: usize,
    is_over: bool,
    is_told_over: bool,
    stream: Option<StreamId>,
    has_failed: bool,
    deadline: Option<Instant>,
}

impl Machine for Speaker {
    type Event = &'static str;
    type DatagramError = Infallible;

    fn handle_timeout(&mut self, now: Instant) {
        if self.deadline.is_some_and(|at| at <= now) {
            self.deadline = None;
            self.says.extend_from_slice(b"late");
        }
    }

    fn poll_timeout(&self) -> Option<Wake> {
        self.deadline.map(|at| Wake { at, reason: "speak" })
    }

    fn poll_event(&mut self) -> Option<&'static str> {
        let is_news = self.is_over && !self.is_told_over;
        self.is_told_over |= is_news;
        is_news.then_some("closed")
    }

    fn handle_open(&mut self, _: Instant, stream: StreamId, _: SocketAddr) {
        self.stream = Some(stream);
    }

    fn handle_bytes(&mut self, _: Instant, _: StreamId, data: &[u8]) {
        self.heard.extend_from_slice(data);
        self.pieces = self.pieces.saturating_add(1);
        self.has_failed |= data.contains(&0);
        self.is_over |= self.has_failed;
    }

    fn handle_close(&mut self, _: Instant, _: StreamId) {
        self.stream = None;
        self.is_over = true;
    }

    fn poll_stream(&mut self, _: Instant, buffer: &mut Vec<u8>) -> Option<StreamOutput> {
        if self.says.is_empty() {
            return self.stream.take_if(|_| self.has_failed).map(StreamOutput::Close);
        }
        buffer.append(&mut self.says);
        self.stream.map(StreamOutput::Write)
    }
}

/// A server, and a client that sends immediately.
struct Pair(StreamNetwork<Speaker, Speaker>);

impl Pair {
    fn first(&self) -> &Speaker {
        self.0.client(0).unwrap()
    }

    fn first_mut(&mut self) -> &mut Speaker {
        self.0.caller_mut(0).unwrap()
    }

    fn second(&self) -> &Speaker {
        self.0.host()
    }

    fn second_mut(&mut self) -> &mut Speaker {
        self.0.host_mut()
    }

    fn run_for(&mut self, time: Duration) {
        self.0.run_for(time).unwrap();
    }
}

fn pair(conditions: StreamConditions, seed: u64) -> Pair {
    let mut network = StreamNetwork::new(Speaker::default(), conditions, seed);
    network.connect(Speaker { says: (1..=200).collect(), ..Speaker::default() });
    Pair(network)
}

#[test]
fn all_bytes_arrive_in_order_wherever_they_are_cut() {
    let longest = |count| StreamConditions {
        max_segment: NonZeroUsize::new(count).unwrap(),
        ..StreamConditions::PERFECT
    };
    for conditions in [StreamConditions::PERFECT, StreamConditions::BYTE_BY_BYTE, longest(7)] {
        let mut pair = pair(conditions, 1);
        pair.run_for(Duration::ZERO);
        assert_eq!(pair.second().heard, (1..=200).collect::<Vec<u8>>());
        assert!(pair.second().pieces >= 200 / conditions.max_segment.get());
    }
    let cuts = |seed| {
        let mut pair = pair(longest(50), seed);
        pair.run_for(Duration::ZERO);
        pair.second().pieces
    };
    assert_eq!(cuts(1), cuts(1));
    assert!((2..20).any(|seed| cuts(seed) != cuts(1)));
}

#[test]
fn bytes_are_delayed_and_the_end_arrives_after_them() {
    let slow = StreamConditions {
        delay: Duration::from_millis(40),
        jitter: Duration::from_millis(20),
        ..StreamConditions::PERFECT
    };
    let mut pair = pair(slow, 2);
    pair.run_for(Duration::ZERO);
    pair.0.shutdown(0);
    pair.run_for(Duration::from_millis(39));
    assert!(pair.second().heard.is_empty());
    pair.run_for(Duration::from_millis(21));
    assert_eq!((pair.second().heard.len(), pair.second().is_over), (200, true));
    assert_eq!((pair.0.take_events(0), pair.0.take_host_events()), (vec![], vec!["closed"]));
    // A stream ends in both directions.
    pair.second_mut().says = b"bye".to_vec();
    pair.run_for(Duration::from_secs(1));
    assert!(pair.first().heard.is_empty());
}

#[test]
fn a_failed_machine_stops_reading_and_its_stream_is_closed() {
    let mut pair = pair(StreamConditions::PERFECT, 3);
    pair.run_for(Duration::ZERO);
    pair.second_mut().says = vec![5, 0];
    pair.run_for(Duration::ZERO);
    assert!(pair.first().has_failed && !pair.second().has_failed);
    assert!(pair.second().is_over);
    let heard = pair.first().heard.len();
    pair.second_mut().says = vec![1];
    pair.run_for(Duration::from_secs(1));
    assert_eq!(pair.first().heard.len(), heard);
}

#[test]
fn timers_fire_in_virtual_time() {
    let mut pair = pair(StreamConditions::PERFECT, 4);
    pair.first_mut().deadline = Some(Instant::from_micros(2_000_000));
    pair.run_for(Duration::from_millis(1_999));
    assert_eq!(pair.second().heard.len(), 200);
    pair.run_for(Duration::from_millis(1));
    assert!(pair.second().heard.ends_with(b"late"));
    assert_eq!(pair.0.now(), Instant::from_micros(2_000_000));
}
