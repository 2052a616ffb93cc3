use core::ops::Range;
use std::collections::{BTreeSet, VecDeque};

use crate::packet::PeerNumber;

/// Maximum number of bytes of the kept comments. Further packets are decoded on both sides.
const MAX_COMMENT_BYTES: usize = 1 << 20;

/// The results of decoding the packets that a relay received, until it sends them unchanged: both sides then have the same
/// comment in a recording.
#[derive(Debug, Default)]
pub(crate) struct PassedPackets {
    received: VecDeque<ReceivedPacket>,
    comments: String,
    /// Peers that lost a packet on one side. Their packets may mean different things on both sides.
    unequal: BTreeSet<PeerNumber>,
}

/// A received packet, decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReceivedPacket {
    /// Its index in the batch.
    pub(crate) index: usize,
    /// The range of its comment.
    comment: Range<usize>,
    pub(crate) problems: Problems,
}

/// The problems of a decoded packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Problems {
    /// True if the packet has an error.
    pub(crate) errors: bool,
    /// True if the packet has a warning.
    pub(crate) warnings: bool,
}

impl PassedPackets {
    /// Keeps a received packet. The indices of a batch ascend.
    pub(crate) fn keep(&mut self, index: usize, comment: &str, problems: Problems) {
        if self.received.is_empty() {
            self.comments.clear();
        }
        let start = self.comments.len();
        if start.saturating_add(comment.len()) > MAX_COMMENT_BYTES {
            return;
        }
        self.comments.push_str(comment);
        let comment = start..self.comments.len();
        self.received.push_back(ReceivedPacket { index, comment, problems });
    }

    /// Removes and returns the received packet with this index, unless the sides of its peer are unequal.
    pub(crate) fn take(&mut self, peer: PeerNumber, index: usize) -> Option<ReceivedPacket> {
        let at = self.received.binary_search_by_key(&index, |packet| packet.index).ok()?;
        self.received.remove(at).filter(|_| !self.unequal.contains(&peer))
    }

    /// Returns the comment of a packet that was just taken.
    pub(crate) fn comment(&self, packet: &ReceivedPacket) -> &str {
        self.comments.get(packet.comment.clone()).unwrap_or_default()
    }

    /// Forgets the packets of a batch.
    pub(crate) fn end_batch(&mut self) {
        self.received.clear();
    }

    /// Notes that only one side of a peer has a packet.
    pub(crate) fn note_loss(&mut self, peer: PeerNumber) {
        self.unequal.insert(peer);
    }

    pub(crate) fn forget(&mut self, peer: PeerNumber) {
        self.unequal.remove(&peer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PEER: PeerNumber = PeerNumber(1);
    const OTHER: PeerNumber = PeerNumber(2);

    #[test]
    fn comments_are_kept_until_their_packets_are_sent() {
        let mut passed = PassedPackets::default();
        for (index, comment) in [(0, "one"), (2, ""), (5, "five")] {
            passed.keep(index, comment, Problems { errors: index == 5, warnings: false });
        }
        let mut take = |index| {
            let packet = passed.take(PEER, index)?;
            Some((passed.comment(&packet).to_owned(), packet.problems.errors))
        };
        assert_eq!(take(5), Some(("five".to_owned(), true)));
        assert_eq!(take(5), None);
        assert_eq!(take(1), None);
        assert_eq!(take(0), Some(("one".to_owned(), false)));
        passed.end_batch();
        assert_eq!(passed.take(PEER, 2), None);
    }

    #[test]
    fn the_comments_of_unequal_sides_are_not_used() {
        let mut passed = PassedPackets::default();
        passed.note_loss(PEER);
        passed.keep(0, "one", Problems::default());
        passed.keep(1, "two", Problems::default());
        assert_eq!(passed.take(PEER, 0), None);
        assert!(passed.take(OTHER, 1).is_some());
        passed.forget(PEER);
        passed.keep(2, "three", Problems::default());
        assert!(passed.take(PEER, 2).is_some());
    }

    #[test]
    fn the_memory_of_comments_is_bounded() {
        let mut passed = PassedPackets::default();
        let comment = "x".repeat(1_000);
        (0..10_000).for_each(|index| passed.keep(index, &comment, Problems::default()));
        assert!(passed.comments.len() <= MAX_COMMENT_BYTES);
        assert!(passed.take(PEER, 9_999).is_none());
        passed.end_batch();
        passed.keep(0, "one", Problems::default());
        assert_eq!(passed.comments, "one");
    }
}
