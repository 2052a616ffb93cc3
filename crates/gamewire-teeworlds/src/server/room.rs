use core::time::Duration;
use std::collections::{HashMap, VecDeque};
use std::net::{IpAddr, SocketAddr};

use gamewire_machine::Instant;

use super::peer::{Peer, SnapshotScratch};
use super::stage::{PeerState, Playing};
use super::{Event, ServerConfig};
use crate::handshake::{PrefixRateLimiter, Rate, SeededRng, TokenBucket, customer_prefix};
use crate::link::{CloseReason, Link, Outbox};
use crate::session::message::{ClientId, ServerMessage};
use crate::session::world::World;

/// How often somebody may come from one prefix of addresses: each coming and going is told to all.
const JOIN_RATE: Rate = Rate { burst: 64, interval: Duration::from_millis(250) };
const ENTRY_BUCKETS: usize = 1024;
/// How many events wait; after that those go first that an application can do without.
const EVENTS: usize = 1024;

/// Who is there, and what is played.
#[derive(Debug)]
pub(super) struct ServerState {
    pub(super) config: ServerConfig,
    pub(super) peers: Vec<Option<Box<Peer>>>,
    /// The places by address. Addresses are chosen by peers, hence the hasher that they cannot guess.
    slots_by_addr: HashMap<SocketAddr, usize>,
    join_limiter: PrefixRateLimiter,
    /// How much may still be said to everybody, by all players together.
    pub(super) broadcast_bucket: TokenBucket,
    pub(super) world: World,
    pub(super) tick: i32,
    pub(super) workbench: SnapshotScratch,
    /// When tick 0 was.
    pub(super) began: Instant,
    events: VecDeque<Event>,
}

impl ServerState {
    pub(super) fn new(config: ServerConfig, entropy: &mut SeededRng, now: Instant) -> Self {
        let places = usize::from(config.max_clients.clamp(1, MAX_CLIENTS));
        Self {
            config,
            peers: (0..places).map(|_| None).collect(),
            slots_by_addr: HashMap::with_capacity(places),
            join_limiter: PrefixRateLimiter::with_buckets(ENTRY_BUCKETS, JOIN_RATE, entropy),
            broadcast_bucket: TokenBucket::default(),
            world: World::default(),
            tick: 0,
            workbench: SnapshotScratch::default(),
            began: now,
            events: VecDeque::new(),
        }
    }

    /// Memory that is held beside connections, in bytes: always the same.
    pub(super) fn held_bytes(&self) -> usize {
        self.join_limiter.held_bytes()
    }

    /// The place of an address.
    pub(super) fn slot(&self, address: SocketAddr) -> Option<usize> {
        self.slots_by_addr.get(&address).copied()
    }

    pub(super) fn peer(&mut self, place: usize) -> Option<&mut Peer> {
        self.peers.get_mut(place)?.as_deref_mut()
    }

    /// Everybody who is in the game.
    pub(super) fn playing(&self) -> impl Iterator<Item = (ClientId, &Playing)> {
        self.peers.iter().flatten().filter_map(|peer| match &peer.stage {
            PeerState::Playing(playing) => Some((peer.id, &**playing)),
            _ => None,
        })
    }

    /// Gives a place to somebody who has proven an address, or turns them away.
    pub(super) fn accept(&mut self, now: Instant, mut link: Link, out: &mut Outbox) -> Option<usize> {
        let address = link.peer();
        if let Some(place) = self.slot(address) {
            // The same player, who started anew and has proven the address again.
            self.remove(now, place, CloseReason::PeerClosed { reason: "reconnected".into() }, out);
        }
        let same = self.slots_by_addr.keys().filter(|known| same_host(known.ip(), address.ip())).count();
        let most = self.config.max_clients_per_address;
        if !self.join_limiter.take(now, address) {
            link.close(now, Some(b"Too many connections in a short time"), out);
            return None;
        }
        if self.events.len() >= EVENTS {
            // Nobody takes the events: no more of them are made.
            link.close(now, Some(b"This server is full"), out);
            return None;
        }
        if same >= usize::from(most) {
            let reason = format!("Only {most} players with the same IP are allowed");
            link.close(now, Some(reason.as_bytes()), out);
            return None;
        }
        let Some((place, free)) = self.peers.iter_mut().enumerate().find(|(_, place)| place.is_none()) else {
            link.close(now, Some(b"This server is full"), out);
            return None;
        };
        let id = ClientId(u8::try_from(place).unwrap_or(u8::MAX));
        let dialect = link.dialect();
        *free = Some(Box::new(Peer::new(id, link, now)));
        self.slots_by_addr.insert(address, place);
        self.emit(Event::Connected { id, address, dialect });
        Some(place)
    }

    /// Somebody is gone, and everybody else is told.
    pub(super) fn remove(&mut self, now: Instant, place: usize, reason: CloseReason, out: &mut Outbox) {
        let Some(peer) = self.peers.get_mut(place).and_then(Option::take) else { return };
        self.slots_by_addr.remove(&peer.link.peer());
        if matches!(peer.stage, PeerState::Playing(_)) {
            self.broadcast_leave(now, &peer, &reason, out);
        }
        self.emit(Event::Closed { id: peer.id, reason });
    }

    /// Sends somebody away.
    pub(super) fn drop_peer(&mut self, now: Instant, place: usize, reason: &str, out: &mut Outbox) {
        if let Some(peer) = self.peer(place) {
            peer.link.close(now, Some(reason.as_bytes()), out);
            self.remove(now, place, CloseReason::Refused { reason: reason.into() }, out);
        }
    }

    /// Says something to everybody in the game.
    pub(super) fn broadcast(&mut self, now: Instant, word: &ServerMessage<'_>, out: &mut Outbox) {
        for peer in self.peers.iter_mut().flatten() {
            if matches!(peer.stage, PeerState::Playing(_)) {
                peer.send_or_close(now, word, out);
            }
        }
    }

    pub(super) fn emit(&mut self, event: Event) {
        if self.events.len() >= EVENTS
            && let Some(at) = self.events.iter().position(Event::is_dispensable)
        {
            self.events.remove(at);
        }
        // Only coming and going is left then, and nobody comes any more.
        self.events.push_back(event);
    }

    pub(super) fn next_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }
}

/// The places that the games' clients know of.
pub(super) const MAX_CLIENTS: u8 = 64;

/// Whether two addresses may be of the same host: in IPv6 it has as many as it likes.
fn same_host(one: IpAddr, other: IpAddr) -> bool {
    match (one.to_canonical(), other.to_canonical()) {
        (IpAddr::V6(one), IpAddr::V6(other)) => customer_prefix(one) == customer_prefix(other),
        (one, other) => one == other,
    }
}
