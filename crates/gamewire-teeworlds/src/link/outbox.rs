use std::collections::VecDeque;
use std::net::SocketAddr;

use gamewire_machine::Transmit;

use crate::shared::packet::MAX_DATAGRAM;

/// Bytes that may wait; what does not fit is dropped, as a network would.
const MAX_WAITING: usize = 1024 * 1024;

/// Datagrams that were written and not yet polled; one for each machine.
#[derive(Debug)]
pub struct Outbox {
    waiting: VecDeque<(SocketAddr, usize)>,
    bytes: VecDeque<u8>,
    /// Where the next datagram is written.
    room: Box<[u8; MAX_DATAGRAM]>,
    dropped: u64,
}

impl Default for Outbox {
    fn default() -> Self {
        Self::new()
    }
}

impl Outbox {
    /// An empty one.
    #[must_use]
    pub fn new() -> Self {
        Self {
            waiting: VecDeque::new(),
            bytes: VecDeque::new(),
            room: Box::new([0; MAX_DATAGRAM]),
            dropped: 0,
        }
    }

    /// Takes a datagram for `to`, or drops it when 1 MiB is waiting.
    pub fn push(&mut self, to: SocketAddr, datagram: &[u8]) {
        if self.has_room(datagram.len()) {
            self.bytes.extend(datagram);
            self.waiting.push_back((to, datagram.len()));
        } else {
            self.dropped = self.dropped.saturating_add(1);
        }
    }

    /// The oldest datagram: it replaces what is in `buffer`.
    pub fn pop(&mut self, buffer: &mut Vec<u8>) -> Option<Transmit> {
        let (to, length) = self.waiting.pop_front()?;
        buffer.clear();
        let (front, back) = self.bytes.as_slices();
        let in_front = length.min(front.len());
        buffer.extend_from_slice(front.get(..in_front).unwrap_or_default());
        buffer.extend_from_slice(back.get(..length.saturating_sub(in_front)).unwrap_or_default());
        self.bytes.drain(..length.min(self.bytes.len()));
        Some(Transmit { to })
    }

    /// Whether nothing waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// How many datagrams were dropped because too much was waiting.
    #[must_use]
    pub const fn dropped(&self) -> u64 {
        self.dropped
    }

    fn has_room(&self, length: usize) -> bool {
        let overhead = self.waiting.len().saturating_mul(size_of::<(SocketAddr, usize)>());
        self.bytes.len().saturating_add(overhead).saturating_add(length) <= MAX_WAITING
    }
}
