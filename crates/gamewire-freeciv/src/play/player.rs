use core::fmt;

use gamewire_machine::Instant;

use super::order_kind::OrderKind;
use super::pending_orders::{OrderId, OrderReply};
use super::state::PlayerState;
use crate::delta::Value;
use crate::packets::Packet;
use crate::session::client::{Client, ClientConfig, SendError};
use crate::world::{Change, World};

/// A player or observer of one game.
pub struct Player {
    pub(super) client: Client,
    pub(super) state: PlayerState,
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
