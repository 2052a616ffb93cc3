use core::fmt;
use core::ops::{Deref, DerefMut};
use std::io;
use std::net::SocketAddr;

use gamewire_machine::Instant;
use gamewire_net::Stats;
use gamewire_net::tokio::Driver;
use gamewire_riptide::client::{self, ClientConfig, Event};
use gamewire_riptide::message::{DuplicateHandler, IntoOutcome};
use gamewire_riptide::{Message, MessageType};

use crate::riptide::places::{ClientTransport, any_port};
use crate::riptide::registry::HandlerRegistry;
use crate::riptide::{ClientHandler, ConnectError, ConnectOptions, HandlerFailure};

/// A client for a program on tokio: keep awaiting [`next_event`](Self::next_event).
///
/// There is no task behind it. It derefs to the machine, [`client::Client`], whose commands are
/// commands of this one, too; what they say leaves with the next await. Dropping the client sends
/// what is left, but leaves without a word: [`disconnect`](client::Client::disconnect) says it.
pub struct Client<S = ()> {
    /// What the application keeps: handlers reach it by the client that they are given.
    pub state: S,
    driver: Box<Driver<client::Client>>,
    registry: HandlerRegistry<Self, (), Event>,
    /// Its last event was told.
    is_over: bool,
}

impl Client {
    /// Begins to connect over UDP.
    ///
    /// # Errors
    /// The system gives no socket. That nobody answers is an [event](Event::ConnectionFailed).
    ///
    /// # Panics
    /// Outside of a tokio runtime with I/O.
    pub async fn connect(server: SocketAddr, config: ClientConfig) -> Result<Self, ConnectError> {
        Self::connect_with(server, config, ConnectOptions::udp()).await
    }

    /// [`connect`](Self::connect) over UDP or TCP, with all that can be chosen.
    ///
    /// # Errors
    /// As before, and over TCP when there is no stream.
    ///
    /// # Panics
    /// Outside of a tokio runtime with I/O.
    pub async fn connect_with(
        server: SocketAddr,
        config: ClientConfig,
        via: ConnectOptions,
    ) -> Result<Self, ConnectError> {
        let ConnectOptions { transport, settings } = via;
        let driver = match transport {
            ClientTransport::Udp => {
                let machine = client::Client::connect(&config, server, Instant::ZERO)?;
                Driver::bind_with(any_port(server), machine, settings)?
            }
            ClientTransport::Tcp { timeout } => {
                let machine = client::Client::connect_over_transport(&config, Instant::ZERO)?;
                Driver::connect_with(server, timeout, machine, settings).await?
            }
        };
        Ok(Self { state: (), driver: Box::new(driver), registry: HandlerRegistry::new(), is_over: false })
    }

    /// The same client with a state. Handlers are for one type of state: register them afterwards,
    /// those from before are gone.
    #[must_use]
    pub fn with_state<S>(self, state: S) -> Client<S> {
        Client { state, driver: self.driver, registry: HandlerRegistry::new(), is_over: self.is_over }
    }
}

impl<S> Client<S> {
    /// The next event that no handler takes; handlers run meanwhile, in the order of what happened.
    ///
    /// It may be dropped at any await, as in `select!`: nothing is lost.
    ///
    /// # Errors
    /// The last event was told before ([`io::ErrorKind::NotConnected`]), or the socket no longer
    /// works.
    pub async fn next_event(&mut self) -> io::Result<Event> {
        loop {
            if self.is_over {
                return Err(io::Error::new(io::ErrorKind::NotConnected, "the connection is over"));
            }
            let event = self.driver.next_event().await?;
            self.is_over = matches!(event, Event::ConnectionFailed { .. } | Event::Disconnected { .. });
            // Out of the way, so that handlers can have the client.
            let mut registry = core::mem::take(&mut self.registry);
            let left = registry.dispatch_client_event(self, event);
            let added = core::mem::replace(&mut self.registry, registry);
            self.registry.merge(added);
            if let Some(event) = left {
                return Ok(event);
            }
        }
    }

    /// Handles messages of a type from now on: `handler` runs within [`next_event`](Self::next_event), and
    /// returns nothing or a `Result`. If it fails or panics,
    /// or a message is not of that type, [`poll_failure`](Self::poll_failure) tells; the connection stays.
    ///
    /// # Errors
    /// There is a handler for messages of that id.
    pub fn on<T: MessageType>(
        &mut self,
        mut handler: impl ClientHandler<Self, T> + Send + 'static,
    ) -> Result<(), DuplicateHandler> {
        self.registry.handlers().on(move |client, (), message| handler(client, message)).map(drop)
    }

    /// Handles messages with an id as they are, else like [`on`](Self::on).
    ///
    /// # Errors
    /// There is a handler for messages of that id.
    pub fn on_message<A: IntoOutcome>(
        &mut self,
        id: impl Into<u16>,
        mut handler: impl FnMut(&mut Self, &mut Message) -> A + Send + 'static,
    ) -> Result<(), DuplicateHandler> {
        self.registry.handlers().on_message(id, move |client, (), message| handler(client, message)).map(drop)
    }

    /// Handles notify messages, which have no id, else like [`on`](Self::on).
    ///
    /// # Errors
    /// There is a handler for notify messages.
    pub fn on_notify<A: IntoOutcome>(
        &mut self,
        mut handler: impl FnMut(&mut Self, &mut Message) -> A + Send + 'static,
    ) -> Result<(), DuplicateHandler> {
        self.registry.handlers().on_notify(move |client, (), message| handler(client, message)).map(drop)
    }

    /// Handles every event that is not a message with a handler of its own, in the order of what
    /// happened. With such a handler nothing is left for `next_event`. There is
    /// one; a later one takes its place.
    pub fn on_event<A: IntoOutcome>(&mut self, handler: impl FnMut(&mut Self, Event) -> A + Send + 'static) {
        self.registry.on_event(handler);
    }

    /// The next handler that went wrong, of the last 64.
    pub fn poll_failure(&mut self) -> Option<HandlerFailure> {
        self.registry.poll_failure()
    }

    /// What the driver of the socket did so far.
    #[must_use]
    pub const fn stats(&self) -> &Stats {
        self.driver.stats()
    }
}

impl<S> Deref for Client<S> {
    type Target = client::Client;

    fn deref(&self) -> &client::Client {
        self.driver.machine()
    }
}

impl<S> DerefMut for Client<S> {
    fn deref_mut(&mut self) -> &mut client::Client {
        self.driver.machine_mut()
    }
}

impl<S: fmt::Debug> fmt::Debug for Client<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let machine: &client::Client = self;
        f.debug_struct("Client").field("state", &self.state).field("machine", machine).finish_non_exhaustive()
    }
}
