use core::ops::Bound;
use std::collections::{BTreeMap, HashMap};
use std::net::SocketAddr;

use super::budget::RelayLimiter;
use super::connection::{AdmissionState, ConnectionSlot};
use super::timers::Timers;
use crate::peer::Peer;
use crate::{ClientId, ConnectionId, Endpoint};

/// All connections, by slot, endpoint, and the numbers that the application knows them by.
#[derive(Debug, Default)]
pub(super) struct ConnectionTable {
    slots: Vec<Option<Box<ConnectionSlot>>>,
    free: Vec<u32>,
    /// Endpoints are chosen by peers, hence the hasher that they cannot guess.
    by_endpoint: HashMap<Endpoint, u32>,
    /// The last one that was found.
    found: Option<(Endpoint, u32)>,
    /// Those that the application has to decide on.
    requested: BTreeMap<ConnectionId, u32>,
    /// Those that have an id, whether they have answered or not.
    clients: BTreeMap<ClientId, u32>,
    /// How many of them have answered.
    connected: usize,
    last_id: u64,
    /// When each of those that are not dirty is to be woken.
    pub(super) timers: Timers,
}

impl ConnectionTable {
    #[inline]
    pub(super) fn find(&mut self, endpoint: &Endpoint) -> Option<u32> {
        // Packets of one peer come together.
        if let Some((found, slot)) = &self.found
            && found.is(endpoint)
        {
            return Some(*slot);
        }
        self.look_up(endpoint)
    }

    fn look_up(&mut self, endpoint: &Endpoint) -> Option<u32> {
        let slot = *self.by_endpoint.get(endpoint)?;
        self.found = Some((*endpoint, slot));
        Some(slot)
    }

    pub(super) fn requested(&self, id: ConnectionId) -> Option<u32> {
        self.requested.get(&id).copied()
    }

    pub(super) fn client(&self, id: ClientId) -> Option<u32> {
        self.clients.get(&id).copied()
    }

    /// The next one that has an id, in the order of ids.
    pub(super) fn client_after(&self, last: Option<ClientId>) -> Option<(ClientId, u32)> {
        let from = last.map_or(Bound::Unbounded, Bound::Excluded);
        self.clients.range((from, Bound::Unbounded)).next().map(|(id, slot)| (*id, *slot))
    }

    /// Those that have answered, in the order of their ids.
    pub(super) fn connected(&self) -> impl Iterator<Item = (ClientId, &ConnectionSlot)> {
        let all = self.clients.iter().filter_map(|(id, slot)| Some((*id, self.get(*slot)?)));
        all.filter(|(_, connection)| connection.is_connected())
    }

    pub(super) const fn connected_count(&self) -> usize {
        self.connected
    }

    #[inline]
    pub(super) fn get(&self, slot: u32) -> Option<&ConnectionSlot> {
        self.slots.get(usize::try_from(slot).ok()?)?.as_deref()
    }

    #[inline]
    pub(super) fn get_mut(&mut self, slot: u32) -> Option<&mut ConnectionSlot> {
        self.slots.get_mut(usize::try_from(slot).ok()?)?.as_deref_mut()
    }

    /// All slots, taken or not.
    pub(super) fn slots(&self) -> core::ops::Range<u32> {
        0..u32::try_from(self.slots.len()).unwrap_or(u32::MAX)
    }

    /// A new connection, which waits for the application.
    pub(super) fn insert(&mut self, peer: Peer, address: Option<SocketAddr>) -> u32 {
        self.last_id = self.last_id.wrapping_add(1);
        let id = ConnectionId(self.last_id);
        let endpoint = peer.endpoint();
        let stage = AdmissionState::AwaitingDecision { answers: 0 };
        let connection =
            ConnectionSlot { id, address, peer, stage, is_dirty: false, relayed: RelayLimiter::default() };
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            self.slots().end.saturating_sub(1)
        });
        if let Some(place) = usize::try_from(slot).ok().and_then(|slot| self.slots.get_mut(slot)) {
            *place = Some(Box::new(connection));
        }
        self.by_endpoint.insert(endpoint, slot);
        self.requested.insert(id, slot);
        slot
    }

    /// A connection that was requested gets an id.
    pub(super) fn accept(&mut self, slot: u32, client: ClientId, answers: u16) {
        let Some(connection) = self.get_mut(slot) else { return };
        connection.stage = AdmissionState::AwaitingEcho { client, answers };
        let id = connection.id;
        self.requested.remove(&id);
        self.clients.insert(client, slot);
    }

    /// A connection that was accepted has answered.
    pub(super) fn connect(&mut self, slot: u32, client: ClientId) {
        let Some(connection) = self.get_mut(slot) else { return };
        connection.stage = AdmissionState::Connected { client };
        self.connected = self.connected.saturating_add(1);
    }

    pub(super) fn remove(&mut self, slot: u32) -> Option<ConnectionSlot> {
        let connection = *self.slots.get_mut(usize::try_from(slot).ok()?)?.take()?;
        self.free.push(slot);
        self.timers.set(slot, None);
        self.by_endpoint.remove(&connection.endpoint());
        self.found = None;
        match connection.stage {
            AdmissionState::AwaitingDecision { .. } => drop(self.requested.remove(&connection.id)),
            AdmissionState::AwaitingEcho { client, .. } => drop(self.clients.remove(&client)),
            AdmissionState::Connected { client } => {
                self.clients.remove(&client);
                self.connected = self.connected.saturating_sub(1);
            }
        }
        Some(connection)
    }

    /// The memory that is held for connections, in bytes; trees and hash tables about.
    pub(super) fn held_bytes(&self) -> usize {
        let slots = self.slots.iter().flatten().map(|connection| connection.held_bytes());
        let tables = self.slots.capacity().saturating_mul(size_of::<usize>());
        let free = self.free.capacity().saturating_mul(size_of::<u32>());
        let endpoints = self.by_endpoint.capacity().saturating_mul(size_of::<(Endpoint, u32, u8)>());
        let numbers = self.clients.len().saturating_add(self.requested.len()).saturating_mul(32);
        let fixed = [tables, free, endpoints, numbers, self.timers.held_bytes()];
        slots.chain(fixed).fold(0, usize::saturating_add)
    }
}
