use std::collections::{HashMap, HashSet, VecDeque};
use std::net::{IpAddr, SocketAddr};

use gamewire_machine::{Transport, limited_network};
use gamewire_watch::PeerNumber;

use super::client::{Client, Proof};

/// Index of a client in the table. The client number detects that another client reuses the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Slot {
    pub(super) index: usize,
    pub(super) client: PeerNumber,
}

/// The clients of a relay.
#[derive(Default)]
pub(super) struct Clients {
    slots: Vec<Option<Client>>,
    free: Vec<usize>,
    /// Clients that use UDP.
    by_address: HashMap<SocketAddr, Slot>,
    /// UDP clients that had not answered the server when they were added, the oldest first.
    unproven: VecDeque<Slot>,
    /// Number of clients that have not answered the server.
    unproven_count: usize,
    /// Number of clients with a proven address, by network. TCP proves an address.
    by_network: HashMap<IpAddr, usize>,
    /// The addresses of the proxy's sockets to the server.
    own: HashSet<SocketAddr>,
    len: usize,
}

impl Clients {
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    pub(super) const fn unproven(&self) -> usize {
        self.unproven_count
    }

    /// Returns the number of clients with a proven address in the network of `address`.
    pub(super) fn count_of(&self, address: SocketAddr) -> usize {
        self.by_network.get(&limited_network(address.ip())).copied().unwrap_or(0)
    }

    /// Returns whether `address` belongs to one of the proxy's sockets to the server.
    pub(super) fn is_own(&self, address: SocketAddr) -> bool {
        self.own.contains(&address)
    }

    /// Returns the index that the next client will have.
    pub(super) fn next_index(&self) -> usize {
        self.free.last().copied().unwrap_or(self.slots.len())
    }

    pub(super) fn add(&mut self, client: Client) -> Slot {
        let index = self.free.pop().unwrap_or(self.slots.len());
        let slot = Slot { index, client: client.number };
        if client.transport() == Transport::Udp {
            self.by_address.insert(client.address, slot);
            self.own.insert(client.local);
            self.unproven.push_back(slot);
            self.unproven_count = self.unproven_count.saturating_add(1);
        } else {
            self.count(client.address);
        }
        match self.slots.get_mut(index) {
            Some(place) => *place = Some(client),
            None => self.slots.push(Some(client)),
        }
        self.len = self.len.saturating_add(1);
        slot
    }

    pub(super) fn remove(&mut self, slot: Slot) -> Option<Client> {
        let place = self.slots.get_mut(slot.index)?;
        let client = place.take_if(|client| client.number == slot.client)?;
        self.free.push(slot.index);
        self.len = self.len.saturating_sub(1);
        if client.transport() == Transport::Udp {
            self.by_address.remove(&client.address);
            self.own.remove(&client.local);
            if client.proof != Proof::Given {
                self.unproven_count = self.unproven_count.saturating_sub(1);
                return Some(client);
            }
        }
        let network = limited_network(client.address.ip());
        if let Some(count) = self.by_network.get_mut(&network) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                self.by_network.remove(&network);
            }
        }
        Some(client)
    }

    /// Counts a UDP client as proven: it has answered the server.
    pub(super) fn proven(&mut self, slot: Slot) {
        let Some(client) = self.get(slot) else { return };
        if client.transport() == Transport::Udp {
            let address = client.address;
            self.unproven_count = self.unproven_count.saturating_sub(1);
            self.count(address);
        }
    }

    fn count(&mut self, address: SocketAddr) {
        let count = self.by_network.entry(limited_network(address.ip())).or_default();
        *count = count.saturating_add(1);
    }

    /// Removes and returns the oldest client that has not answered the server.
    pub(super) fn oldest_unproven(&mut self) -> Option<Slot> {
        while let Some(slot) = self.unproven.pop_front() {
            if self.get(slot).is_some_and(|client| client.proof != Proof::Given) {
                return Some(slot);
            }
        }
        None
    }

    /// Removes clients from `unproven` that are closed or have answered the server.
    pub(super) fn tidy(&mut self) {
        let mut unproven = core::mem::take(&mut self.unproven);
        unproven.retain(|slot| self.get(*slot).is_some_and(|client| client.proof != Proof::Given));
        self.unproven = unproven;
    }

    pub(super) fn with_address(&self, address: SocketAddr) -> Option<Slot> {
        self.by_address.get(&address).copied()
    }

    pub(super) fn at(&self, index: usize) -> Option<Slot> {
        let client = self.slots.get(index)?.as_ref()?;
        Some(Slot { index, client: client.number })
    }

    pub(super) fn get(&self, slot: Slot) -> Option<&Client> {
        self.slots.get(slot.index)?.as_ref().filter(|client| client.number == slot.client)
    }

    pub(super) fn get_mut(&mut self, slot: Slot) -> Option<&mut Client> {
        self.slots.get_mut(slot.index)?.as_mut().filter(|client| client.number == slot.client)
    }

    /// Returns every client.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Slot, &Client)> {
        self.slots.iter().enumerate().filter_map(|(index, place)| {
            let client = place.as_ref()?;
            Some((Slot { index, client: client.number }, client))
        })
    }
}
