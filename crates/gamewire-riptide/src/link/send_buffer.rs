/// Bytes that the first packet reserves.
const FIRST_CAPACITY: usize = 512;

/// The bytes of unacknowledged packets, one after another in one buffer. Each packet is contiguous without a separate
/// allocation.
#[derive(Debug, Default)]
pub(super) struct SendBuffer {
    bytes: Vec<u8>,
    /// End of the last packet. Bytes after it are unused.
    end: usize,
    /// Bytes at the front that are no longer needed.
    released: usize,
    /// Position of the first byte. Positions increase over time and wrap.
    base: u32,
}

impl SendBuffer {
    /// Returns the bytes from the oldest packet on.
    pub(super) const fn used(&self) -> usize {
        self.end.saturating_sub(self.released)
    }

    /// Appends a packet of `length` bytes and returns its position. `write` must overwrite all bytes; the caller checks
    /// `limit`.
    #[inline]
    pub(super) fn push(&mut self, length: u16, limit: usize, write: impl FnOnce(&mut [u8])) -> u32 {
        let length = length.into();
        if self.end.wrapping_add(length) > self.bytes.len() {
            self.make_room(length, limit);
        }
        let (start, end) = (self.end, self.end.wrapping_add(length));
        if let Some(packet) = self.bytes.get_mut(start..end) {
            write(packet);
            self.end = end;
        }
        self.base.wrapping_add(low_32(start))
    }

    /// Returns the bytes of a packet.
    pub(super) fn get(&self, start: u32, length: u16) -> Option<&[u8]> {
        let start = self.index(start);
        self.bytes.get(start..start.saturating_add(length.into()))
    }

    /// Releases the packets before the one at `start`.
    pub(super) fn release_before(&mut self, start: u32) {
        self.released = self.index(start).min(self.end);
    }

    /// Releases all packets and keeps the memory.
    pub(super) fn release_all(&mut self) {
        (self.released, self.end) = (0, 0);
    }

    fn index(&self, position: u32) -> usize {
        position.wrapping_sub(self.base).try_into().unwrap_or(usize::MAX)
    }

    /// Moves the packets to the front. Grows the buffer up to twice `limit`, so that moves are rare.
    #[cold]
    fn make_room(&mut self, length: usize, limit: usize) {
        self.bytes.copy_within(self.released.min(self.end)..self.end, 0);
        self.base = self.base.wrapping_add(low_32(self.released));
        (self.released, self.end) = (0, self.end.saturating_sub(self.released));
        let needed = self.end.saturating_add(length);
        if needed > self.bytes.len() / 2 {
            let most = limit.saturating_mul(2).max(needed);
            let wanted = needed.saturating_mul(2).max(FIRST_CAPACITY).min(most);
            self.bytes.reserve_exact(wanted.saturating_sub(self.bytes.len()));
            self.bytes.resize(wanted.max(self.bytes.len()), 0);
        }
    }

    /// Returns the memory that the buffer holds, in bytes.
    pub(super) const fn held_bytes(&self) -> usize {
        self.bytes.capacity()
    }
}

/// Returns the low 32 bits of an index. The buffer has at most a few MiB.
#[inline]
const fn low_32(place: usize) -> u32 {
    let [one, two, three, four, ..] = place.to_le_bytes();
    u32::from_le_bytes([one, two, three, four])
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests {
    use super::*;

    #[test]
    fn a_long_run_of_packets_stays_within_a_small_buffer_and_positions_wrap() {
        let mut packets = SendBuffer { base: u32::MAX - 5_000, ..SendBuffer::default() };
        let mut kept = Vec::new();
        for round in 0..10_000_u32 {
            kept.push(packets.push(4, 1 << 20, |packet| packet.copy_from_slice(&round.to_le_bytes())));
            if round >= 20 {
                packets.release_before(kept[round as usize - 18]);
            }
        }
        for (round, start) in (0_u32..).zip(&kept).skip(9_981) {
            assert_eq!(packets.get(*start, 4), Some(round.to_le_bytes().as_slice()));
        }
        assert_eq!((packets.used(), packets.held_bytes()), (19 * 4, FIRST_CAPACITY));
    }

    #[test]
    fn it_grows_to_twice_the_limit_and_no_further() {
        let mut packets = SendBuffer::default();
        let mut starts = Vec::new();
        for round in 0..1_000_usize {
            if packets.used() + 1000 > 100_000 {
                packets.release_before(starts[round - 99]);
            }
            starts.push(packets.push(1000, 100_000, |_| {}));
        }
        assert!(packets.held_bytes() <= 200_000, "{}", packets.held_bytes());
    }
}
