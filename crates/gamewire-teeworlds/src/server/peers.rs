use core::mem::swap;
use std::collections::HashMap;
use std::net::SocketAddr;

use gamewire_machine::{Clock, Instant, TimerTable, Wake};

use super::peer::Peer;
use super::peer_state::{PeerState, Playing};
use crate::Dialect;
use crate::link::{Link, Outbox};
use crate::model::message::ClientId;

/// Maximum slots that 0.7 can show.
pub(super) const MAX_SLOTS_07: u8 = 64;

/// The connected clients by slot and by address, with the time and the unsent datagrams of all links.
#[derive(Debug)]
pub(super) struct Peers {
    pub(super) clock: Clock,
    pub(super) transmits: Outbox,
    slots: Vec<Option<Box<Peer>>>,
    /// Peers choose their addresses, so the hasher must not be predictable.
    slots_by_addr: HashMap<SocketAddr, usize>,
    /// The next timer of each slot.
    timers: TimerTable,
}

impl Peers {
    pub(super) fn new(slots: usize, now: Instant) -> Self {
        Self {
            clock: Clock::new(now),
            transmits: Outbox::new(),
            slots: (0..slots).map(|_| None).collect(),
            slots_by_addr: HashMap::with_capacity(slots),
            timers: TimerTable::new(),
        }
    }

    pub(super) const fn slot_count(&self) -> usize {
        self.slots.len()
    }

    /// Returns the slot of an address.
    pub(super) fn slot(&self, address: SocketAddr) -> Option<usize> {
        self.slots_by_addr.get(&address).copied()
    }

    pub(super) fn addresses(&self) -> impl Iterator<Item = &SocketAddr> {
        self.slots_by_addr.keys()
    }

    pub(super) fn get(&self, slot: usize) -> Option<&Peer> {
        self.slots.get(slot)?.as_deref()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Peer> {
        self.slots.iter().flatten().map(|peer| &**peer)
    }

    /// Returns the players in the game.
    pub(super) fn playing(&self) -> impl Iterator<Item = (ClientId, &Playing)> {
        self.iter().filter_map(|peer| match &peer.state {
            PeerState::Playing(playing) => Some((peer.id, &**playing)),
            _ => None,
        })
    }

    /// Returns the players in the game. A change of this data does not affect their timers.
    pub(super) fn playing_mut(&mut self) -> impl Iterator<Item = (ClientId, &mut Playing)> {
        self.slots.iter_mut().flatten().filter_map(|peer| match &mut peer.state {
            PeerState::Playing(playing) => Some((peer.id, &mut **playing)),
            _ => None,
        })
    }

    /// Returns the link of a slot, and the queue for datagrams that the link does not send.
    pub(super) fn link_and_transmits(&mut self, slot: usize) -> Option<(&Link, &mut Outbox)> {
        let peer = self.slots.get(slot)?.as_deref()?;
        Some((&peer.link, &mut self.transmits))
    }

    /// Changes a peer at the current time and restarts its timer. Its datagrams are added to the queue of the server.
    pub(super) fn update<T>(&mut self, slot: usize, change: impl FnOnce(&mut Peer) -> T) -> Option<T> {
        let peer = self.slots.get_mut(slot)?.as_deref_mut()?;
        peer.link.advance(self.clock.now());
        swap(&mut peer.link.transmits, &mut self.transmits);
        let result = change(peer);
        swap(&mut peer.link.transmits, &mut self.transmits);
        self.timers.set(slot, peer.poll_timeout());
        Some(result)
    }

    /// Calls [`Peers::update`] for every peer.
    pub(super) fn update_all(&mut self, mut change: impl FnMut(&mut Peer)) {
        for slot in 0..self.slots.len() {
            self.update(slot, &mut change);
        }
    }

    /// Returns a free slot for a client of a dialect. In 0.7 there are no ids over 63.
    pub(super) fn free_slot(&self, dialect: Dialect) -> Option<usize> {
        let slots = if dialect == Dialect::V07 { MAX_SLOTS_07.into() } else { usize::MAX };
        self.slots.iter().take(slots).position(Option::is_none)
    }

    /// Puts a verified connection into a free slot, if there is one.
    pub(super) fn insert(&mut self, mut link: Link) -> Option<usize> {
        let slot = self.free_slot(link.dialect())?;
        self.send_rest_of(&mut link);
        self.slots_by_addr.insert(link.peer(), slot);
        let id = ClientId(u8::try_from(slot).unwrap_or(u8::MAX));
        let peer = Peer::new(id, link, self.clock.now());
        self.timers.set(slot, peer.poll_timeout());
        if let Some(free) = self.slots.get_mut(slot) {
            *free = Some(Box::new(peer));
        }
        Some(slot)
    }

    /// Takes over the unsent datagrams of a link that has no slot.
    pub(super) fn send_rest_of(&mut self, link: &mut Link) {
        self.transmits.append(&mut core::mem::take(&mut link.transmits));
    }

    pub(super) fn remove(&mut self, slot: usize) -> Option<Box<Peer>> {
        let peer = self.slots.get_mut(slot)?.take()?;
        self.slots_by_addr.remove(&peer.link.peer());
        self.timers.set(slot, None);
        Some(peer)
    }

    pub(super) fn poll_timeout(&self) -> Option<Wake> {
        self.timers.next()
    }

    /// Returns the slot of a peer with a due timer. The caller must then call [`Peers::update`].
    pub(super) fn pop_due(&mut self) -> Option<usize> {
        self.timers.pop_due(self.clock.now())
    }
}
