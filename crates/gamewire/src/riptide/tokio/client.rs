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
/// It has no task of its own. It derefs to the machine, [`client::Client`], so it has all commands of that. Messages leave
/// with the next await. A dropped client sends its queued messages, but no disconnect:
/// [`disconnect`](client::Client::disconnect) does.
pub struct Client<S = ()> {
    /// The application's data. Handlers reach it through the client that they receive.
    pub state: S,
    driver: Box<Driver<client::Client>>,
    registry: HandlerRegistry<Self, (), Event>,
    /// Whether the last event was returned.
    is_over: bool,
}

impl Client {
    /// Starts to connect over UDP.
    ///
    /// # Errors
    /// If the system has no socket. A server that does not answer is an [event](Event::ConnectionFailed).
    ///
    /// # Panics
    /// Outside of a tokio runtime with I/O.
    pub async fn connect(server: SocketAddr, config: ClientConfig) -> Result<Self, ConnectError> {
        Self::connect_with(server, config, ConnectOptions::udp()).await
    }

    /// Starts to connect over UDP or TCP, with all options.
    ///
    /// # Errors
    /// If the system has no socket, or the stream cannot be opened.
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

    /// Returns the same client with a state. Register handlers afterwards: they belong to one type of state, and those
    /// registered before are removed.
    #[must_use]
    pub fn with_state<S>(self, state: S) -> Client<S> {
        Client { state, driver: self.driver, registry: HandlerRegistry::new(), is_over: self.is_over }
    }
}

impl<S> Client<S> {
    /// Waits for the next event that no handler takes. Handlers run meanwhile, in the order of the events.
    ///
    /// It is cancel safe, as in `select!`: nothing is lost.
    ///
    /// # Errors
    /// [`io::ErrorKind::NotConnected`] after the last event. Another error if the socket failed.
    pub async fn next_event(&mut self) -> io::Result<Event> {
        loop {
            if self.is_over {
                return Err(io::Error::new(io::ErrorKind::NotConnected, "the connection is over"));
            }
            let event = self.driver.next_event().await?;
            self.is_over = matches!(event, Event::ConnectionFailed { .. } | Event::Disconnected { .. });
            // Taken out, so that handlers can borrow the client.
            let mut registry = core::mem::take(&mut self.registry);
            let left = registry.dispatch_client_event(self, event);
            let added = core::mem::replace(&mut self.registry, registry);
            self.registry.merge(added);
            if let Some(event) = left {
                return Ok(event);
            }
        }
    }

    /// Registers a handler for messages of a type. It runs within [`next_event`](Self::next_event), and returns nothing or a
    /// `Result`. If it fails or panics, or a message is not of that type, [`poll_failure`](Self::poll_failure) returns the
    /// reason; the connection stays open.
    ///
    /// # Errors
    /// If there is a handler for messages of that id.
    pub fn on<T: MessageType>(
        &mut self,
        mut handler: impl ClientHandler<Self, T> + Send + 'static,
    ) -> Result<(), DuplicateHandler> {
        self.registry.handlers().on(move |client, (), message| handler(client, message)).map(drop)
    }

    /// Registers a handler for messages with an id, without a type. It runs like those of [`on`](Self::on).
    ///
    /// # Errors
    /// If there is a handler for messages of that id.
    pub fn on_message<A: IntoOutcome>(
        &mut self,
        id: impl Into<u16>,
        mut handler: impl FnMut(&mut Self, &mut Message) -> A + Send + 'static,
    ) -> Result<(), DuplicateHandler> {
        self.registry.handlers().on_message(id, move |client, (), message| handler(client, message)).map(drop)
    }

    /// Registers a handler for notify messages, which have no id. It runs like those of [`on`](Self::on).
    ///
    /// # Errors
    /// If there is a handler for notify messages.
    pub fn on_notify<A: IntoOutcome>(
        &mut self,
        mut handler: impl FnMut(&mut Self, &mut Message) -> A + Send + 'static,
    ) -> Result<(), DuplicateHandler> {
        self.registry.handlers().on_notify(move |client, (), message| handler(client, message)).map(drop)
    }

    /// Registers the handler for every event that is not a message with its own handler, in the order of the events.
    /// `next_event` returns nothing then. A later handler replaces it.
    pub fn on_event<A: IntoOutcome>(&mut self, handler: impl FnMut(&mut Self, Event) -> A + Send + 'static) {
        self.registry.on_event(handler);
    }

    /// Returns the next failure of a handler, of the last 64.
    pub fn poll_failure(&mut self) -> Option<HandlerFailure> {
        self.registry.poll_failure()
    }

    /// Returns the counters of the socket's driver.
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
