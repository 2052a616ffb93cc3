use core::fmt;

use gamewire_machine::Instant;

use super::answer::{Answer, Ticket};
use super::own::Own;
use crate::delta::Value;
use crate::session::client::{Client, ClientConfig, SendError};
use crate::session::codec::{Definition, DefinitionError};
use crate::v30::{self, Packet};
use crate::world::{Change, World};

/// A player of one game, or somebody who watches it.
pub struct Player {
    pub(super) client: Client,
    pub(super) own: Own,
}

/// What a player calls itself, and how it joins: what a client of Freeciv 3.0 has.
#[derive(Clone, Debug)]
pub struct PlayerConfig {
    /// All that a client has.
    pub client: ClientConfig,
}

impl PlayerConfig {
    /// A player with a name of at most 47 bytes.
    ///
    /// # Errors
    /// None, as long as the shipped definition is whole.
    pub fn new(name: impl Into<String>) -> Result<Self, DefinitionError> {
        let definition = Definition::interpreted(v30::protocol())?;
        Ok(Self { client: ClientConfig::new(definition, name) })
    }
}

impl Player {
    /// A player who is connected and is about to ask to be let in.
    ///
    /// # Errors
    /// The request cannot be written: the name, the capabilities or the version are too long.
    pub fn new(config: PlayerConfig, now: Instant) -> Result<Self, SendError> {
        let own = Own::new(&config.client);
        Ok(Self { client: Client::new(config.client, now)?, own })
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
    pub fn watch_packets(&mut self, watch: impl FnMut(&Packet<'_>) + Send + 'static) {
        self.own.watch = Some(Box::new(watch));
    }

    /// Gives an order: any packet of a client. [`orders`](crate::orders) make them.
    ///
    /// # Errors
    /// Nothing was sent.
    pub fn order<'a>(&mut self, packet: impl Into<Packet<'a>>) -> Result<Ticket, SendError> {
        let packet = packet.into();
        let fields = packet.fields();
        let values: Vec<Value> = (0..fields.names().len()).map(|index| fields.value(index)).collect();
        self.client.send_values(packet.number(), &values).map(|request| self.own.answers.expect(request))
    }

    /// What became of an order, once. `None` as long as the server has not dealt with it, and for
    /// the oldest when more than a thousand answers wait.
    pub fn take_answer(&mut self, ticket: Ticket) -> Option<Answer> {
        self.own.answers.take(ticket)
    }

    /// Whether the server has yet to deal with an order.
    #[must_use]
    pub fn is_waiting(&self, ticket: Ticket) -> bool {
        self.own.answers.is_waiting(ticket)
    }

    /// Answers with a password, if one is asked for.
    ///
    /// # Errors
    /// None is asked for, or it is too long.
    pub fn answer(&mut self, now: Instant, password: &str) -> Result<(), SendError> {
        self.client.answer(now, password)
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
