use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use gamewire_machine::{Clock, EventQueue, Instant, StreamId, TimerTable};

use super::config::Settings;
use super::peer::{Peer, PeerResult};
use super::peers::Peers;
use super::{ClientId, Event, SendError, ServerConfig};
use crate::session::{Capabilities, CapabilityError, PlayerRole};

/// A server for many clients.
#[derive(Debug)]
pub struct Server {
    pub(super) settings: Arc<Settings>,
    pub(super) clock: Clock,
    pub(super) events: EventQueue<Event>,
    /// The next timer of each peer, by client id.
    pub(super) timers: TimerTable,
    pub(super) peers: Peers,
    /// Streams that may have bytes to write, or must be closed.
    pub(super) ready: VecDeque<StreamId>,
    /// Unsent bytes of streams that no longer have a peer.
    pub(super) closing: BTreeMap<StreamId, Vec<u8>>,
}

impl Server {
    /// Creates a server without clients.
    ///
    /// # Errors
    /// [`CapabilityError`] if the capability string is too long.
    pub fn new(config: ServerConfig, now: Instant) -> Result<Self, CapabilityError> {
        let capabilities = Capabilities::parse(&config.capabilities)?;
        Ok(Self {
            clock: Clock::new(now),
            events: EventQueue::new(config.event_limits),
            timers: TimerTable::new(),
            peers: Peers::default(),
            ready: VecDeque::new(),
            closing: BTreeMap::new(),
            settings: Arc::new(Settings { config, capabilities }),
        })
    }

    /// Returns the configuration.
    pub fn config(&self) -> &ServerConfig {
        &self.settings.config
    }

    /// Returns the player that a client plays or observes, or `None` if no client with this id has joined.
    pub fn role(&self, client: ClientId) -> Option<PlayerRole> {
        self.peers.get(client)?.playing().map(|playing| playing.role)
    }

    /// Returns the clients that have joined, by ascending id.
    pub fn clients(&self) -> Vec<ClientId> {
        self.peers.iter().filter(|peer| peer.playing().is_some()).map(|peer| peer.id).collect()
    }

    /// Returns the bytes of memory for clients that have not joined.
    pub fn held_bytes(&self) -> usize {
        self.peers.iter().filter(|peer| peer.playing().is_none()).map(Peer::held_bytes).sum()
    }

    /// Runs `act` on a peer and emits the event that it returns. Then re-arms the peer's timer and queues its stream
    /// for writing. Closes the peer if `act` fails.
    pub(super) fn update(&mut self, client: ClientId, act: impl FnOnce(&mut Peer) -> PeerResult) {
        let Some(peer) = self.peers.get_mut(client) else { return };
        match act(peer) {
            Ok(event) => event.into_iter().for_each(|event| self.events.push(event)),
            Err(reason) => return self.close(client, reason),
        }
        self.timers.set(client.timer_key(), peer.state.wake(self.settings.config.ping_timeout));
        if !peer.is_ready {
            peer.is_ready = true;
            self.ready.push_back(peer.stream);
        }
    }

    /// Runs a command on a peer as [`update`](Self::update) does. If `check` rejects the peer's state, nothing changes.
    pub(super) fn command(
        &mut self,
        client: ClientId,
        check: impl FnOnce(&Peer) -> bool,
        act: impl FnOnce(&mut Peer) -> PeerResult,
    ) -> Result<(), SendError> {
        let peer = self.peers.get(client).ok_or(SendError::NoSuchClient)?;
        if !check(peer) {
            return Err(SendError::NotRequested);
        }
        self.update(client, act);
        Ok(())
    }
}
