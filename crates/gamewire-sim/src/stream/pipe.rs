use core::num::NonZeroUsize;
use core::time::Duration;
use std::collections::VecDeque;

use fastrand::Rng;
use gamewire_machine::Instant;

/// The conditions of one direction of a stream. All bytes arrive in order, in pieces of any length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamConditions {
    /// Time that bytes take.
    pub delay: Duration,
    /// Maximum additional time.
    pub jitter: Duration,
    /// Maximum bytes of a piece that arrives at a time. Pieces may be shorter.
    pub max_segment: NonZeroUsize,
}

impl StreamConditions {
    /// Bytes arrive immediately, in pieces of up to 64 KiB.
    pub const PERFECT: Self = Self {
        delay: Duration::ZERO,
        jitter: Duration::ZERO,
        max_segment: NonZeroUsize::MIN.saturating_add(65_535),
    };

    /// Each byte arrives alone.
    pub const BYTE_BY_BYTE: Self = Self { max_segment: NonZeroUsize::MIN, ..Self::PERFECT };
}

impl Default for StreamConditions {
    fn default() -> Self {
        Self::PERFECT
    }
}

/// One direction of a stream.
#[derive(Debug)]
pub(super) struct Pipe {
    pub(super) conditions: StreamConditions,
    random: Rng,
    bytes: VecDeque<u8>,
    /// Arrival times and numbers of bytes.
    arrivals: VecDeque<(Instant, usize)>,
    latest: Instant,
    /// Time before which nothing arrives.
    stalled: Instant,
    end: PipeEnd,
}

/// The state of a pipe's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PipeEnd {
    Open,
    /// The end arrives at this time, after all bytes.
    Coming(Instant),
    Reached,
}

/// An arrival at the end of a pipe.
pub(super) enum PipeEvent {
    Bytes,
    End,
}

impl Pipe {
    pub(super) fn new(conditions: StreamConditions, seed: u64) -> Self {
        Self {
            conditions,
            random: Rng::with_seed(seed),
            bytes: VecDeque::new(),
            arrivals: VecDeque::new(),
            latest: Instant::ZERO,
            stalled: Instant::ZERO,
            end: PipeEnd::Open,
        }
    }

    /// Sends bytes, unless the end was sent before.
    pub(super) fn push(&mut self, now: Instant, bytes: &[u8]) {
        if bytes.is_empty() || self.end != PipeEnd::Open {
            return;
        }
        let at = self.arrival(now);
        self.bytes.extend(bytes);
        self.arrivals.push_back((at, bytes.len()));
    }

    /// Sends the end. No bytes follow it.
    pub(super) fn end(&mut self, now: Instant) {
        if self.end == PipeEnd::Open {
            self.end = PipeEnd::Coming(self.arrival(now));
        }
    }

    /// Stops arrivals until `until`, as if the receiver did not read.
    pub(super) fn stall(&mut self, until: Instant) {
        self.stalled = self.stalled.max(until);
    }

    /// Drops all bytes in flight. The end arrives.
    pub(super) fn reset(&mut self, now: Instant) {
        self.bytes.clear();
        self.arrivals.clear();
        if self.end != PipeEnd::Reached {
            self.end = PipeEnd::Coming(now);
        }
    }

    /// Replaces the content of `piece` with the next piece that has arrived, or returns the end, once.
    pub(super) fn pop(&mut self, now: Instant, piece: &mut Vec<u8>) -> Option<PipeEvent> {
        if now < self.stalled {
            return None;
        }
        let have: usize = self.arrivals.iter().take_while(|(at, _)| *at <= now).map(|(_, count)| count).sum();
        if have > 0 {
            let count = self.random.usize(1..=have.min(self.conditions.max_segment.get()));
            piece.clear();
            piece.extend(self.bytes.drain(..count));
            self.arrived(count);
            return Some(PipeEvent::Bytes);
        }
        let is_reached = self.arrivals.is_empty() && matches!(self.end, PipeEnd::Coming(at) if at <= now);
        is_reached.then(|| {
            self.end = PipeEnd::Reached;
            PipeEvent::End
        })
    }

    /// Returns the time of the next arrival.
    pub(super) fn wake(&self) -> Option<Instant> {
        let at = match (self.arrivals.front(), self.end) {
            (Some((at, _)), _) => Some(*at),
            (None, PipeEnd::Coming(at)) => Some(at),
            (None, PipeEnd::Open | PipeEnd::Reached) => None,
        };
        at.map(|at| at.max(self.stalled))
    }

    fn arrived(&mut self, mut count: usize) {
        while let Some((_, first)) = self.arrivals.front_mut() {
            if *first > count {
                *first = first.saturating_sub(count);
                return;
            }
            count = count.saturating_sub(*first);
            self.arrivals.pop_front();
        }
    }

    fn arrival(&mut self, now: Instant) -> Instant {
        let jitter = u64::try_from(self.conditions.jitter.as_micros()).unwrap_or(u64::MAX);
        let jitter = Duration::from_micros(self.random.u64(..=jitter));
        self.latest = self.latest.max(now + self.conditions.delay + jitter);
        self.latest
    }
}
