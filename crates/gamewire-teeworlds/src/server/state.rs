use core::time::Duration;

use gamewire_machine::{EventLimits, EventQueue, Instant};

use super::peer::{Peer, SnapshotScratch};
use super::peers::Peers;
use super::timers::Ticks;
use super::{Event, ServerConfig};
use crate::handshake::{PrefixRateLimiter, Rate, SeededRng, TokenBucket};
use crate::session::world::World;

/// Rate limit of connections from one address prefix. Each join and leave is announced to all players.
const JOIN_RATE: Rate = Rate { burst: 64, interval: Duration::from_millis(250) };
const JOIN_BUCKETS: usize = 1024;
/// Rate limit of relayed messages from all players together. Vital messages occupy the send buffer of every receiver (32
/// KiB), and a peer whose buffer is full is disconnected. This many of the longest lines fill a third of it.
const BROADCAST_RATE: Rate = Rate { burst: 40, interval: Duration::from_millis(50) };
/// Maximum number of clients that the games support.
const MAX_CLIENTS: u8 = 64;

/// The state of a server except its game.
#[derive(Debug)]
pub(super) struct ServerState {
    pub(super) config: ServerConfig,
    pub(super) peers: Peers,
    pub(super) events: EventQueue<Event>,
    pub(super) world: World,
    pub(super) ticks: Ticks,
    pub(super) snapshot_scratch: SnapshotScratch,
    pub(super) join_limiter: PrefixRateLimiter,
    broadcast_bucket: TokenBucket,
}

impl ServerState {
    pub(super) fn new(config: ServerConfig, rng: &mut SeededRng, now: Instant) -> Self {
        Self {
            peers: Peers::new(config.max_clients.clamp(1, MAX_CLIENTS).into(), now),
            config,
            events: EventQueue::new(EventLimits::default()),
            world: World::default(),
            ticks: Ticks::new(now),
            snapshot_scratch: SnapshotScratch::default(),
            join_limiter: PrefixRateLimiter::with_buckets(JOIN_BUCKETS, JOIN_RATE, rng),
            broadcast_bucket: TokenBucket::default(),
        }
    }

    /// Returns the memory of the connections, the snapshots and the rate limits, in bytes.
    pub(super) fn held_bytes(&self) -> usize {
        let peers: usize = self.peers.iter().map(Peer::held_bytes).sum();
        self.join_limiter.held_bytes().saturating_add(peers)
    }

    /// Returns whether the rate limit of all players together allows another relayed message.
    pub(super) fn may_broadcast(&mut self) -> bool {
        self.broadcast_bucket.try_acquire(self.peers.clock.now(), BROADCAST_RATE)
    }
}
