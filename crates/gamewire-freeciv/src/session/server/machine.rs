use core::convert::Infallible;
use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;

use gamewire_machine::{Instant, Machine, StreamId, StreamOutput, Wake};

use super::peer::Peer;
use super::stage::PeerState;
use super::{ClientId, CloseReason, Event, ServerConfig};
use crate::session::{Capabilities, CapabilityError};

/// A server of many clients.
#[derive(Debug)]
pub struct Server {
    pub(super) config: ServerConfig,
    pub(super) capabilities: Capabilities,
    pub(super) peers: BTreeMap<StreamId, Peer>,
    pub(super) streams: BTreeMap<ClientId, StreamId>,
    pub(super) events: VecDeque<Event>,
    /// Those that have something to write, or are to be closed.
    queue: VecDeque<StreamId>,
    last_id: ClientId,
    pub(super) now: Instant,
}

impl Server {
    /// A server without clients.
    ///
    /// # Errors
    /// Its list of capabilities is too long.
    pub fn new(config: ServerConfig, now: Instant) -> Result<Self, CapabilityError> {
        let capabilities = Capabilities::parse(&config.capabilities)?;
        Ok(Self {
            config,
            capabilities,
            peers: BTreeMap::new(),
            streams: BTreeMap::new(),
            events: VecDeque::new(),
            queue: VecDeque::new(),
            last_id: ClientId(0),
            now,
        })
    }

    /// As it was made.
    #[must_use]
    pub const fn config(&self) -> &ServerConfig {
        &self.config
    }

    /// About how many bytes wait for those that have not been let in.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        let half_open = self.peers.values().filter(|peer| peer.is_half_open());
        half_open.map(|peer| peer.link.waiting().saturating_add(peer.splitter.held_bytes())).sum()
    }

    /// A number that no client has.
    fn free_id(&mut self) -> Option<ClientId> {
        for _ in 0..=self.streams.len() {
            let next = self.last_id.0.checked_add(1).filter(|id| *id <= i16::MAX.unsigned_abs());
            self.last_id = ClientId(next.unwrap_or(1));
            if !self.streams.contains_key(&self.last_id) {
                return Some(self.last_id);
            }
        }
        None
    }

    /// Whether one more from this address may log in.
    fn has_room(&self, from: SocketAddr) -> bool {
        let half_open = self.peers.values().filter(|peer| peer.is_half_open()).count();
        let alike = self.peers.values().filter(|peer| peer.address == from.ip()).count();
        self.peers.len() < self.config.max_clients
            && half_open < self.config.max_half_open
            && alike < self.config.max_per_ip
    }

    /// Lets a client stand in the queue of those that have something to do.
    pub(super) fn enqueue(&mut self, stream: StreamId) {
        if let Some(peer) = self.peers.get_mut(&stream).filter(|peer| !peer.is_queued) {
            peer.is_queued = true;
            self.queue.push_back(stream);
        }
    }

    /// Does something with a client; if that fails, the client is gone.
    pub(super) fn with(
        &mut self,
        stream: StreamId,
        act: impl FnOnce(&mut Peer, &mut VecDeque<Event>) -> Result<(), CloseReason>,
    ) {
        let Some(peer) = self.peers.get_mut(&stream) else { return };
        if let Err(reason) = act(peer, &mut self.events) {
            self.close(stream, reason);
        }
        self.enqueue(stream);
    }
}

impl Machine for Server {
    type Event = Event;
    type DatagramError = Infallible;

    fn handle_timeout(&mut self, now: Instant) {
        self.now = now;
        let timeout = self.config.ping_timeout;
        let is_due = |peer: &Peer| peer.stage.wake(timeout).is_some_and(|wake| wake.at <= now);
        let due: Vec<StreamId> =
            self.peers.iter().filter(|(_, peer)| is_due(peer)).map(|(stream, _)| *stream).collect();
        let mut is_pinging = false;
        for stream in due {
            is_pinging |= self.is_late(stream);
        }
        if is_pinging {
            self.tell_ping_times();
        }
    }

    fn poll_timeout(&self) -> Option<Wake> {
        let wakes = self.peers.values().filter_map(|peer| peer.stage.wake(self.config.ping_timeout));
        wakes.min_by_key(|wake| wake.at)
    }

    fn poll_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    fn handle_open(&mut self, now: Instant, stream: StreamId, from: SocketAddr) {
        self.now = now;
        if self.peers.contains_key(&stream) {
            return;
        }
        let id = if self.has_room(from) { self.free_id() } else { None };
        let is_welcome = id.is_some();
        let mut peer = Peer::new(&self.config, id.unwrap_or(ClientId(0)), from.ip(), now);
        match id {
            Some(id) => drop(self.streams.insert(id, stream)),
            None => peer.stage = PeerState::Closed,
        }
        self.peers.insert(stream, peer);
        if !is_welcome {
            self.enqueue(stream);
        }
    }

    fn handle_bytes(&mut self, now: Instant, stream: StreamId, data: &[u8]) {
        self.now = now;
        if let Err(reason) = self.read(stream, data) {
            self.close(stream, reason);
        }
        self.enqueue(stream);
    }

    fn handle_close(&mut self, now: Instant, stream: StreamId) {
        self.now = now;
        self.close(stream, CloseReason::Left);
        self.peers.remove(&stream);
    }

    fn poll_stream(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<StreamOutput> {
        self.now = now;
        while let Some(stream) = self.queue.front().copied() {
            let Some(peer) = self.peers.get_mut(&stream) else {
                self.queue.pop_front();
                continue;
            };
            if peer.link.poll(buffer) {
                return Some(StreamOutput::Write(stream));
            }
            self.queue.pop_front();
            peer.is_queued = false;
            if matches!(peer.stage, PeerState::Closed) {
                self.peers.remove(&stream);
                return Some(StreamOutput::Close(stream));
            }
        }
        None
    }
}
