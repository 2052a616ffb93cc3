use core::convert::Infallible;
use core::fmt;
use std::net::SocketAddr;

use gamewire_machine::{EventLimits, EventQueue, Instant, LogLine, Machine, StreamId, StreamOutput, Wake};

use super::event::Event;
use super::order_kind::OrderKind;
use super::pending_orders::{OrderId, OrderReply, PendingOrders};
use crate::delta::Value;
use crate::packets::{Packet, PlayerInfo, PlayerPhaseDone};
use crate::session::RequestId;
use crate::session::client::{Client, ClientConfig, Event as ClientEvent, Incoming, SendError};
use crate::world::{Change, World};

/// A player or observer of one game.
pub struct Player {
    client: Client,
    state: PlayerState,
}

impl Player {
    /// Creates a player. It sends its join request once its stream is open.
    ///
    /// # Errors
    /// [`SendError`] if the name, the capabilities or the version do not fit in the join request.
    pub fn new(config: ClientConfig, now: Instant) -> Result<Self, SendError> {
        let limits = config.state_event_limits();
        let state = PlayerState::new(limits, config.packet_events);
        Ok(Self { client: Client::new(config, now)?, state })
    }

    /// Returns the world, as described by all packets up to now.
    pub const fn world(&self) -> &World {
        &self.state.world
    }

    /// Returns the client of this player.
    pub const fn client(&self) -> &Client {
        &self.client
    }

    /// Returns whether the server has sent its initial data, so that orders are possible.
    pub const fn is_ready(&self) -> bool {
        self.state.is_ready
    }

    /// Returns whether the server has not processed an order yet.
    pub fn is_waiting(&self, order: OrderId) -> bool {
        self.state.orders.is_waiting(order)
    }

    /// Returns the changes of the world since the last call.
    pub fn take_changes(&mut self) -> Vec<Change> {
        self.state.world.take_changes()
    }

    /// Removes and returns the reply to an order. Returns `None` until the server has processed the order. Above 1024
    /// stored replies, the oldest is dropped.
    pub fn take_reply(&mut self, order: OrderId) -> Option<OrderReply> {
        self.state.orders.take(order)
    }

    /// Calls `callback` with every later packet from the server, after the world has applied it.
    pub fn on_packet(&mut self, callback: impl FnMut(&Packet<'_>) + Send + 'static) {
        self.state.on_packet = Some(Box::new(callback));
    }

    /// Sends an order, which can be any packet of a client. [`orders`](crate::orders) has functions that build them.
    ///
    /// # Errors
    /// [`SendError`] if nothing was sent. After [`SendError::Long`] the connection is closed.
    pub fn order<'a>(&mut self, packet: impl Into<Packet<'a>>) -> Result<OrderId, SendError> {
        let packet = packet.into();
        let kind = OrderKind::of(&packet);
        self.client.send(packet).map(|request| self.state.orders.expect(request, kind))
    }

    /// Sends an order, given the name of its packet and the values of the fields that are not zero or empty.
    ///
    /// # Errors
    /// [`SendError`] if nothing was sent. After [`SendError::Long`] the connection is closed.
    pub fn order_fields(&mut self, name: &str, fields: &[(&str, Value)]) -> Result<OrderId, SendError> {
        let line = fields.iter().find_map(|(field, value)| match value {
            Value::Text(line) if name == "PACKET_CHAT_MSG_REQ" && *field == "message" => {
                Some(line.as_slice())
            }
            _ => None,
        });
        let kind = line.map(OrderKind::of_line).unwrap_or_default();
        self.client.send_fields(name, fields).map(|request| self.state.orders.expect(request, kind))
    }

    /// Sends the password that [`Event::PasswordRequested`](super::Event::PasswordRequested) requests.
    ///
    /// # Errors
    /// [`SendError`] in the cases of [`Client::send_password`].
    pub fn send_password(&mut self, password: &str) -> Result<(), SendError> {
        self.client.send_password(password)
    }

    /// Closes the connection. Queued packets are still sent.
    pub fn close(&mut self) {
        self.client.close();
    }
}

impl fmt::Debug for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Player").field("client", &self.client).finish_non_exhaustive()
    }
}

impl Machine for Player {
    type Event = Event;
    type DatagramError = Infallible;

    fn handle_timeout(&mut self, now: Instant) {
        self.client.handle_timeout(now);
    }

    fn poll_timeout(&self) -> Option<Wake> {
        self.client.poll_timeout()
    }

    fn poll_event(&mut self) -> Option<Event> {
        self.state.events.pop().or_else(|| match self.client.poll_event() {
            Some(ClientEvent::Closed(reason)) => Some(Event::Closed(reason)),
            _ => None,
        })
    }

    fn log_line(event: &Event) -> Option<LogLine> {
        event.log_line()
    }

    fn handle_open(&mut self, now: Instant, stream: StreamId, peer: SocketAddr) {
        self.client.handle_open(now, stream, peer);
    }

    fn handle_bytes(&mut self, now: Instant, stream: StreamId, data: &[u8]) {
        if self.client.stream == Some(stream) {
            let Self { client, state } = self;
            // The closing event also contains the error.
            let _ = client.handle_bytes_with(now, data, |incoming| state.receive(incoming));
            if let Some(turn) = state.turn_to_end_again.take() {
                // If it cannot be sent, the session is closed or its queue is full. The server ignores it after this turn.
                let _ = client.send(&PlayerPhaseDone { turn });
            }
        }
    }

    fn handle_close(&mut self, now: Instant, stream: StreamId) {
        self.client.handle_close(now, stream);
    }

    fn poll_stream(&mut self, now: Instant, buffer: &mut Vec<u8>) -> Option<StreamOutput> {
        self.client.poll_stream(now, buffer)
    }
}

/// The state of a player, except the state of its client.
struct PlayerState {
    world: World,
    orders: PendingOrders,
    events: EventQueue<Event>,
    is_ready: bool,
    has_joined: bool,
    on_packet: Option<PacketCallback>,
    packet_events: bool,
    /// The turn that the player must end again, because another player died in it. A server counts the players that have
    /// ended a turn only when one of them ends it or leaves, and it ignores orders of a dead player.
    turn_to_end_again: Option<i16>,
}

/// A callback for every packet from the server.
type PacketCallback = Box<dyn FnMut(&Packet<'_>) + Send>;

impl PlayerState {
    fn new(limits: EventLimits, packet_events: bool) -> Self {
        Self {
            world: World::new(),
            orders: PendingOrders::default(),
            events: EventQueue::new(limits),
            is_ready: false,
            has_joined: false,
            on_packet: None,
            packet_events,
            turn_to_end_again: None,
        }
    }

    fn receive(&mut self, incoming: Incoming<'_>) {
        match incoming {
            Incoming::Packet(packet) => {
                if self.packet_events {
                    self.events.push(Event::Packet(packet.to_owned()));
                }
                packet.packet().iter().for_each(|packet| self.handle_packet(packet));
            }
            Incoming::Event(event) => self.on_event(event),
        }
    }

    fn handle_packet(&mut self, packet: &Packet<'_>) {
        if let Packet::PlayerInfo(info) = packet
            && self.is_death_during_wait(info)
        {
            self.turn_to_end_again = Some(self.world.turn());
        }
        self.world.apply(packet);
        self.orders.on_packet(packet, &self.world);
        if let Some(callback) = &mut self.on_packet {
            callback(packet);
        }
        self.events.push(Event::Updated);
    }

    /// Returns whether a packet, before it is applied, shows that another player has died in the turn that the own player
    /// has ended.
    fn is_death_during_wait(&self, info: &PlayerInfo) -> bool {
        let was_alive = self.world.player(info.playerno).is_some_and(|player| player.is_alive);
        let has_ended_turn = self.world.me().is_some_and(|me| me.is_alive && me.phase_done);
        was_alive
            && !info.is_alive
            && has_ended_turn
            && !self.world.is_turn_over()
            && !self.world.is_observer()
    }

    fn on_event(&mut self, event: ClientEvent) {
        match event {
            ClientEvent::PasswordRequested { request, message } => {
                self.events.push(Event::PasswordRequested { request, message });
            }
            ClientEvent::Joined(joined) => {
                self.has_joined = true;
                self.events.push(Event::Joined(joined));
            }
            ClientEvent::RoleChanged(role) => self.events.push(Event::RoleChanged(role)),
            ClientEvent::Started(request) => self.orders.on_started(request),
            ClientEvent::Finished(request) => self.on_finished(request),
            // Packets do not arrive as events, no event is dropped, and `Closed` stays in the client until it is
            // polled.
            ClientEvent::Packet(_) | ClientEvent::Missed { .. } | ClientEvent::Closed(_) => {}
        }
    }

    fn on_finished(&mut self, request: RequestId) {
        if let Some(order) = self.orders.on_finished(request, &self.world) {
            self.events.push(Event::OrderFinished(order));
        }
        // The first request that finishes after the join is the join request or the password.
        if self.has_joined && !self.is_ready {
            self.is_ready = true;
            self.events.push(Event::Ready);
        }
    }
}
