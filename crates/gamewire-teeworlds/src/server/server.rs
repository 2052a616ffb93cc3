use gamewire_machine::Instant;

use super::state::ServerState;
use super::{GameLogic, ServerConfig};
use crate::handshake::{Acceptor, AcceptorStats, SeededRng};
use crate::link::{LinkStats, Scratch};
use crate::session::message::ClientId;
use crate::session::world::World;

/// A server of all dialects with the game `G`.
///
/// An unverified address uses no memory. Messages of clients that cannot be decoded are dropped and counted.
#[derive(Debug)]
pub struct Server<G> {
    pub(super) state: ServerState,
    pub(super) game: G,
    pub(super) acceptor: Acceptor,
    pub(super) scratch: Scratch,
    pub(super) undecodable: u64,
}

impl<G: GameLogic> Server<G> {
    /// Creates a server whose first tick begins at `now`.
    #[must_use]
    pub fn new(config: ServerConfig, game: G, now: Instant) -> Self {
        let mut rng = SeededRng::new(config.seed);
        let acceptor = Acceptor::new(config.acceptor, &mut rng);
        let state = ServerState::new(config, &mut rng, now);
        Self { state, game, acceptor, scratch: Scratch::new(), undecodable: 0 }
    }

    /// Returns the world after the last tick.
    #[must_use]
    pub const fn world(&self) -> &World {
        &self.state.world
    }

    /// Returns the game.
    pub const fn game(&mut self) -> &mut G {
        &mut self.game
    }

    /// Returns the counters of a client's connection.
    #[must_use]
    pub fn stats(&self, id: ClientId) -> Option<&LinkStats> {
        self.state.peers.get(id.0.into()).map(|peer| peer.link.stats())
    }

    /// Returns the number of connected clients.
    #[must_use]
    pub fn client_count(&self) -> usize {
        self.state.peers.iter().count()
    }

    /// Returns the counters of datagrams from addresses without a connection.
    #[must_use]
    pub const fn acceptor_stats(&self) -> &AcceptorStats {
        self.acceptor.stats()
    }

    /// Returns the number of client messages that could not be decoded.
    #[must_use]
    pub const fn undecodable(&self) -> u64 {
        self.undecodable
    }

    /// Returns the memory of the connections, the snapshots and the rate limits, in bytes.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        self.acceptor.held_bytes().saturating_add(self.state.held_bytes())
    }
}
