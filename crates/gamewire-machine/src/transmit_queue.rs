use std::collections::VecDeque;

/// Default maximum number of queued bytes. The queue drops a packet that does not fit, as a network would drop it.
const DEFAULT_LIMIT_BYTES: usize = 1024 * 1024;
/// Minimum number of polled bytes at the front before the rest is moved.
const MIN_USED: usize = 4096;

/// The packets that a machine has written and its driver has not polled yet, oldest first. `To` is the type of a
/// destination.
///
/// It allocates nothing after it has grown to its usual size.
#[derive(Debug)]
pub struct TransmitQueue<To> {
    packets: VecDeque<(To, usize)>,
    /// The packets in order, each contiguous.
    bytes: Vec<u8>,
    /// Number of bytes at the front that were polled.
    used: usize,
    /// Maximum number of queued bytes.
    limit: usize,
    dropped: u64,
    /// Scratch space for a packet of unknown length.
    scratch: Vec<u8>,
}

impl<To> Default for TransmitQueue<To> {
    fn default() -> Self {
        Self::new()
    }
}

impl<To> TransmitQueue<To> {
    /// Creates an empty queue with a maximum of 1 MiB.
    pub const fn new() -> Self {
        Self::with_limit(DEFAULT_LIMIT_BYTES)
    }

    /// Creates an empty queue with a maximum number of bytes. Each packet counts its bytes and a few more.
    pub const fn with_limit(limit: usize) -> Self {
        Self { packets: VecDeque::new(), bytes: Vec::new(), used: 0, limit, dropped: 0, scratch: Vec::new() }
    }

    /// Appends a packet for `to`, or drops it if the queue is full.
    pub fn push(&mut self, to: To, packet: &[u8]) {
        if self.make_room(packet.len()) {
            self.bytes.extend_from_slice(packet);
            self.packets.push_back((to, packet.len()));
        }
    }

    /// Appends a packet of `length` zeros for `to`, which `write` fills in. If the queue is full, the packet is dropped
    /// and `write` is not called.
    pub fn push_with(&mut self, to: To, length: usize, write: impl FnOnce(&mut [u8])) {
        if self.make_room(length) {
            let start = self.bytes.len();
            self.bytes.resize(start.saturating_add(length), 0);
            write(self.bytes.get_mut(start..).unwrap_or_default());
            self.packets.push_back((to, length));
        }
    }

    /// Lets `write` fill a buffer of `max_length` bytes with unspecified content, and appends the result as a packet
    /// for `to`. Returns the length of the packet, or 0 if `write` returned `None` or 0.
    pub fn write(
        &mut self,
        to: To,
        max_length: usize,
        write: impl FnOnce(&mut [u8]) -> Option<usize>,
    ) -> usize {
        let mut scratch = core::mem::take(&mut self.scratch);
        if scratch.len() < max_length {
            scratch.resize(max_length, 0);
        }
        let written = scratch.get_mut(..max_length).and_then(write).and_then(|length| scratch.get(..length));
        let length = written.map_or(0, <[u8]>::len);
        if let Some(packet) = written.filter(|packet| !packet.is_empty()) {
            self.push(to, packet);
        }
        self.scratch = scratch;
        length
    }

    /// Moves all packets of `other` to the end of this queue, and its count of dropped packets.
    pub fn append(&mut self, other: &mut Self)
    where
        To: Copy,
    {
        while other.pop_with(|to, packet| self.push(to, packet)).is_some() {}
        self.dropped = self.dropped.saturating_add(core::mem::take(&mut other.dropped));
    }

    /// Replaces the content of `buffer` with the oldest packet.
    pub fn pop(&mut self, buffer: &mut Vec<u8>) -> Option<To> {
        self.pop_with(|to, packet| {
            buffer.clear();
            buffer.extend_from_slice(packet);
            to
        })
    }

    /// Passes the oldest packet to `take`.
    #[inline]
    pub fn pop_with<R>(&mut self, take: impl FnOnce(To, &[u8]) -> R) -> Option<R> {
        let (to, length) = self.packets.pop_front()?;
        let end = self.used.saturating_add(length);
        let taken = take(to, self.bytes.get(self.used..end).unwrap_or_default());
        self.used = end;
        if self.packets.is_empty() {
            self.bytes.clear();
            self.used = 0;
        }
        Some(taken)
    }

    /// Returns whether the queue is empty.
    pub fn is_empty(&self) -> bool {
        self.packets.is_empty()
    }

    /// Returns the number of packets that were dropped because the queue was full.
    pub const fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Returns whether there is room for a packet of `length` bytes. If there is none, the packet counts as dropped.
    /// Reuses the space of polled packets before it allocates, if the rest is small enough to move.
    fn make_room(&mut self, length: usize) -> bool {
        let waiting = self.bytes.len().saturating_sub(self.used);
        let entries = self.packets.len().saturating_mul(size_of::<(To, usize)>());
        if waiting.saturating_add(entries).saturating_add(length) > self.limit {
            self.dropped = self.dropped.saturating_add(1);
            return false;
        }
        let is_full = self.bytes.len().saturating_add(length) > self.bytes.capacity();
        if is_full && self.used >= waiting.max(MIN_USED) {
            self.bytes.drain(..self.used);
            self.used = 0;
        }
        true
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests {
    use super::*;

    const PEER: u32 = 8303;

    #[test]
    fn packets_round_trip_through_a_reused_queue() {
        let (mut out, mut buffer) = (TransmitQueue::new(), vec![9; 3]);
        for round in 0..2000_usize {
            let packet = |index: usize| vec![index.to_le_bytes()[0]; 1 + index * 7 % 1400];
            match round % 3 {
                0 => out.push(PEER, &packet(round)),
                1 => out.push_with(PEER, packet(round).len(), |place| place.copy_from_slice(&packet(round))),
                _ => {
                    let length = out.write(PEER, 1400, |room| {
                        room.get_mut(..packet(round).len())?.copy_from_slice(&packet(round));
                        Some(packet(round).len())
                    });
                    assert_eq!(length, packet(round).len());
                }
            }
            if round > 0 {
                assert_eq!(out.pop(&mut buffer), Some(PEER));
                assert_eq!(buffer, packet(round - 1));
            }
        }
        assert!(out.bytes.capacity() < 64 * 1024, "{}", out.bytes.capacity());
        assert!(out.pop(&mut buffer).is_some() && out.is_empty());
        assert_eq!(out.pop(&mut buffer), None);
    }

    #[test]
    fn what_does_not_fit_is_dropped_and_counted() {
        let mut out = TransmitQueue::new();
        for _ in 0..2000 {
            out.push_with(PEER, 1000, |place| place.fill(1));
        }
        let mut kept = 0;
        while out.pop(&mut Vec::new()).is_some() {
            kept += 1;
        }
        assert_eq!(kept + out.dropped(), 2000);
        assert!((1000..=1048).contains(&kept));
    }

    #[test]
    fn an_empty_or_oversized_write_queues_nothing() {
        let mut out = TransmitQueue::new();
        assert_eq!(out.write(PEER, 10, |_| None), 0);
        assert_eq!(out.write(PEER, 10, |_| Some(0)), 0);
        assert_eq!(out.write(PEER, 10, |room| Some(room.len() + 1_000)), 0);
        assert!(out.is_empty());
    }
}
