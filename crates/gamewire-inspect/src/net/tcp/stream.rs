//! One direction of a connection.

use std::collections::BTreeMap;

use super::event::{ReassemblyLimits, TcpEvent};
use crate::net::payload::Segment;

/// Position of the first byte. Positions do not wrap, and older segments have smaller ones.
const ORIGIN: u64 = 1 << 32;

/// The end of a direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StreamEnd {
    Finished,
    Reset,
}

/// One direction: its delivered and buffered bytes, and its end.
#[derive(Debug)]
pub(super) struct Stream {
    /// Position of the next byte to deliver.
    next: u64,
    /// Sequence number at `next`.
    next_seq: u32,
    /// Sequence number of the first byte.
    pub(super) first_seq: u32,
    /// Bytes that arrived ahead of `next`, by position. The ranges do not overlap.
    waiting: BTreeMap<u64, Box<[u8]>>,
    /// Bytes in `waiting`, as [`ReassemblyLimits`] counts them.
    pub(super) buffered: usize,
    end: Option<(u64, StreamEnd)>,
    /// True if all bytes up to the end were delivered or skipped.
    pub(super) ended: bool,
    /// Time when bytes were last delivered, or the first byte was buffered.
    progress: i64,
}

impl Stream {
    /// Returns a direction in which the first byte has the sequence number `seq`.
    pub(super) fn new(seq: u32, time: i64) -> Self {
        Self {
            next: ORIGIN,
            next_seq: seq,
            first_seq: seq,
            waiting: BTreeMap::new(),
            buffered: 0,
            end: None,
            ended: false,
            progress: time,
        }
    }

    /// Adds a segment and delivers the bytes that are in order.
    pub(super) fn push(
        &mut self,
        time: i64,
        limits: &ReassemblyLimits,
        segment: &Segment<'_>,
        deliver: &mut dyn FnMut(TcpEvent<'_>),
    ) {
        if self.ended {
            return;
        }
        if !self.is_waiting() {
            self.progress = time;
        }
        let start = self.byte_position(segment.seq.wrapping_add(u32::from(segment.flags.syn)));
        self.note_end(start, segment);
        let before = self.next;
        self.insert(start, segment.data, deliver);
        self.drain(deliver);
        if self.next != before {
            self.progress = time;
        }
        let pause = time.saturating_sub(self.progress);
        let is_late = u64::try_from(pause).is_ok_and(|pause| pause > limits.gap_timeout_ns);
        if is_late && self.is_waiting() {
            self.skip_gap(deliver);
            self.progress = time;
        }
        while self.buffered > limits.per_direction && self.skip_gap(deliver) {}
    }

    /// Returns the position of a sequence number: the one nearest to the next byte.
    fn byte_position(&self, seq: u32) -> u64 {
        let distance = seq.wrapping_sub(self.next_seq).cast_signed();
        self.next.saturating_add_signed(i64::from(distance))
    }

    /// Records the end of the direction. Only the first end counts, unless a reset precedes it.
    fn note_end(&mut self, start: u64, segment: &Segment<'_>) {
        let flags = segment.flags;
        let (at, kind) = match (flags.rst, flags.fin) {
            // The payload of an RST is not part of the stream.
            (true, _) => (start, StreamEnd::Reset),
            (false, true) => (start.saturating_add(segment.wire_len as u64), StreamEnd::Finished),
            (false, false) => return,
        };
        if at < self.next {
            return;
        }
        // An RST at or before a known end replaces it.
        let sooner = self.end.is_none_or(|(known, _)| kind == StreamEnd::Reset && at <= known);
        if sooner {
            self.end = Some((at, kind));
        }
    }

    /// Delivers or buffers the new bytes of `data`. Its first byte has the position `start`.
    fn insert(&mut self, start: u64, data: &[u8], deliver: &mut dyn FnMut(TcpEvent<'_>)) {
        let limit = self.end.map_or(u64::MAX, |(at, _)| at);
        let stop = start.saturating_add(data.len() as u64).min(limit);
        let mut at = start.max(self.next);
        while at < stop {
            let covered_until =
                self.waiting.range(..=at).next_back().map(|(&from, kept)| span_end(from, kept));
            if let Some(until) = covered_until.filter(|&until| until > at) {
                at = until;
                continue;
            }
            let gap_end = self.waiting.range(at..).next().map_or(stop, |(&from, _)| from.min(stop));
            let piece = slice(data, at.saturating_sub(start), gap_end.saturating_sub(start));
            if at == self.next {
                deliver(TcpEvent::Data(piece));
                self.advance(gap_end);
                self.drain(deliver);
            } else {
                self.buffered = self.buffered.saturating_add(cost(piece));
                self.waiting.insert(at, piece.into());
            }
            at = gap_end.max(self.next);
        }
    }

    /// Delivers the buffered bytes that are in order, and the end if it is reached.
    fn drain(&mut self, deliver: &mut dyn FnMut(TcpEvent<'_>)) {
        while let Some(first) = self.waiting.first_entry() {
            if *first.key() != self.next {
                break;
            }
            let (from, kept) = first.remove_entry();
            self.buffered = self.buffered.saturating_sub(cost(&kept));
            deliver(TcpEvent::Data(&kept));
            self.advance(span_end(from, &kept));
        }
        let Some((_, kind)) = self.end.filter(|&(at, _)| at <= self.next && !self.ended) else { return };
        self.close();
        deliver(match kind {
            StreamEnd::Finished => TcpEvent::Finished,
            StreamEnd::Reset => TcpEvent::Reset,
        });
    }

    /// Returns whether bytes or the end wait for missing bytes.
    fn is_waiting(&self) -> bool {
        !self.ended && (!self.waiting.is_empty() || self.end.is_some())
    }

    /// Skips the first missing bytes. Returns false if there are none.
    pub(super) fn skip_gap(&mut self, deliver: &mut dyn FnMut(TcpEvent<'_>)) -> bool {
        if !self.is_waiting() {
            return false;
        }
        let waiting = self.waiting.first_key_value().map(|(&from, _)| from);
        let end = self.end.map(|(at, _)| at);
        let Some(target) = waiting.into_iter().chain(end).min() else { return false };
        let bytes = target.saturating_sub(self.next);
        if bytes > 0 {
            deliver(TcpEvent::Gap { bytes });
        }
        self.advance(target);
        self.drain(deliver);
        true
    }

    /// Skips all missing bytes and delivers all buffered ones.
    pub(super) fn flush(&mut self, deliver: &mut dyn FnMut(TcpEvent<'_>)) {
        while self.skip_gap(deliver) {}
    }

    /// Ends the direction at its current position.
    pub(super) fn close(&mut self) {
        self.ended = true;
        self.waiting.clear();
        self.buffered = 0;
    }

    fn advance(&mut self, position: u64) {
        let distance = position.saturating_sub(self.next);
        // Sequence numbers are the low 32 bits of a count.
        let low = u32::try_from(distance & u64::from(u32::MAX)).unwrap_or(0);
        self.next_seq = self.next_seq.wrapping_add(low);
        self.next = position;
    }
}

fn span_end(from: u64, kept: &[u8]) -> u64 {
    from.saturating_add(kept.len() as u64)
}

fn cost(piece: &[u8]) -> usize {
    piece.len().saturating_add(ReassemblyLimits::SEGMENT_OVERHEAD)
}

fn slice(data: &[u8], from: u64, to: u64) -> &[u8] {
    match (usize::try_from(from), usize::try_from(to)) {
        (Ok(from), Ok(to)) => data.get(from..to).unwrap_or_default(),
        _ => &[],
    }
}
