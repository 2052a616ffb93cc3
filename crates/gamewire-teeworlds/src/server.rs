//! A server for clients of every dialect on one port: logs them in, sends the map, runs the game and sends snapshots.

mod accept;
mod commands;
mod config;
mod disconnect;
mod event;
mod game;
mod info;
mod inputs;
mod login;
mod machine;
mod map;
mod messages;
mod peer;
mod peer_state;
mod peers;
mod play;
mod receive;
mod settings;
mod snapshots;
#[cfg(test)]
mod tests;
mod ticks;
mod timers;
mod transmit;

pub use config::{ServerConfig, UnprovenInfo};
pub use event::Event;
pub use game::{GameLogic, WalkingGame};
pub use map::{Map, MapChunk};
pub use messages::Messages;
pub use peer::SendError;
pub use settings::TuneParams;
pub use snapshots::View;

use core::time::Duration;

use gamewire_machine::{EventLimits, EventQueue, Instant};

use self::peer::Peer;
use self::peers::Peers;
use self::snapshots::Snapshots;
use self::ticks::Ticks;
use crate::handshake::{Acceptor, AcceptorStats, PrefixRateLimiter, Rate, SeededRng, TokenBucket};
use crate::link::{LinkStats, Scratch};
use crate::model::message::{ClientId, GameInfo, Input};
use crate::model::world::World;

/// Rate limit of connections from one address prefix. Each join and leave is announced to all players.
const JOIN_RATE: Rate = Rate { burst: 64, interval: Duration::from_millis(250) };
const JOIN_BUCKETS: usize = 1024;
/// Rate limit of lists of clients for an address prefix of 0.6. The list makes an answer up to 159 times as long as its
/// request, which may be forged.
const LIST_RATE: Rate = Rate { burst: 4, interval: Duration::from_secs(1) };
const LIST_BUCKETS: usize = 512;
/// Rate limit of relayed messages from all players together. Vital messages occupy the send buffer of every receiver
/// (32 KiB), and a peer with a full buffer is disconnected. A burst of the longest lines fills a third of the buffer.
const BROADCAST_RATE: Rate = Rate { burst: 40, interval: Duration::from_millis(50) };
/// Maximum number of clients that the games support.
const MAX_CLIENTS: u8 = 128;

/// A server of all dialects with the game `G`.
///
/// The server stores nothing for an unverified address. Messages of clients that cannot be decoded are dropped and
/// counted.
#[derive(Debug)]
pub struct Server<G> {
    state: ServerState,
    game: G,
    acceptor: Acceptor,
    scratch: Scratch,
    undecodable: u64,
}

impl<G: GameLogic> Server<G> {
    /// Creates a server. Its first tick begins at `now`.
    pub fn new(config: ServerConfig, game: G, now: Instant) -> Self {
        let mut rng = SeededRng::new(config.seed);
        let acceptor = Acceptor::new(config.acceptor, &mut rng);
        let state = ServerState::new(config, &mut rng, now);
        Self { state, game, acceptor, scratch: Scratch::new(), undecodable: 0 }
    }

    /// Returns the world after the last tick.
    pub const fn world(&self) -> &World {
        &self.state.world
    }

    /// Returns the game.
    pub const fn game(&mut self) -> &mut G {
        &mut self.game
    }

    /// Returns the counters of a client's connection.
    pub fn stats(&self, id: ClientId) -> Option<&LinkStats> {
        self.state.peers.get(id.0.into()).map(|peer| peer.link.stats())
    }

    /// Returns the number of connected clients.
    pub fn client_count(&self) -> usize {
        self.state.peers.iter().count()
    }

    /// Returns the counters of datagrams from addresses without a connection.
    pub const fn acceptor_stats(&self) -> &AcceptorStats {
        self.acceptor.stats()
    }

    /// Returns the number of client messages that could not be decoded.
    pub const fn undecodable(&self) -> u64 {
        self.undecodable
    }

    /// Returns the memory of the connections, the snapshots and the rate limits, in bytes.
    pub fn held_bytes(&self) -> usize {
        self.acceptor.held_bytes().saturating_add(self.state.held_bytes())
    }
}

/// The state of a server except its game.
#[derive(Debug)]
struct ServerState {
    config: ServerConfig,
    peers: Peers,
    events: EventQueue<Event>,
    world: World,
    /// The kind and limits of the game that were sent last.
    sent_game_info: Option<GameInfo>,
    ticks: Ticks,
    snapshots: Snapshots,
    /// The inputs of the current tick.
    inputs: Vec<(ClientId, Input)>,
    join_limiter: PrefixRateLimiter,
    /// Limit of answers with a list of clients to requests that may be forged.
    list_limiter: PrefixRateLimiter,
    broadcast_bucket: TokenBucket,
}

impl ServerState {
    fn new(config: ServerConfig, rng: &mut SeededRng, now: Instant) -> Self {
        Self {
            peers: Peers::new(config.max_clients.clamp(1, MAX_CLIENTS).into(), now),
            config,
            events: EventQueue::new(EventLimits::default()),
            world: World::default(),
            sent_game_info: None,
            ticks: Ticks::new(now),
            snapshots: Snapshots::default(),
            inputs: Vec::new(),
            join_limiter: PrefixRateLimiter::with_buckets(JOIN_BUCKETS, JOIN_RATE, rng),
            list_limiter: PrefixRateLimiter::with_buckets(LIST_BUCKETS, LIST_RATE, rng),
            broadcast_bucket: TokenBucket::default(),
        }
    }

    /// Returns the memory of the connections, the snapshots and the rate limits, in bytes.
    fn held_bytes(&self) -> usize {
        let peers: usize = self.peers.iter().map(Peer::held_bytes).sum();
        let limiters = self.join_limiter.held_bytes().saturating_add(self.list_limiter.held_bytes());
        limiters.saturating_add(peers).saturating_add(self.snapshots.held_bytes())
    }

    /// Returns whether the rate limit for all players together allows another relayed message.
    fn may_broadcast(&mut self) -> bool {
        self.broadcast_bucket.try_acquire(self.peers.clock.now(), BROADCAST_RATE)
    }
}
