use std::collections::VecDeque;
use std::net::SocketAddr;

use gamewire_machine::Transmit;

use crate::shared::packet::MAX_DATAGRAM;

/// Bytes that may wait; what does not fit is dropped, as a network would.
const MAX_WAITING: usize = 1024 * 1024;

/// Datagrams that were written and not yet polled; one for each machine.
#[derive(Debug)]
pub struct Outbox {
    waiting: Waiting,
    /// Where a datagram is written.
    room: Box<[u8; MAX_DATAGRAM]>,
}

/// Datagrams one behind another, oldest first.
#[derive(Debug, Default)]
struct Waiting {
    datagrams: VecDeque<(SocketAddr, usize)>,
    bytes: VecDeque<u8>,
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
        Self { waiting: Waiting::default(), room: Box::new([0; MAX_DATAGRAM]) }
    }

    /// Takes a datagram for `to`, or drops it when 1 MiB is waiting.
    pub fn push(&mut self, to: SocketAddr, datagram: &[u8]) {
        self.waiting.push(to, datagram);
    }

    /// The oldest datagram: it replaces what is in `buffer`.
    pub fn pop(&mut self, buffer: &mut Vec<u8>) -> Option<Transmit> {
        let Waiting { datagrams, bytes, .. } = &mut self.waiting;
        let (to, length) = datagrams.pop_front()?;
        buffer.clear();
        let (front, back) = bytes.as_slices();
        let (front, rest) = front.split_at_checked(length).unwrap_or((front, &[]));
        buffer.extend_from_slice(front);
        if rest.is_empty() {
            let left = length.saturating_sub(front.len());
            buffer.extend_from_slice(back.get(..left).unwrap_or_default());
        }
        bytes.drain(..length.min(bytes.len()));
        Some(Transmit { to })
    }

    /// Whether nothing waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.waiting.datagrams.is_empty()
    }

    /// How many datagrams were dropped because too much was waiting.
    #[must_use]
    pub const fn dropped(&self) -> u64 {
        self.waiting.dropped
    }

    /// Lets `write` put a datagram for `to` into a buffer, and takes it; its length.
    pub(super) fn write(
        &mut self,
        to: SocketAddr,
        write: impl FnOnce(&mut [u8; MAX_DATAGRAM]) -> Option<usize>,
    ) -> usize {
        let length = write(&mut self.room).unwrap_or(0);
        if let Some(datagram) = self.room.get(..length).filter(|datagram| !datagram.is_empty()) {
            self.waiting.push(to, datagram);
        }
        length
    }
}

impl Waiting {
    fn push(&mut self, to: SocketAddr, datagram: &[u8]) {
        if self.has_room(datagram.len()) {
            self.bytes.extend(datagram);
            self.datagrams.push_back((to, datagram.len()));
        } else {
            self.dropped = self.dropped.saturating_add(1);
        }
    }

    fn has_room(&self, length: usize) -> bool {
        let entries = self.datagrams.len().saturating_mul(size_of::<(SocketAddr, usize)>());
        self.bytes.len().saturating_add(entries).saturating_add(length) <= MAX_WAITING
    }
}

#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "a test that overflows fails")]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    const PEER: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 8303);

    #[test]
    fn datagrams_come_out_as_they_went_in_however_the_buffer_wraps() {
        let (mut out, mut buffer) = (Outbox::new(), vec![9; 3]);
        for round in 0..200_usize {
            let datagram = |index: usize| vec![u8::try_from(index).unwrap(); 1 + index * 7 % 1400];
            out.push(PEER, &datagram(round));
            if round > 0 {
                assert_eq!(out.pop(&mut buffer), Some(Transmit { to: PEER }));
                assert_eq!(buffer, datagram(round - 1));
            }
        }
        assert!(out.pop(&mut buffer).is_some() && out.is_empty());
        assert_eq!(out.pop(&mut buffer), None);
    }

    #[test]
    fn what_does_not_fit_is_dropped_and_counted() {
        let mut out = Outbox::new();
        for _ in 0..2000 {
            out.push(PEER, &[1; 1000]);
        }
        let mut kept = 0;
        while out.pop(&mut Vec::new()).is_some() {
            kept += 1;
        }
        assert_eq!(kept + out.dropped(), 2000);
        assert!((1000..=1048).contains(&kept));
    }
}
