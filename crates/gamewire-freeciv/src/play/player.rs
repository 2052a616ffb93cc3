use core::fmt;

use gamewire_machine::{EventLimits, Instant};

use super::pending_orders::{OrderId, OrderReply};
use super::state::PlayerState;
use crate::packets::Packet;
use crate::session::client::{Client, ClientConfig, SendError};
use crate::world::{Change, World};

/// A player or observer of one game.
pub struct Player {
    pub(super) client: Client,
    pub(super) state: PlayerState,
}

impl Player {
    /// Maximum number of events that wait to be polled, those that are never dropped excepted.
    const MAX_EVENTS: usize = 4096;

    /// Creates a player. It sends its join request once its stream is open.
    ///
    /// # Errors
    /// [`SendError`] if the name, the capabilities or the version do not fit in the join request.
    pub fn new(config: ClientConfig, now: Instant) -> Result<Self, SendError> {
        let limits = EventLimits { max_events: Self::MAX_EVENTS, ..EventLimits::default() };
        Ok(Self { client: Client::new(config, now)?, state: PlayerState::new(limits) })
    }

    /// Returns the world as the server has described it so far.
    pub const fn world(&self) -> &World {
        &self.state.world
    }

    /// Returns the client of this player.
    pub const fn client(&self) -> &Client {
        &self.client
    }

    /// Returns whether the server has sent all that is known before the game.
    pub const fn is_ready(&self) -> bool {
        self.state.is_ready
    }

    /// Returns whether the server has not yet processed an order.
    pub fn is_waiting(&self, order: OrderId) -> bool {
        self.state.orders.is_waiting(order)
    }

    /// Returns the changes of the world since the last call.
    pub fn take_changes(&mut self) -> Vec<Change> {
        self.state.world.take_changes()
    }

    /// Removes and returns the reply to an order. `None` until the server has processed it, and for the oldest ones
    /// when more than 1024 replies wait.
    pub fn take_reply(&mut self, order: OrderId) -> Option<OrderReply> {
        self.state.orders.take(order)
    }

    /// Calls `callback` with every packet of the server from now on, after the world has applied it.
    pub fn on_packet(&mut self, callback: impl FnMut(&Packet<'_>) + Send + 'static) {
        self.state.on_packet = Some(Box::new(callback));
    }

    /// Gives an order: any packet of a client. [`orders`](crate::orders) makes them.
    ///
    /// # Errors
    /// [`SendError`] says why nothing was sent. After [`SendError::Long`] the connection is closed.
    pub fn order<'a>(&mut self, packet: impl Into<Packet<'a>>) -> Result<OrderId, SendError> {
        self.client.send(packet).map(|request| self.state.orders.expect(request))
    }

    /// Answers [`Event::PasswordRequested`](super::Event::PasswordRequested).
    ///
    /// # Errors
    /// As [`Client::send_password`].
    pub fn send_password(&mut self, password: &str) -> Result<(), SendError> {
        self.client.send_password(password)
    }

    /// Closes the connection. Packets that wait are still written.
    pub fn close(&mut self) {
        self.client.close();
    }
}

impl fmt::Debug for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Player").field("client", &self.client).finish_non_exhaustive()
    }
}
