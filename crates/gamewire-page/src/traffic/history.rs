use std::collections::VecDeque;
use std::sync::Arc;

use gamewire_inspect::conversation::PacketInfo;

use super::packet::StoredPacket;

/// Maximum number of packets that are searched for the copy of a lost datagram.
const MAX_SEARCHED: usize = 4_096;

/// The packets of a source, up to a number of bytes.
#[derive(Debug)]
pub(super) struct History {
    packets: VecDeque<Arc<StoredPacket>>,
    /// Number of the first kept packet.
    first: u64,
    held: usize,
    max_bytes: usize,
    /// True to keep the first packets, false to keep the latest ones.
    keeps_first: bool,
    /// Number of packets that were removed or did not fit.
    dropped: u64,
}

impl History {
    pub(super) const fn new(max_bytes: usize, keeps_first: bool) -> Self {
        Self { packets: VecDeque::new(), first: 1, held: 0, max_bytes, keeps_first, dropped: 0 }
    }

    /// Returns the number of the next packet.
    pub(super) fn next_number(&self) -> u64 {
        self.first.saturating_add(length(&self.packets))
    }

    pub(super) const fn first_number(&self) -> u64 {
        self.first
    }

    pub(super) const fn dropped(&self) -> u64 {
        self.dropped
    }

    pub(super) const fn held_bytes(&self) -> usize {
        self.held
    }

    /// Adds a packet with the number [`next_number`](Self::next_number). Returns false if the packet does not fit.
    pub(super) fn push(&mut self, packet: StoredPacket) -> bool {
        let bytes = packet.held_bytes();
        if self.keeps_first && self.held.saturating_add(bytes) > self.max_bytes && !self.packets.is_empty() {
            self.dropped = self.dropped.saturating_add(1);
            return false;
        }
        self.held = self.held.saturating_add(bytes);
        self.packets.push_back(Arc::new(packet));
        while self.held > self.max_bytes
            && self.packets.len() > 1
            && let Some(oldest) = self.packets.pop_front()
        {
            self.held = self.held.saturating_sub(oldest.held_bytes());
            self.first = self.first.saturating_add(1);
            self.dropped = self.dropped.saturating_add(1);
        }
        true
    }

    pub(super) fn get(&self, number: u64) -> Option<&Arc<StoredPacket>> {
        let index = usize::try_from(number.checked_sub(self.first)?).ok()?;
        self.packets.get(index)
    }

    /// Returns the number of the latest packet with these bytes from the same sender in the same conversation.
    /// Searches only the latest packets.
    pub(super) fn latest_equal(&self, info: &PacketInfo, bytes: &[u8]) -> Option<u64> {
        let mut latest = self.packets.iter().rev().take(MAX_SEARCHED);
        let is_equal = |packet: &&Arc<StoredPacket>| {
            let known = &packet.info;
            (known.conversation, known.sender) == (info.conversation, info.sender)
                && !packet.delivery.is_lost
                && packet.bytes() == bytes
        };
        latest.find(is_equal).map(|packet| packet.number)
    }

    /// Returns at most `limit` packets, starting at `number`.
    pub(super) fn from(&self, number: u64, limit: usize) -> Vec<Arc<StoredPacket>> {
        let skipped = usize::try_from(number.saturating_sub(self.first)).unwrap_or(usize::MAX);
        self.packets.range(skipped.min(self.packets.len())..).take(limit).cloned().collect()
    }

    /// Returns at most `limit` packets before `number`, latest first.
    pub(super) fn before(&self, number: u64, limit: usize) -> Vec<Arc<StoredPacket>> {
        let end = usize::try_from(number.saturating_sub(self.first)).unwrap_or(usize::MAX);
        self.packets.range(..end.min(self.packets.len())).rev().take(limit).cloned().collect()
    }
}

fn length<T>(packets: &VecDeque<T>) -> u64 {
    u64::try_from(packets.len()).unwrap_or(u64::MAX)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that panics fails")]
mod tests {
    use super::super::source::tests::stored;
    use super::*;

    fn numbers(packets: &[Arc<StoredPacket>]) -> Vec<u64> {
        packets.iter().map(|packet| packet.number).collect()
    }

    #[test]
    fn the_oldest_packets_give_way_to_new_ones() {
        let size = stored(1).held_bytes();
        let mut history = History::new(size * 3, false);
        for number in 1..=5 {
            assert_eq!(history.next_number(), number);
            assert!(history.push(stored(number)));
        }
        assert_eq!((history.first_number(), history.dropped()), (3, 2));
        assert_eq!(history.held_bytes(), size * 3);
        assert_eq!(numbers(&history.from(0, 9)), [3, 4, 5]);
        assert_eq!(numbers(&history.from(5, 9)), [5]);
        assert_eq!(numbers(&history.from(6, 9)), [0; 0]);
        assert_eq!(numbers(&history.before(5, 9)), [4, 3]);
        assert_eq!(numbers(&history.before(u64::MAX, 2)), [5, 4]);
        assert_eq!(numbers(&history.before(1, 2)), [0; 0]);
        assert!(history.get(2).is_none() && history.get(3).unwrap().number == 3);
    }

    #[test]
    fn a_file_keeps_its_first_packets() {
        let size = stored(1).held_bytes();
        let mut history = History::new(size * 2, true);
        assert!(history.push(stored(1)) && history.push(stored(2)) && !history.push(stored(3)));
        assert_eq!((history.next_number(), history.dropped()), (3, 1));
        assert_eq!(numbers(&history.from(1, 9)), [1, 2]);
    }
}
