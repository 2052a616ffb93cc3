use gamewire_machine::Instant;

use super::client_ids::ClientIdPool;
use super::connections::ConnectionTable;
use super::half_open::HalfOpenCounter;
use super::lanes::SendQueues;
use super::streams::StreamTable;
use super::{ClientView, Event, RelayFilter, ServerConfig};
use crate::events::{EventLimits, Events};
use crate::link;
use crate::message::Message;
use crate::{ClientId, DisconnectReason, Format};

/// How much waits until messages are dropped. What is reliable among them comes again.
const MAX_EVENTS: EventLimits = EventLimits { events: 16_384, extended_bytes: 64 << 20 };

/// A server of clients of both formats.
///
/// It is driven as [`Datagram`](gamewire_machine::Datagram), as
/// [`Streams`](gamewire_machine::Streams), by [`Server::handle_packet`] and
/// [`Server::poll_packet`], or by all of them at once. Time does not go back here, whatever the
/// clock does.
#[derive(Debug)]
pub struct Server {
    pub(super) config: ServerConfig,
    pub(super) now: Instant,
    pub(super) is_running: bool,
    pub(super) connections: ConnectionTable,
    pub(super) half_open: HalfOpenCounter,
    pub(super) ids: ClientIdPool,
    pub(super) streams: StreamTable,
    pub(super) lanes: SendQueues,
    /// What waits for the application: of messages, whose they are.
    pub(super) events: Events<(ClientId, Message), Event>,
    pub(super) relay_dropped: u64,
    pub(super) turned_away: u64,
    /// Clients that are gone, and of whom the others are not told yet.
    pub(super) disconnected_clients: Vec<ClientId>,
    /// Where payloads are written for a client.
    pub(super) scratch: Box<[u8]>,
    /// Where a packet to a stream waits for its frame.
    pub(super) packet: Vec<u8>,
}

impl Server {
    /// A server that runs from now on (`FormatProbe`).
    #[must_use]
    pub fn new(config: ServerConfig, now: Instant) -> Self {
        let longest = Format::ALL.map(|format| config.max_size(format)).into_iter().max().unwrap_or_default();
        let scratch = vec![0; longest].into_boxed_slice();
        Self {
            half_open: HalfOpenCounter::new(config.max_half_open, config.max_half_open_per_ip),
            ids: ClientIdPool::new(config.clients()),
            lanes: SendQueues::new(config.clients()),
            config,
            now,
            is_running: true,
            connections: ConnectionTable::default(),
            streams: StreamTable::default(),
            events: Events::new(MAX_EVENTS),
            relay_dropped: 0,
            turned_away: 0,
            disconnected_clients: Vec::new(),
            scratch,
            packet: Vec::new(),
        }
    }

    /// A client that has an id (`TryGetClient`).
    #[must_use]
    pub fn client(&self, id: ClientId) -> Option<ClientView<'_>> {
        let connection = self.connections.get(self.connections.client(id)?)?;
        Some(ClientView::new(id, connection))
    }

    /// All clients that are connected, in the order of their ids (`Clients`).
    pub fn clients(&self) -> impl Iterator<Item = ClientView<'_>> {
        self.connections.connected().map(|(id, connection)| ClientView::new(id, connection))
    }

    /// How many clients are connected (`ClientCount`).
    #[must_use]
    pub const fn client_count(&self) -> usize {
        self.connections.connected_count()
    }

    /// How many clients there may be (`MaxClientCount`).
    #[must_use]
    pub fn max_client_count(&self) -> u16 {
        self.config.clients()
    }

    /// How many connections are half open, and streams that have not asked for one.
    #[must_use]
    pub const fn half_open_count(&self) -> usize {
        self.half_open.count()
    }

    /// Whether it was not stopped (`IsRunning`).
    #[must_use]
    pub const fn is_running(&self) -> bool {
        self.is_running
    }

    /// Which messages are passed on to all other clients.
    #[must_use]
    pub const fn relay_filter(&self) -> &RelayFilter {
        &self.config.relay_filter
    }

    /// The same, to be changed.
    pub const fn relay_filter_mut(&mut self) -> &mut RelayFilter {
        &mut self.config.relay_filter
    }

    /// How many questions of strangers were refused since there was no room. There is no event of
    /// them: they cost nothing to ask.
    #[must_use]
    pub const fn rejected_full(&self) -> u64 {
        self.turned_away
    }

    /// How many messages were not passed on since their sender had used up its
    /// [`RelayBudget`](super::RelayBudget).
    #[must_use]
    pub const fn relay_dropped(&self) -> u64 {
        self.relay_dropped
    }

    /// How many packets were dropped since nobody polled those before them: none, unless far more is
    /// sent at once than a driver takes.
    #[must_use]
    pub fn dropped(&self) -> u64 {
        self.lanes.dropped()
    }

    /// The memory that is held for others, in bytes, about.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        let held = [self.connections.held_bytes(), self.half_open.held_bytes(), self.streams.held_bytes()];
        held.into_iter().fold(self.events.held_bytes(), usize::saturating_add)
    }

    /// Time does not go back here, whatever the clock does.
    #[inline]
    pub(super) fn advance_clock(&mut self, now: Instant) -> Instant {
        self.now = self.now.max(now);
        self.now
    }

    /// Something was done to a connection: tells what became of it, and notes when it is to be
    /// asked for packets again.
    #[inline]
    pub(super) fn reschedule(&mut self, slot: u32) {
        let is_settled = self.disconnected_clients.is_empty()
            && self
                .connections
                .get(slot)
                .is_some_and(|connection| connection.is_dirty && !connection.peer.has_events());
        if !is_settled {
            self.reschedule_slow(slot);
        }
    }

    fn reschedule_slow(&mut self, slot: u32) {
        self.drain_link_events(slot);
        self.broadcast_disconnects();
        let now = self.now;
        let Some(connection) = self.connections.get_mut(slot).filter(|connection| !connection.is_dirty)
        else {
            return;
        };
        let wake = connection.peer.poll_timeout();
        if wake.is_some_and(|wake| wake.at <= now) {
            self.mark_dirty(slot);
        } else {
            self.connections.timers.set(slot, wake);
        }
    }

    /// The connection may have packets to send, so it is asked for them when it is polled for.
    #[inline]
    pub(super) fn mark_dirty(&mut self, slot: u32) {
        let Some(connection) = self.connections.get_mut(slot) else { return };
        if !core::mem::replace(&mut connection.is_dirty, true) {
            let endpoint = connection.endpoint();
            self.lanes.of(endpoint.into()).dirty.push_back(slot);
            self.connections.timers.set(slot, None);
        }
    }

    /// Tells what became of a connection and its messages; whoever asks announces who is gone.
    pub(super) fn drain_link_events(&mut self, slot: u32) {
        while let Some(connection) = self.connections.get_mut(slot)
            && let Some(event) = connection.peer.poll_event()
        {
            let client = connection.stage.client();
            let event = match (event, client) {
                (link::Event::Closed(end), _) => {
                    self.remove_connection(slot, reason(end));
                    continue;
                }
                (_, None) => continue,
                (link::Event::ReliableDelivered { seq_id }, Some(client)) => {
                    Event::ReliableDelivered { client, seq_id }
                }
                (link::Event::ReliableGivenUp { seq_id }, Some(client)) => {
                    Event::ReliableGivenUp { client, seq_id }
                }
                (link::Event::NotifyDelivered { seq_id }, Some(client)) => {
                    Event::NotifyDelivered { client, seq_id }
                }
                (link::Event::NotifyLost { seq_id }, Some(client)) => Event::NotifyLost { client, seq_id },
                (link::Event::NotifyUnknown { seq_id }, Some(client)) => {
                    Event::NotifyUnknown { client, seq_id }
                }
            };
            if self.config.delivery_events && connection.is_connected() {
                self.events.push_other(event);
            }
        }
    }
}

/// What a connection that ended by itself ended of.
const fn reason(end: link::CloseCause) -> DisconnectReason {
    match end {
        link::CloseCause::NeverConnected => DisconnectReason::NeverConnected,
        link::CloseCause::TimedOut => DisconnectReason::TimedOut,
        link::CloseCause::PoorConnection(_) => DisconnectReason::PoorConnection,
    }
}
