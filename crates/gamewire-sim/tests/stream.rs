//! Two machines over a stream in virtual time.

use core::fmt;
use core::num::NonZeroUsize;
use core::time::Duration;

use gamewire_machine::{ConversationSide, Instant, Machine, Stream, Wake};
use gamewire_sim::{StreamConditions, StreamPair};

/// Says its lines at once, keeps what it is told, and cannot bear a zero byte.
#[derive(Default)]
struct Speaker {
    says: Vec<u8>,
    heard: Vec<u8>,
    pieces: usize,
    is_over: bool,
    is_told_over: bool,
    deadline: Option<Instant>,
}

#[derive(Debug, PartialEq)]
struct Zero;

impl fmt::Display for Zero {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a zero byte")
    }
}

impl core::error::Error for Zero {}

impl Machine for Speaker {
    type Event = &'static str;

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
}

impl Stream for Speaker {
    type Error = Zero;

    fn handle_bytes(&mut self, _: Instant, data: &[u8]) -> Result<(), Zero> {
        self.heard.extend_from_slice(data);
        self.pieces = self.pieces.saturating_add(1);
        self.is_over |= data.contains(&0);
        if data.contains(&0) { Err(Zero) } else { Ok(()) }
    }

    fn handle_eof(&mut self, _: Instant) {
        self.is_over = true;
    }

    fn poll_write(&mut self, _: Instant, buffer: &mut Vec<u8>) -> bool {
        buffer.append(&mut self.says);
        false
    }
}

fn pair(conditions: StreamConditions, seed: u64) -> StreamPair<Speaker, Speaker> {
    let speaker = Speaker { says: (1..=200).collect(), ..Speaker::default() };
    StreamPair::new(speaker, Speaker::default(), conditions, seed)
}

#[test]
fn all_bytes_arrive_in_order_wherever_they_are_cut() {
    let longest = |count| StreamConditions {
        max_segment: NonZeroUsize::new(count).unwrap(),
        ..StreamConditions::PERFECT
    };
    for conditions in [StreamConditions::PERFECT, StreamConditions::BYTE_BY_BYTE, longest(7)] {
        let mut pair = pair(conditions, 1);
        pair.run_for(Duration::ZERO).unwrap();
        assert_eq!(pair.second().heard, (1..=200).collect::<Vec<u8>>());
        assert!(pair.second().pieces >= 200 / conditions.max_segment.get());
    }
    let cuts = |seed| {
        let mut pair = pair(longest(50), seed);
        pair.run_for(Duration::ZERO).unwrap();
        pair.second().pieces
    };
    assert_eq!(cuts(1), cuts(1));
    assert!((2..20).any(|seed| cuts(seed) != cuts(1)));
}

#[test]
fn bytes_take_their_time_and_the_end_comes_behind_them() {
    let slow = StreamConditions {
        delay: Duration::from_millis(40),
        jitter: Duration::from_millis(20),
        ..StreamConditions::PERFECT
    };
    let mut pair = pair(slow, 2);
    pair.run_for(Duration::ZERO).unwrap();
    pair.close(ConversationSide::First);
    pair.run_for(Duration::from_millis(39)).unwrap();
    assert!(pair.second().heard.is_empty());
    pair.run_for(Duration::from_millis(21)).unwrap();
    assert_eq!((pair.second().heard.len(), pair.second().is_over), (200, true));
    assert_eq!(pair.take_events(), (vec![], vec!["closed"]));
    // The other direction is still open.
    pair.second_mut().says = b"bye".to_vec();
    pair.run_for(Duration::from_secs(1)).unwrap();
    assert_eq!(pair.first().heard, b"bye");
}

#[test]
fn a_machine_that_fails_reads_no_more_and_its_peer_hears_the_end() {
    let mut pair = pair(StreamConditions::PERFECT, 3);
    pair.run_for(Duration::ZERO).unwrap();
    pair.second_mut().says = vec![5, 0];
    pair.run_for(Duration::ZERO).unwrap();
    assert_eq!(pair.errors(), (Some(&Zero), None));
    assert!(pair.second().is_over);
    let heard = pair.first().heard.len();
    pair.second_mut().says = vec![1];
    pair.run_for(Duration::from_secs(1)).unwrap();
    assert_eq!(pair.first().heard.len(), heard);
}

#[test]
fn timers_fire_in_virtual_time() {
    let mut pair = pair(StreamConditions::PERFECT, 4);
    pair.first_mut().deadline = Some(Instant::from_micros(2_000_000));
    pair.run_for(Duration::from_millis(1_999)).unwrap();
    assert_eq!(pair.second().heard.len(), 200);
    pair.run_for(Duration::from_millis(1)).unwrap();
    assert!(pair.second().heard.ends_with(b"late"));
    assert_eq!(pair.now(), Instant::from_micros(2_000_000));
}
