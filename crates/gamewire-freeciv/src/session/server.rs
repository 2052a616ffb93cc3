//! A server, which accepts clients and processes their packets one at a time.
//!
//! A [`Server`] is a [`Machine`](gamewire_machine::Machine) with a stream for each client. It logs clients in, pings
//! them, and emits their packets. For each client, it emits one packet at a time. The packets that the application
//! sends between such an [`Event`] and [`Server::finish_request`] are the answer to the client. They are frozen, and
//! sent together between the PROCESSING_STARTED and PROCESSING_FINISHED packets of the request.
//!
//! A [`Replay`] sends the recorded packets of another server to a client.

mod accept;
mod commands;
mod config;
mod disconnect;
mod error;
mod event;
mod machine;
mod peer;
mod peers;
mod receive;
mod replay;
mod roles;
mod state;
mod timers;
mod transmit;

pub use config::{LoginPolicy, ServerConfig};
pub use error::{CloseReason, SendError};
pub use event::{ClientId, Event};
pub use replay::{Replay, ReplayError, ReplayProgress};

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use gamewire_machine::{Clock, EventQueue, Instant, StreamId, TimerTable};

use self::config::Settings;
use self::peer::{Peer, PeerResult};
use self::peers::Peers;
use crate::session::{Capabilities, CapabilityError, PlayerRole};

/// A server for many clients.
#[derive(Debug)]
pub struct Server {
    settings: Arc<Settings>,
    clock: Clock,
    events: EventQueue<Event>,
    /// The next timer of each peer, by client id.
    timers: TimerTable,
    peers: Peers,
    /// Streams that may have bytes to write, or must be closed.
    ready: VecDeque<StreamId>,
    /// Unsent bytes of streams that no longer have a peer.
    closing: BTreeMap<StreamId, Vec<u8>>,
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
    fn update(&mut self, client: ClientId, act: impl FnOnce(&mut Peer) -> PeerResult) {
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
    fn command(
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
