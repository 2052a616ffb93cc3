use core::time::Duration;
use std::collections::{HashMap, VecDeque};
use std::net::{IpAddr, SocketAddr};

use gamewire_machine::Instant;

use super::peer::{Bench, Peer};
use super::stage::{Playing, Stage};
use super::{Event, ServerConfig};
use crate::handshake::{Bucket, Entropy, PrefixLimit, Rate, site};
use crate::link::{CloseReason, Link, Outbox};
use crate::session::message::{ClientId, FromServer};
use crate::session::world::World;

/// How often somebody may come from one prefix of addresses: each coming and going is told to all.
const ENTRIES: Rate = Rate { burst: 64, every: Duration::from_millis(250) };
const ENTRY_BUCKETS: usize = 1024;
/// How many events wait; after that those go first that an application can do without.
const EVENTS: usize = 1024;

/// Who is there, and what is played.
#[derive(Debug)]
pub(super) struct Room {
    pub(super) config: ServerConfig,
    pub(super) peers: Vec<Option<Box<Peer>>>,
    /// The places by address. Addresses are chosen by peers, hence the hasher that they cannot guess.
    places: HashMap<SocketAddr, usize>,
    entries: PrefixLimit,
    /// How much may still be said to everybody, by all players together.
    pub(super) voices: Bucket,
    pub(super) world: World,
    pub(super) tick: i32,
    pub(super) workbench: Bench,
    /// When tick 0 was.
    pub(super) began: Instant,
    events: VecDeque<Event>,
}

impl Room {
    pub(super) fn new(config: ServerConfig, entropy: &mut Entropy, now: Instant) -> Self {
        let places = usize::from(config.max_clients.clamp(1, MAX_CLIENTS));
        Self {
            config,
            peers: (0..places).map(|_| None).collect(),
            places: HashMap::with_capacity(places),
            entries: PrefixLimit::with_buckets(ENTRY_BUCKETS, ENTRIES, entropy),
            voices: Bucket::default(),
            world: World::default(),
            tick: 0,
            workbench: Bench::default(),
            began: now,
            events: VecDeque::new(),
        }
    }

    /// Memory that is held beside connections, in bytes: always the same.
    pub(super) fn held_bytes(&self) -> usize {
        self.entries.held_bytes()
    }

    /// The place of an address.
    pub(super) fn place(&self, address: SocketAddr) -> Option<usize> {
        self.places.get(&address).copied()
    }

    pub(super) fn peer(&mut self, place: usize) -> Option<&mut Peer> {
        self.peers.get_mut(place)?.as_deref_mut()
    }

    /// Everybody who is in the game.
    pub(super) fn playing(&self) -> impl Iterator<Item = (ClientId, &Playing)> {
        self.peers.iter().flatten().filter_map(|peer| match &peer.stage {
            Stage::Playing(playing) => Some((peer.id, &**playing)),
            _ => None,
        })
    }

    /// Gives a place to somebody who has proven an address, or turns them away.
    pub(super) fn admit(&mut self, now: Instant, mut link: Link, out: &mut Outbox) -> Option<usize> {
        let address = link.peer();
        if let Some(place) = self.place(address) {
            // The same player, who started anew and has proven the address again.
            self.remove(now, place, CloseReason::PeerClosed { reason: "reconnected".into() }, out);
        }
        let same = self.places.keys().filter(|known| same_host(known.ip(), address.ip())).count();
        let most = self.config.max_clients_per_address;
        if !self.entries.take(now, address) {
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
        self.places.insert(address, place);
        self.tell(Event::Connected { id, address, dialect });
        Some(place)
    }

    /// Somebody is gone, and everybody else is told.
    pub(super) fn remove(&mut self, now: Instant, place: usize, reason: CloseReason, out: &mut Outbox) {
        let Some(peer) = self.peers.get_mut(place).and_then(Option::take) else { return };
        self.places.remove(&peer.link.peer());
        if matches!(peer.stage, Stage::Playing(_)) {
            self.said_goodbye(now, &peer, &reason, out);
        }
        self.tell(Event::Closed { id: peer.id, reason });
    }

    /// Sends somebody away.
    pub(super) fn drop_peer(&mut self, now: Instant, place: usize, reason: &str, out: &mut Outbox) {
        if let Some(peer) = self.peer(place) {
            peer.link.close(now, Some(reason.as_bytes()), out);
            self.remove(now, place, CloseReason::Refused { reason: reason.into() }, out);
        }
    }

    /// Says something to everybody in the game.
    pub(super) fn broadcast(&mut self, now: Instant, word: &FromServer<'_>, out: &mut Outbox) {
        for peer in self.peers.iter_mut().flatten() {
            if matches!(peer.stage, Stage::Playing(_)) {
                peer.tell(now, word, out);
            }
        }
    }

    pub(super) fn tell(&mut self, event: Event) {
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
        (IpAddr::V6(one), IpAddr::V6(other)) => site(one) == site(other),
        (one, other) => one == other,
    }
}
