//! The server role: clients of both formats over datagrams, streams and the application's own transports at the same
//! time.
//!
//! A connection is half open from the first connect request, which may be forged, until the client echoes the Welcome.
//! Few connections may be half open; the server sends them little, and closes them soon.
//!
//! Amplification: bytes sent to a forged address per byte of the forger, in packets, and with the 28 bytes of IPv4 and
//! UDP headers:
//!
//! | | packets | with headers |
//! |---|---|---|
//! | C# library, one request | 15 x 5 for 1: 75 | 17 |
//! | one request | 3 x 5 for 1: 15 | 3.4 |
//! | each further request | 5 | 1.14 |
//! | a Reject in 2.1 (in 2.0) | 6 (2) | 3.1 (1.03) |
//! | [hardened](ServerConfig::hardened), one request | 5 | 1.14 |
//! | hardened, a request every 10 ms | 0.04 | 0.01 |
//! | hardened, a Reject | 2 | 1.03 |
//!
//! The protocol has no cookie. An attacker who guesses the id in a Welcome (ids are sequential) can echo it from a
//! forged address, and is a client until it times out. An attacker who knows a client's address can disconnect it.
//! If that matters, let the application decide with [`ServerConfig::handle_connection`].

mod accept;
mod broadcast;
mod commands;
mod config;
mod disconnect;
mod event;
mod half_open;
mod machine;
mod peer;
mod peers;
mod queues;
mod receive;
#[cfg_attr(not(feature = "records"), path = "server/records/absent.rs")]
mod records;
mod relay;
mod relay_limits;
mod stats;
mod streams;
#[cfg(test)]
#[allow(
    clippy::arithmetic_side_effects,
    clippy::cast_possible_truncation,
    reason = "a test that overflows fails"
)]
mod tests;
mod transmit;
mod view;
mod websocket;

pub use crate::error::ServerPacketError;
pub use broadcast::Broadcast;
pub use config::ServerConfig;
pub use event::Event;
#[cfg(feature = "records")]
pub use records::RecordPolicy;
pub use relay_limits::{RelayBudget, RelayFilter};
pub use stats::PacketErrorStats;
pub use view::ClientView;

use gamewire_machine::{Clock, Counter, EventLimits, EventQueue, Instant, TimerTable};

use self::half_open::HalfOpenCounter;
use self::peer::Peer;
use self::peers::Peers;
use self::queues::SendQueues;
use self::records::RecordLayer;
use self::streams::StreamTable;
use crate::link::Metrics;
use crate::websocket::WebSocketStats;
use crate::{ClientId, Endpoint, Format};

/// Limits of the event queue. While it is full, the server drops messages and connect requests, and clients resend
/// reliable messages.
const EVENT_LIMITS: EventLimits = EventLimits { max_events: 16_384, max_heap_bytes: 64 << 20 };

/// A server for clients of both formats.
///
/// Drive it as a [`Machine`](gamewire_machine::Machine) over datagrams and streams, as a
/// [`PacketMachine`](crate::PacketMachine), or in several of these ways at the same time.
#[derive(Debug)]
pub struct Server {
    config: ServerConfig,
    clock: Clock,
    is_running: bool,
    accepts_clients: bool,
    peers: Peers,
    half_open: HalfOpenCounter,
    streams: StreamTable,
    /// Timers of the peers that are not dirty, by slot.
    timers: TimerTable,
    queues: SendQueues,
    events: EventQueue<Event>,
    relay_dropped: Counter,
    relay_deferred: Counter,
    rejected_full: Counter,
    rejected_closed: Counter,
    packet_errors: PacketErrorStats,
    websocket: WebSocketStats,
    /// The sum of the metrics of removed peers.
    closed_metrics: Metrics,
    /// Disconnected clients that the other clients have not been notified of.
    disconnected_clients: Vec<ClientId>,
    /// Encryption of datagrams; `None` without it.
    records: Option<Box<RecordLayer>>,
    /// Buffer for the payload of a message.
    scratch: Box<[u8]>,
    /// Buffer for a packet that is put into a frame.
    packet: Vec<u8>,
}

impl Server {
    /// Creates a running server (`Start`).
    pub fn new(config: ServerConfig, now: Instant) -> Self {
        let max_size =
            Format::ALL.map(|format| config.max_size(format)).into_iter().max().unwrap_or_default();
        Self {
            half_open: HalfOpenCounter::new(config.max_half_open, config.max_half_open_per_ip),
            peers: Peers::new(config.clients()),
            queues: SendQueues::new(config.clients()),
            config,
            clock: Clock::new(now),
            is_running: true,
            accepts_clients: true,
            streams: StreamTable::default(),
            timers: TimerTable::new(),
            events: EventQueue::new(EVENT_LIMITS),
            relay_dropped: Counter::default(),
            relay_deferred: Counter::default(),
            rejected_full: Counter::default(),
            rejected_closed: Counter::default(),
            packet_errors: PacketErrorStats::default(),
            websocket: WebSocketStats::default(),
            closed_metrics: Metrics::default(),
            disconnected_clients: Vec::new(),
            records: None,
            scratch: vec![0; max_size].into_boxed_slice(),
            packet: Vec::new(),
        }
    }

    /// Returns the client with this id (`TryGetClient`).
    pub fn client(&self, id: ClientId) -> Option<ClientView<'_>> {
        let peer = self.peers.get(self.peers.client(id)?)?;
        Some(ClientView::new(id, peer))
    }

    /// Returns all connected clients in the order of their ids (`Clients`).
    pub fn clients(&self) -> impl Iterator<Item = ClientView<'_>> {
        self.peers.connected().map(|(id, peer)| ClientView::new(id, peer))
    }

    /// Returns the number of connected clients (`ClientCount`).
    pub const fn client_count(&self) -> usize {
        self.peers.connected_count()
    }

    /// Returns the maximum number of clients (`MaxClientCount`).
    pub fn max_client_count(&self) -> u16 {
        self.config.clients()
    }

    /// Returns the number of half-open connections, and of streams without a connect request.
    pub const fn half_open_count(&self) -> usize {
        self.half_open.count()
    }

    /// Returns whether the server was not stopped (`IsRunning`).
    pub const fn is_running(&self) -> bool {
        self.is_running
    }

    /// Returns whether the server accepts new clients. It does so unless [`Server::set_accepts_clients`] changed it.
    pub const fn accepts_clients(&self) -> bool {
        self.accepts_clients
    }

    /// Returns the relay filter.
    pub const fn relay_filter(&self) -> &RelayFilter {
        &self.config.relay_filter
    }

    /// Returns the relay filter for changes.
    pub const fn relay_filter_mut(&mut self) -> &mut RelayFilter {
        &mut self.config.relay_filter
    }

    /// Returns the number of connect requests that were rejected because the server was full. They cause no events,
    /// because a request costs the sender nothing.
    pub const fn rejected_full(&self) -> u64 {
        self.rejected_full.get()
    }

    /// Returns the number of connect requests that were rejected because the server [accepted no
    /// clients](Server::set_accepts_clients). They cause no events.
    pub const fn rejected_closed(&self) -> u64 {
        self.rejected_closed.get()
    }

    /// Returns the number of unreliable and notify messages that were not relayed because their sender exceeded its
    /// [`RelayBudget`].
    pub const fn relay_dropped(&self) -> u64 {
        self.relay_dropped.get()
    }

    /// Returns the number of reliable packets that were left unacknowledged because their sender exceeded its
    /// [`RelayBudget`]. The same packet may count several times, until it is relayed.
    pub const fn relay_deferred(&self) -> u64 {
        self.relay_deferred.get()
    }

    /// Returns the number of packets that were dropped because a send queue was full. It stays 0 as long as a driver
    /// polls after every call.
    pub fn dropped(&self) -> u64 {
        self.queues.dropped()
    }

    /// Returns the packets that the server dropped, over all transports.
    pub const fn packet_errors(&self) -> &PacketErrorStats {
        &self.packet_errors
    }

    /// Returns the counters of WebSocket streams.
    pub const fn websocket_stats(&self) -> &WebSocketStats {
        &self.websocket
    }

    /// Returns whether the packets of an endpoint are in frames of a WebSocket.
    pub fn is_websocket(&self, endpoint: Endpoint) -> bool {
        matches!(endpoint, Endpoint::Tcp(stream) if self.streams.is_websocket(stream))
    }

    /// Returns the sum of the metrics of all connections, including closed ones. Its windows are empty.
    pub fn total_metrics(&self) -> Metrics {
        let mut total = self.closed_metrics.clone();
        for peer in self.peers.slots().filter_map(|slot| self.peers.get(slot)) {
            total.add_counters(&peer.connection.link.metrics);
        }
        total
    }

    /// Returns the approximate memory that the server holds for its peers, in bytes.
    pub fn held_bytes(&self) -> usize {
        let tables = [self.peers.held_bytes(), self.timers.held_bytes(), self.half_open.held_bytes()];
        let rest = [self.streams.held_bytes(), self.events.held_bytes()];
        tables.into_iter().chain(rest).fold(0, usize::saturating_add)
    }

    /// Calls `act` for the slot of every connected client, in the order of their ids.
    fn for_each_connected(&mut self, mut act: impl FnMut(&mut Self, usize)) {
        let mut last = None;
        while let Some((id, slot)) = self.peers.client_after(last) {
            last = Some(id);
            if self.peers.get(slot).is_some_and(Peer::is_connected) {
                act(self, slot);
            }
        }
    }
}
