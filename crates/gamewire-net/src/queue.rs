use core::ops::Range;
use std::collections::VecDeque;
use std::collections::vec_deque::Iter;
use std::iter::Take;
use std::net::SocketAddr;

use crate::limits::{
    MAX_BATCH_BYTES, MAX_QUEUED_BYTES, MAX_QUEUED_DATAGRAMS, MAX_SEGMENT_BYTES, MIN_SEGMENTS,
};

/// Datagrams that wait for the socket. They are contiguous in memory, so that a batch is sent without a copy.
/// Datagrams for one peer stay in order.
#[derive(Debug, Default)]
pub(crate) struct Queue {
    bytes: Vec<u8>,
    /// Number of bytes at the front that were sent.
    start: usize,
    datagrams: VecDeque<Queued>,
    /// Number of datagrams at the front that are already grouped by peer.
    coalesced: usize,
    scratch: CoalesceScratch,
}

#[derive(Clone, Copy, Debug)]
struct Queued {
    to: SocketAddr,
    len: usize,
}

/// Reused buffers for coalescing.
#[derive(Debug, Default)]
struct CoalesceScratch {
    order: Vec<QueuedRange>,
    bytes: Vec<u8>,
}

/// Receiver of a datagram, its index, and the range of its bytes.
type QueuedRange = (SocketAddr, usize, Range<usize>);

/// Datagrams for one peer that the system accepts in one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GsoBatch<'a> {
    pub(crate) to: SocketAddr,
    /// The contiguous bytes. Each datagram has `segment` bytes, but the last one may be shorter.
    pub(crate) bytes: &'a [u8],
    pub(crate) segment: usize,
    pub(crate) count: usize,
}

impl<'a> GsoBatch<'a> {
    pub(crate) fn datagrams(self) -> impl Iterator<Item = &'a [u8]> {
        // `chunks` skips an empty datagram.
        let empty = self.bytes.is_empty().then_some(self.bytes);
        empty.into_iter().chain(self.bytes.chunks(self.segment.max(1)))
    }
}

/// Datagrams at the front of a queue, each with its receiver.
#[derive(Clone, Debug)]
pub struct Singles<'a> {
    datagrams: Take<Iter<'a, Queued>>,
    bytes: &'a [u8],
}

impl<'a> Iterator for Singles<'a> {
    type Item = (SocketAddr, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let Queued { to, len } = self.datagrams.next()?;
        let (datagram, rest) = self.bytes.split_at_checked(*len)?;
        self.bytes = rest;
        Some((*to, datagram))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.datagrams.size_hint()
    }
}

impl ExactSizeIterator for Singles<'_> {}

/// Consecutive datagrams that can be one [`GsoBatch`].
struct Run {
    count: usize,
    len: usize,
    /// True if the last datagram is shorter than the others. It ends a run.
    is_shorter: bool,
}

impl Queue {
    /// Returns the number of unsent bytes.
    pub(crate) const fn waiting(&self) -> usize {
        self.bytes.len().saturating_sub(self.start)
    }

    /// Appends a datagram. Returns whether it fits.
    pub(crate) fn push(&mut self, to: SocketAddr, datagram: &[u8]) -> bool {
        let is_full = self.waiting().saturating_add(datagram.len()) > MAX_QUEUED_BYTES
            || self.datagrams.len() >= MAX_QUEUED_DATAGRAMS;
        if is_full {
            return false;
        }
        if self.start > MAX_QUEUED_BYTES {
            self.bytes.drain(..self.start);
            self.start = 0;
        }
        self.bytes.extend_from_slice(datagram);
        self.datagrams.push_back(Queued { to, len: datagram.len() });
        true
    }

    /// Groups the datagrams by peer, so that each group is one batch. Groups of earlier calls stay in front, so that
    /// no peer starves.
    pub(crate) fn coalesce(&mut self) {
        let kept = core::mem::replace(&mut self.coalesced, self.datagrams.len());
        // Two changes of the peer need three datagrams.
        if self.datagrams.len().saturating_sub(kept) < 3 {
            return;
        }
        let changes = self.datagrams.iter().zip(self.datagrams.iter().skip(1)).skip(kept);
        if changes.filter(|(one, next)| one.to != next.to).take(2).count() < 2 {
            return;
        }
        let before = self.datagrams.iter().take(kept).map(|datagram| datagram.len);
        let begin = before.fold(self.start, usize::saturating_add);
        let CoalesceScratch { order, bytes } = &mut self.scratch;
        let mut end = begin;
        order.clear();
        for (index, Queued { to, len }) in self.datagrams.iter().enumerate().skip(kept) {
            let start = end;
            end = end.saturating_add(*len);
            order.push((*to, index, start..end));
        }
        order.sort_unstable_by_key(|(to, index, _)| (*to, *index));
        let is_apart =
            |(one, next): (&QueuedRange, &QueuedRange)| one.0 == next.0 && one.1.abs_diff(next.1) > 1;
        if !order.iter().zip(order.iter().skip(1)).any(is_apart) {
            return;
        }
        bytes.clear();
        for ((to, _, range), datagram) in order.drain(..).zip(self.datagrams.iter_mut().skip(kept)) {
            *datagram = Queued { to, len: range.len() };
            bytes.extend_from_slice(self.bytes.get(range).unwrap_or_default());
        }
        if let Some(range) = self.bytes.get_mut(begin..end) {
            range.copy_from_slice(bytes);
        }
    }

    /// Returns the longest batch at the front, of at most `max` datagrams.
    pub(crate) fn run(&self, max: usize) -> Option<GsoBatch<'_>> {
        let first = self.datagrams.front()?;
        let Run { count, len, .. } = self.run_from(0, max)?;
        let bytes = self.bytes.get(self.start..self.start.saturating_add(len)).unwrap_or_default();
        Some(GsoBatch { to: first.to, bytes, segment: first.len, count })
    }

    /// Returns the longest run that begins at an index, of at most `max` datagrams. `None` if there are fewer datagrams.
    fn run_from(&self, index: usize, max: usize) -> Option<Run> {
        let mut datagrams = self.datagrams.iter().skip(index);
        let first = datagrams.next()?;
        let mut run = Run { count: 1, len: first.len, is_shorter: false };
        if !(1..=MAX_SEGMENT_BYTES).contains(&first.len) {
            return Some(run);
        }
        for next in datagrams.take(max.saturating_sub(1)) {
            let len = run.len.saturating_add(next.len);
            if next.to != first.to || !(1..=first.len).contains(&next.len) || len > MAX_BATCH_BYTES {
                break;
            }
            run = Run { count: run.count.saturating_add(1), len, is_shorter: next.len < first.len };
            if run.is_shorter {
                break;
            }
        }
        Some(run)
    }

    /// Returns the first `max` datagrams, or all if there are fewer.
    pub(crate) fn singles(&self, max: usize) -> Singles<'_> {
        Singles {
            datagrams: self.datagrams.iter().take(max),
            bytes: self.bytes.get(self.start..).unwrap_or_default(),
        }
    }

    /// Returns the number of datagrams before the first GSO batch of at least [`MIN_SEGMENTS`] datagrams, at most
    /// `max`.
    pub(crate) fn before_batch(&self, max: usize) -> usize {
        if self.datagrams.len() < MIN_SEGMENTS {
            return self.datagrams.len().min(max);
        }
        let mut start = 0_usize;
        while start < max
            && let Some(Run { count, is_shorter, .. }) = self.run_from(start, MIN_SEGMENTS)
            && count < MIN_SEGMENTS
        {
            // The shorter datagram at the end of a run may begin the next run.
            start = start.saturating_add(count).saturating_sub(usize::from(is_shorter));
        }
        start.min(max)
    }

    /// Removes the first `count` datagrams.
    pub(crate) fn pop(&mut self, count: usize) {
        if count >= self.datagrams.len() {
            self.datagrams.clear();
            self.bytes.clear();
            (self.start, self.coalesced) = (0, 0);
            return;
        }
        self.coalesced = self.coalesced.saturating_sub(count);
        for gone in self.datagrams.drain(..count) {
            self.start = self.start.saturating_add(gone.len);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.datagrams.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    const A: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 1);
    const B: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 2);
    const C: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 3);

    fn queue(datagrams: &[(SocketAddr, &[u8])]) -> Queue {
        let mut queue = Queue::default();
        for (to, datagram) in datagrams {
            assert!(queue.push(*to, datagram));
        }
        queue
    }

    /// Returns the batches of a queue.
    fn runs(mut queue: Queue, most: usize) -> Vec<(SocketAddr, Vec<Vec<u8>>)> {
        let mut runs = Vec::new();
        while let Some(run) = queue.run(most) {
            let datagrams: Vec<_> = run.datagrams().map(<[u8]>::to_vec).collect();
            assert_eq!(datagrams.len(), run.count);
            runs.push((run.to, datagrams));
            let count = run.count;
            queue.pop(count);
        }
        assert_eq!((queue.waiting(), queue.datagrams.len()), (0, 0));
        runs
    }

    #[test]
    fn equal_sizes_for_one_peer_are_a_batch_and_a_shorter_one_ends_it() {
        let queue = queue(&[(A, b"one"), (A, b"two"), (A, b"3"), (A, b"4"), (B, b"5"), (A, b"6")]);
        let expected = [
            (A, vec![b"one".to_vec(), b"two".to_vec(), b"3".to_vec()]),
            (A, vec![b"4".to_vec()]),
            (B, vec![b"5".to_vec()]),
            (A, vec![b"6".to_vec()]),
        ];
        assert_eq!(runs(queue, 64), expected);
    }

    #[test]
    fn datagrams_for_one_peer_are_grouped_in_order() {
        let mut queue = queue(&[(C, b"1"), (B, b"2"), (A, b"3"), (B, b"44"), (A, b"5"), (B, b"6"), (C, b"")]);
        queue.coalesce();
        let expected = [
            (A, vec![b"3".to_vec(), b"5".to_vec()]),
            (B, vec![b"2".to_vec()]),
            (B, vec![b"44".to_vec(), b"6".to_vec()]),
            (C, vec![b"1".to_vec()]),
            (C, vec![b"".to_vec()]),
        ];
        assert_eq!(runs(queue, 64), expected);
    }

    #[test]
    fn earlier_groups_are_not_overtaken() {
        let mut queue = queue(&[(B, b"1"), (A, b"2"), (B, b"3")]);
        queue.coalesce();
        queue.pop(1);
        for to in [A, B, A] {
            assert!(queue.push(to, b"4"));
        }
        queue.coalesce();
        let expected = [(B, 2), (A, 2), (B, 1)];
        let sent: Vec<_> = runs(queue, 64).into_iter().map(|(to, run)| (to, run.len())).collect();
        assert_eq!(sent, expected);
    }

    #[test]
    fn a_grouped_queue_is_unchanged() {
        let mut queue = queue(&[(B, b"1"), (B, b"2"), (A, b"3"), (C, b"4")]);
        queue.coalesce();
        let order: Vec<_> = runs(queue, 64).into_iter().map(|(to, _)| to).collect();
        assert_eq!(order, [B, A, C]);
    }

    #[test]
    fn a_batch_has_at_most_the_segments_of_the_system() {
        let lengths = |most| -> Vec<usize> {
            runs(queue(&[(A, b"x".as_slice()); 5]), most)
                .iter()
                .map(|(_, datagrams)| datagrams.len())
                .collect()
        };
        assert_eq!(lengths(2), [2, 2, 1]);
        assert_eq!(lengths(1), [1; 5]);
    }

    #[test]
    fn empty_and_long_datagrams_are_sent_alone() {
        let long = vec![7; MAX_SEGMENT_BYTES + 1];
        let queue = queue(&[(A, b""), (A, b""), (A, &long), (A, &long), (A, b"x"), (A, b"")]);
        let lengths: Vec<Vec<usize>> =
            runs(queue, 64).iter().map(|(_, run)| run.iter().map(Vec::len).collect()).collect();
        let alone = MAX_SEGMENT_BYTES + 1;
        assert_eq!(lengths, [vec![0], vec![0], vec![alone], vec![alone], vec![1], vec![0]]);
    }

    #[test]
    fn a_full_queue_rejects_datagrams_and_memory_is_bounded() {
        let mut queue = Queue::default();
        let datagram = [0; 1_000];
        while queue.push(A, &datagram) {}
        assert_eq!(queue.waiting(), MAX_QUEUED_BYTES / 1_000 * 1_000);
        for _ in 0..5_000 {
            queue.pop(1);
            assert!(queue.push(A, &datagram));
            assert!(!queue.push(A, &datagram));
        }
        assert!(queue.bytes.capacity() <= 4 * MAX_QUEUED_BYTES, "{}", queue.bytes.capacity());
        let mut queue = Queue::default();
        while queue.push(A, b"") {}
        assert_eq!(queue.datagrams.len(), MAX_QUEUED_DATAGRAMS);
    }
}
