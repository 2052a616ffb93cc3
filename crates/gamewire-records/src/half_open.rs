use std::collections::VecDeque;
use std::net::{IpAddr, SocketAddr};

use gamewire_machine::{Instant, limited_network};

use crate::crypto::KEY_BYTES;
use crate::noise::SECOND_BYTES;

/// A handshake that is not followed by a record yet.
pub(crate) struct HalfOpen {
    pub(crate) session: u32,
    pub(crate) address: SocketAddr,
    /// The client's public key, which is fresh in each handshake.
    pub(crate) client_public: [u8; KEY_BYTES],
    /// The server's message, which is sent again for a repeated initiation.
    pub(crate) response: [u8; SECOND_BYTES],
    pub(crate) since: Instant,
}

/// The handshakes of all clients, oldest first. There are few, because the timeout is short.
#[derive(Default)]
pub(crate) struct HalfOpenTable {
    entries: VecDeque<HalfOpen>,
}

impl HalfOpenTable {
    /// Returns the handshake that an initiation repeats.
    pub(crate) fn find(&self, address: SocketAddr, client_public: &[u8]) -> Option<&HalfOpen> {
        self.entries
            .iter()
            .find(|entry| entry.address == address && entry.client_public.as_slice() == client_public)
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns the number of handshakes of an address, or of an IPv6 network.
    pub(crate) fn count_from(&self, ip: IpAddr) -> usize {
        let network = limited_network(ip);
        self.entries.iter().filter(|entry| limited_network(entry.address.ip()) == network).count()
    }

    pub(crate) fn push(&mut self, entry: HalfOpen) {
        self.entries.push_back(entry);
    }

    pub(crate) fn remove(&mut self, session: u32) {
        self.entries.retain(|entry| entry.session != session);
    }

    /// Removes and returns the oldest handshake.
    pub(crate) fn pop(&mut self) -> Option<HalfOpen> {
        self.entries.pop_front()
    }

    /// Removes and returns the oldest handshake if `is_over` returns true for it.
    pub(crate) fn pop_if(&mut self, is_over: impl FnOnce(&HalfOpen) -> bool) -> Option<HalfOpen> {
        if self.entries.front().is_some_and(is_over) { self.entries.pop_front() } else { None }
    }
}
