use core::fmt;

use gamewire_machine::Instant;

use super::answer::{OrderId, OrderReply};
use super::own::PlayerState;
use crate::session::client::{Client, ClientConfig, SendError};
use crate::v30::Packet;
use crate::world::{Change, World};

/// A player of one game, or somebody who watches it.
pub struct Player {
    pub(super) client: Client,
    pub(super) own: PlayerState,
}

impl Player {
    /// A player who is connected and is about to ask to be let in.
    ///
    /// # Errors
    /// The request cannot be written: the name, the capabilities or the version are too long.
    pub fn new(config: ClientConfig, now: Instant) -> Result<Self, SendError> {
        Ok(Self { client: Client::new(config, now)?, own: PlayerState::default() })
    }

    /// The world as the server has told it so far.
    #[must_use]
    pub const fn world(&self) -> &World {
        &self.own.world
    }

    /// What is otherwise than at the last look.
    pub fn take_changes(&mut self) -> Vec<Change> {
        self.own.world.take_changes()
    }

    /// The client beneath.
    #[must_use]
    pub const fn client(&self) -> &Client {
        &self.client
    }

    /// Whether the server has told all that one may know before the game.
    #[must_use]
    pub const fn is_ready(&self) -> bool {
        self.own.is_ready
    }

    /// Calls `watch` with every packet of the server from now on, after the world has taken it.
    pub fn on_packet(&mut self, watch: impl FnMut(&Packet<'_>) + Send + 'static) {
        self.own.watch = Some(Box::new(watch));
    }

    /// Gives an order: any packet of a client. [`orders`](crate::orders) make them.
    ///
    /// # Errors
    /// Nothing was sent.
    pub fn order<'a>(&mut self, packet: impl Into<Packet<'a>>) -> Result<OrderId, SendError> {
        self.client.send(packet).map(|request| self.own.answers.expect(request))
    }

    /// What became of an order, once. `None` as long as the server has not dealt with it, and for
    /// the oldest when more than a thousand answers wait.
    pub fn take_reply(&mut self, ticket: OrderId) -> Option<OrderReply> {
        self.own.answers.take(ticket)
    }

    /// Whether the server has yet to deal with an order.
    #[must_use]
    pub fn is_waiting(&self, ticket: OrderId) -> bool {
        self.own.answers.is_waiting(ticket)
    }

    /// Answers with a password, if one is asked for.
    ///
    /// # Errors
    /// None is asked for, or it is too long.
    pub fn send_password(&mut self, now: Instant, password: &str) -> Result<(), SendError> {
        self.client.send_password(now, password)
    }

    /// Leaves. What was said before is still sent.
    pub fn close(&mut self) {
        self.client.close();
    }
}

impl fmt::Debug for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Player").field("client", &self.client).finish_non_exhaustive()
    }
}
