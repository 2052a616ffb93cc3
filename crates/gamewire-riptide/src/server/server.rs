use gamewire_machine::{Clock, Counter, EventLimits, EventQueue, Instant, TimerTable};

use super::half_open::HalfOpenCounter;
use super::peer::Peer;
use super::peers::Peers;
use super::queues::SendQueues;
use super::stats::PacketErrorStats;
use super::streams::StreamTable;
use super::{ClientView, Event, RelayFilter, ServerConfig};
use crate::link::Metrics;
use crate::{ClientId, Format};

/// Limits of the event queue. While it is full, the server drops messages and connect requests, and clients resend
/// reliable messages.
const EVENT_LIMITS: EventLimits = EventLimits { max_events: 16_384, max_heap_bytes: 64 << 20 };

/// A server for clients of both formats.
///
/// Drive it as a [`Machine`](gamewire_machine::Machine) over datagrams and streams, as a
/// [`PacketMachine`](crate::PacketMachine), or in several of these ways at the same time.
#[derive(Debug)]
pub struct Server {
    pub(super) config: ServerConfig,
    pub(super) clock: Clock,
    pub(super) is_running: bool,
    pub(super) peers: Peers,
    pub(super) half_open: HalfOpenCounter,
    pub(super) streams: StreamTable,
    /// Timers of the peers that are not dirty, by slot.
    pub(super) timers: TimerTable,
    pub(super) queues: SendQueues,
    pub(super) events: EventQueue<Event>,
    pub(super) relay_dropped: Counter,
    pub(super) relay_deferred: Counter,
    pub(super) rejected_full: Counter,
    pub(super) packet_errors: PacketErrorStats,
    /// The sum of the metrics of removed peers.
    pub(super) closed_metrics: Metrics,
    /// Disconnected clients that the other clients have not been notified of.
    pub(super) disconnected_clients: Vec<ClientId>,
    /// Buffer for the payload of a message.
    pub(super) scratch: Box<[u8]>,
    /// Buffer for a packet that is put into a frame.
    pub(super) packet: Vec<u8>,
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
            streams: StreamTable::default(),
            timers: TimerTable::new(),
            events: EventQueue::new(EVENT_LIMITS),
            relay_dropped: Counter::default(),
            relay_deferred: Counter::default(),
            rejected_full: Counter::default(),
            packet_errors: PacketErrorStats::default(),
            closed_metrics: Metrics::default(),
            disconnected_clients: Vec::new(),
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

    /// Returns the number of unreliable and notify messages that were not relayed because their sender exceeded its
    /// [`RelayBudget`](super::RelayBudget).
    pub const fn relay_dropped(&self) -> u64 {
        self.relay_dropped.get()
    }

    /// Returns the number of reliable packets that were left unacknowledged because their sender exceeded its
    /// [`RelayBudget`](super::RelayBudget). The same packet may count several times, until it is relayed.
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

    /// Applies the effects of a call of the peer, and marks it dirty. Call it after every change to a peer.
    #[inline]
    pub(super) fn update_peer(&mut self, slot: usize) {
        // Packets and messages of one peer arrive in bursts, so the peer is usually dirty already.
        let is_updated = |peer: &Peer| peer.is_dirty && !peer.connection.link.has_events();
        if !self.peers.get(slot).is_some_and(is_updated) {
            self.update_clean_peer(slot);
        }
    }

    fn update_clean_peer(&mut self, slot: usize) {
        self.apply_effects(slot);
        self.mark_dirty(slot);
        self.broadcast_disconnects();
    }

    /// Calls `act` for the slot of every connected client, in the order of their ids.
    pub(super) fn for_each_connected(&mut self, mut act: impl FnMut(&mut Self, usize)) {
        let mut last = None;
        while let Some((id, slot)) = self.peers.client_after(last) {
            last = Some(id);
            if self.peers.get(slot).is_some_and(Peer::is_connected) {
                act(self, slot);
            }
        }
    }
}
