use core::ops::Bound;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::net::SocketAddr;

use super::peer::{AdmissionState, Peer};
use crate::connection::Connection;
use crate::{ClientId, ConnectionId, Endpoint};

/// The table of peers, with indices by endpoint, connection id and client id.
#[derive(Debug)]
pub(super) struct Peers {
    slots: Vec<Option<Box<Peer>>>,
    free: Vec<usize>,
    /// Peers choose their endpoints, so the hasher is unpredictable for them.
    by_endpoint: HashMap<Endpoint, usize>,
    /// The result of the last lookup, because packets of one peer arrive in bursts.
    last_found: Option<(Endpoint, usize)>,
    /// Peers that await the application's decision.
    requested: BTreeMap<ConnectionId, usize>,
    /// Peers with a client id, connected or not.
    clients: BTreeMap<ClientId, usize>,
    connected: usize,
    last_id: u64,
    ids: ClientIdPool,
}

impl Peers {
    pub(super) fn new(max_clients: u16) -> Self {
        Self {
            slots: Vec::new(),
            free: Vec::new(),
            by_endpoint: HashMap::new(),
            last_found: None,
            requested: BTreeMap::new(),
            clients: BTreeMap::new(),
            connected: 0,
            last_id: 0,
            ids: ClientIdPool::new(max_clients),
        }
    }

    #[inline]
    pub(super) fn find(&mut self, endpoint: &Endpoint) -> Option<usize> {
        if let Some((found, slot)) = self.last_found
            && found == *endpoint
        {
            return Some(slot);
        }
        let slot = *self.by_endpoint.get(endpoint)?;
        self.last_found = Some((*endpoint, slot));
        Some(slot)
    }

    pub(super) fn requested(&self, id: ConnectionId) -> Option<usize> {
        self.requested.get(&id).copied()
    }

    pub(super) fn client(&self, id: ClientId) -> Option<usize> {
        self.clients.get(&id).copied()
    }

    /// Returns the client with the lowest id above `last`.
    pub(super) fn client_after(&self, last: Option<ClientId>) -> Option<(ClientId, usize)> {
        let from = last.map_or(Bound::Unbounded, Bound::Excluded);
        self.clients.range((from, Bound::Unbounded)).next().map(|(id, slot)| (*id, *slot))
    }

    /// Returns the connected peers in the order of their client ids.
    pub(super) fn connected(&self) -> impl Iterator<Item = (ClientId, &Peer)> {
        let all = self.clients.iter().filter_map(|(id, slot)| Some((*id, self.get(*slot)?)));
        all.filter(|(_, peer)| peer.is_connected())
    }

    pub(super) const fn connected_count(&self) -> usize {
        self.connected
    }

    #[inline]
    pub(super) fn get(&self, slot: usize) -> Option<&Peer> {
        self.slots.get(slot)?.as_deref()
    }

    #[inline]
    pub(super) fn get_mut(&mut self, slot: usize) -> Option<&mut Peer> {
        self.slots.get_mut(slot)?.as_deref_mut()
    }

    /// Returns all slots, occupied or not.
    pub(super) fn slots(&self) -> core::ops::Range<usize> {
        0..self.slots.len()
    }

    /// Inserts a connection that awaits the application's decision, and returns its slot.
    pub(super) fn insert(&mut self, connection: Connection, address: Option<SocketAddr>) -> usize {
        self.last_id = self.last_id.wrapping_add(1);
        let id = ConnectionId(self.last_id);
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            self.slots.len().saturating_sub(1)
        });
        self.by_endpoint.insert(connection.endpoint, slot);
        self.requested.insert(id, slot);
        if let Some(entry) = self.slots.get_mut(slot) {
            *entry = Some(Box::new(Peer::new(id, connection, address)));
        }
        slot
    }

    /// Returns whether the connection in a slot is this one, and waits for the echo of the Welcome.
    pub(super) fn is_half_open(&self, slot: usize, id: ConnectionId) -> bool {
        let waits = |peer: &Peer| peer.id == id && matches!(peer.state, AdmissionState::AwaitingEcho { .. });
        self.get(slot).is_some_and(waits)
    }

    /// Returns whether a client id is free.
    pub(super) fn has_free_id(&self) -> bool {
        self.ids.has_free()
    }

    /// Assigns an id to a peer that awaits a decision: `wanted`, or the next free one. Returns `None` if there is no
    /// such peer, or no free id.
    pub(super) fn allocate_id(&mut self, slot: usize, wanted: Option<ClientId>) -> Option<ClientId> {
        let id =
            self.get(slot).filter(|peer| matches!(peer.state, AdmissionState::AwaitingDecision { .. }))?.id;
        let client = match wanted {
            Some(client) => (!self.clients.contains_key(&client)).then_some(client)?,
            None => self.ids.allocate()?,
        };
        self.requested.remove(&id);
        self.clients.insert(client, slot);
        Some(client)
    }

    /// Counts a peer that echoed the Welcome.
    pub(super) const fn count_connected(&mut self) {
        self.connected = self.connected.saturating_add(1);
    }

    pub(super) fn remove(&mut self, slot: usize) -> Option<Peer> {
        let peer = *self.slots.get_mut(slot)?.take()?;
        self.free.push(slot);
        self.by_endpoint.remove(&peer.endpoint());
        self.last_found = None;
        match peer.state.client() {
            None => drop(self.requested.remove(&peer.id)),
            Some(client) => {
                self.clients.remove(&client);
                self.ids.free(client);
            }
        }
        if peer.is_connected() {
            self.connected = self.connected.saturating_sub(1);
        }
        Some(peer)
    }

    /// Returns the memory that the table holds, in bytes. Trees and hash tables are estimated.
    pub(super) fn held_bytes(&self) -> usize {
        let peers = self.slots.iter().flatten().map(|peer| peer.held_bytes());
        let slots =
            self.slots.capacity().saturating_add(self.free.capacity()).saturating_mul(size_of::<usize>());
        let endpoints = self.by_endpoint.capacity().saturating_mul(size_of::<(Endpoint, usize, u8)>());
        let ids = self.clients.len().saturating_add(self.requested.len()).saturating_mul(32);
        peers.chain([slots, endpoints, ids]).fold(0, usize::saturating_add)
    }
}

/// The free client ids in a queue: first those that were never used, then the freed ones, oldest first.
#[derive(Debug)]
struct ClientIdPool {
    /// The lowest id that was never used.
    next: u16,
    max: u16,
    freed: VecDeque<ClientId>,
}

impl ClientIdPool {
    /// Creates a pool of the ids 1 to `max`.
    const fn new(max: u16) -> Self {
        Self { next: 1, max, freed: VecDeque::new() }
    }

    /// Returns the id at the front of the queue.
    fn allocate(&mut self) -> Option<ClientId> {
        if self.next > self.max {
            return self.freed.pop_front();
        }
        let id = ClientId(self.next);
        self.next = self.next.saturating_add(1);
        Some(id)
    }

    fn has_free(&self) -> bool {
        self.next <= self.max || !self.freed.is_empty()
    }

    /// Puts an allocated id at the end of the queue. Ignores an id that this pool did not allocate.
    fn free(&mut self, id: ClientId) {
        if id.0 < self.next {
            self.freed.push_back(id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_start_at_1_and_freed_ids_come_last() {
        let mut ids = ClientIdPool::new(3);
        assert_eq!(ids.allocate(), Some(ClientId(1)));
        assert_eq!(ids.allocate(), Some(ClientId(2)));
        ids.free(ClientId(2));
        ids.free(ClientId(1));
        assert_eq!([ids.allocate(), ids.allocate(), ids.allocate()], [3, 2, 1].map(|id| Some(ClientId(id))));
        assert!(!ids.has_free());
        assert_eq!(ids.allocate(), None);
    }

    #[test]
    fn the_last_id_is_65534() {
        let mut ids = ClientIdPool::new(65_534);
        assert_eq!((1..=65_534_u32).filter(|_| ids.allocate().is_some()).count(), 65_534);
        assert_eq!(ids.allocate(), None);
        ids.free(ClientId(65_534));
        assert_eq!((ids.allocate(), ids.allocate()), (Some(ClientId(65_534)), None));
    }
}
