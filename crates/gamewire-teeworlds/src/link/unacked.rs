use core::ops::Range;

use gamewire_machine::Instant;

use super::codec::{MAX_OUTSTANDING, in_backroom};

/// Additional bytes that the ring buffer of the games uses for each message, and the multiple to which it rounds up
/// (64-bit builds). With the same numbers, the buffer here is full at the same message.
const GAME_OVERHEAD: usize = 64;
const GAME_ROUNDING: usize = 24;

/// Bytes of a record before its message: two times of 8 bytes, sequence number and size of 2 bytes each. That is less
/// than the overhead of the games.
const HEADER: usize = 20;
/// Range of the second time in a record.
const LAST_SENT: Range<usize> = 8..16;
/// Capacity of the first allocation, in bytes.
const FIRST_CAPACITY: usize = 1024;

/// Vital messages that were queued and not acknowledged, oldest first, as contiguous records in one buffer.
#[derive(Debug, Default)]
pub(super) struct Unacked {
    bytes: Vec<u8>,
    /// Start of the oldest record. Records before it are acknowledged.
    start: usize,
    count: usize,
    /// Bytes that the records would use in the ring buffer of the games.
    game_bytes: usize,
}

/// A record without its message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Record {
    /// Time when it was queued.
    pub(super) first_sent: Instant,
    /// Time when it was last queued.
    pub(super) last_sent: Instant,
    pub(super) sequence: u16,
    size: u16,
}

impl Record {
    fn decode(bytes: &[u8]) -> Option<Self> {
        let (first_sent, bytes) = bytes.split_first_chunk()?;
        let (last_sent, bytes) = bytes.split_first_chunk()?;
        let (sequence, bytes) = bytes.split_first_chunk()?;
        Some(Self {
            first_sent: Instant::from_micros(u64::from_le_bytes(*first_sent)),
            last_sent: Instant::from_micros(u64::from_le_bytes(*last_sent)),
            sequence: u16::from_le_bytes(*sequence),
            size: u16::from_le_bytes(*bytes.first_chunk()?),
        })
    }

    fn length(self) -> usize {
        HEADER.saturating_add(self.size.into())
    }
}

const fn game_bytes(size: usize) -> usize {
    size.saturating_add(GAME_OVERHEAD).next_multiple_of(GAME_ROUNDING)
}

impl Unacked {
    /// Returns whether a ring buffer of the games with `limit` bytes has room for a message of `size` bytes.
    pub(super) const fn has_room(&self, size: usize, limit: usize) -> bool {
        self.count < MAX_OUTSTANDING && self.game_bytes.saturating_add(game_bytes(size)) <= limit
    }

    /// Appends a message that was queued at `now`. The caller has checked [`Unacked::has_room`].
    pub(super) fn push(&mut self, now: Instant, sequence: u16, message: &[u8], limit: usize) {
        let Ok(size) = u16::try_from(message.len()) else { return };
        self.make_room(HEADER.saturating_add(message.len()), limit);
        let time = now.as_micros().to_le_bytes();
        self.bytes.extend_from_slice(&time);
        self.bytes.extend_from_slice(&time);
        self.bytes.extend_from_slice(&sequence.to_le_bytes());
        self.bytes.extend_from_slice(&size.to_le_bytes());
        self.bytes.extend_from_slice(message);
        self.count = self.count.saturating_add(1);
        self.game_bytes = self.game_bytes.saturating_add(game_bytes(message.len()));
    }

    /// Returns the number of messages.
    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// Returns the oldest record.
    pub(super) fn oldest(&self) -> Option<Record> {
        Record::decode(self.bytes.get(self.start..)?)
    }

    /// Drops the messages that `ack` acknowledges.
    pub(super) fn acknowledge(&mut self, ack: u16) {
        while let Some(record) = self.oldest()
            && in_backroom(record.sequence, ack)
        {
            self.start = self.start.saturating_add(record.length());
            self.count = self.count.saturating_sub(1);
            self.game_bytes = self.game_bytes.saturating_sub(game_bytes(record.size.into()));
        }
        if self.start >= self.bytes.len() {
            self.bytes.clear();
            self.start = 0;
        }
    }

    /// Passes the oldest message to `send` and marks it as sent at `now`.
    pub(super) fn resend_oldest(&mut self, now: Instant, mut send: impl FnMut(u16, &[u8])) {
        self.resend_at(self.start, now, &mut send);
    }

    /// Passes every message to `send` and marks it as sent at `now`.
    pub(super) fn resend_all(&mut self, now: Instant, mut send: impl FnMut(u16, &[u8])) {
        let mut at = self.start;
        while let Some(next) = self.resend_at(at, now, &mut send) {
            at = next;
        }
    }

    /// Passes the message at offset `at` to `send`, marks it as sent at `now`, and returns the offset of the next one.
    fn resend_at(&mut self, at: usize, now: Instant, send: &mut impl FnMut(u16, &[u8])) -> Option<usize> {
        let record = Record::decode(self.bytes.get(at..)?)?;
        let next = at.saturating_add(record.length());
        let (header, message) = self.bytes.get_mut(at..next)?.split_at_mut_checked(HEADER)?;
        header.get_mut(LAST_SENT)?.copy_from_slice(&now.as_micros().to_le_bytes());
        send(record.sequence, message);
        Some(next)
    }

    /// Moves the records to the front when the end of the buffer is reached. Grows the buffer if this would happen
    /// often.
    fn make_room(&mut self, length: usize, limit: usize) {
        if self.bytes.len().saturating_add(length) <= self.bytes.capacity() {
            return;
        }
        self.bytes.drain(..self.start);
        self.start = 0;
        let needed = self.bytes.len().saturating_add(length);
        let capacity = self.bytes.capacity();
        if needed > capacity / 2 && capacity < limit.max(needed) {
            let wanted =
                capacity.saturating_mul(2).clamp(FIRST_CAPACITY, limit.max(FIRST_CAPACITY)).max(needed);
            self.bytes.reserve_exact(wanted.saturating_sub(self.bytes.len()));
        }
    }

    /// Returns the memory that is held, in bytes.
    pub(super) const fn held_bytes(&self) -> usize {
        self.bytes.capacity()
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests {
    use super::*;

    const LIMIT: usize = 32 * 1024;

    fn at(micros: u64) -> Instant {
        Instant::from_micros(micros)
    }

    fn kept(unacked: &mut Unacked) -> Vec<(u16, Vec<u8>)> {
        let mut kept = Vec::new();
        unacked.resend_all(at(9), |sequence, message| kept.push((sequence, message.to_vec())));
        kept
    }

    #[test]
    fn messages_are_resent_oldest_first_until_they_are_acknowledged() {
        let mut unacked = Unacked::default();
        for (sequence, message) in [(1022, "a"), (1023, "bc"), (0, ""), (1, "d")] {
            unacked.push(at(5), sequence, message.as_bytes(), LIMIT);
        }
        unacked.acknowledge(1023);
        assert_eq!(kept(&mut unacked), [(0, Vec::new()), (1, b"d".to_vec())]);
        let oldest = unacked.oldest().unwrap();
        assert_eq!((oldest.first_sent, oldest.last_sent), (at(5), at(9)));
        unacked.acknowledge(1);
        assert_eq!(unacked.oldest(), None);
        assert_eq!(unacked.game_bytes, 0);
    }

    #[test]
    fn the_buffer_is_full_when_that_of_the_games_is() {
        let mut unacked = Unacked::default();
        let mut count = 0;
        while unacked.has_room(64, LIMIT) {
            count += 1;
            unacked.push(at(0), count, &[7; 64], LIMIT);
        }
        // 24 + 40 + 64 bytes, rounded up to 144.
        assert_eq!(count, 227);
        assert!(unacked.held_bytes() <= LIMIT);
    }

    #[test]
    fn t8_no_more_are_outstanding_than_sequence_numbers_can_tell_apart() {
        let mut unacked = Unacked::default();
        let mut count = 0;
        while unacked.has_room(1, usize::MAX) {
            count += 1;
            unacked.push(at(0), count, &[0], LIMIT);
        }
        assert_eq!(count, 511);
    }

    #[test]
    fn a_long_run_of_messages_stays_within_a_small_buffer() {
        let mut unacked = Unacked::default();
        for round in 0..10_000_u32 {
            let sequence = u16::try_from(round % 1024).unwrap();
            unacked.push(at(0), sequence, &round.to_le_bytes(), LIMIT);
            if round >= 3 {
                unacked.acknowledge((sequence + 1024 - 3) % 1024);
            }
        }
        let values = kept(&mut unacked).into_iter().map(|(_, message)| message).collect::<Vec<_>>();
        assert_eq!(values, [9997_u32, 9998, 9999].map(|round| round.to_le_bytes().to_vec()));
        assert_eq!(unacked.held_bytes(), FIRST_CAPACITY);
    }
}
