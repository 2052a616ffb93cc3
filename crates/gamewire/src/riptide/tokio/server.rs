use core::fmt;
use core::ops::{Deref, DerefMut};
use std::io;
use std::net::SocketAddr;

use gamewire_machine::Instant;
use gamewire_net::tokio::Driver;
use gamewire_net::{OpenError, Stats};
use gamewire_riptide::message::{DuplicateHandler, IntoOutcome};
use gamewire_riptide::server::{self, Event, ServerConfig};
use gamewire_riptide::{ClientId, Message, MessageType};

use crate::riptide::registry::HandlerRegistry;
use crate::riptide::{HandlerFailure, ListenOptions, ServerHandler};

/// A server for a program on tokio: keep awaiting [`next_event`](Self::next_event).
///
/// It has no task of its own. It derefs to the machine, [`server::Server`], so it has all commands of that. Messages leave
/// with the next await. A dropped server sends its queued messages, but does not disconnect its clients:
/// [`stop`](server::Server::stop) does.
///
/// ```no_run
/// use gamewire::riptide::server::Event;
/// use gamewire::riptide::tokio::Server;
///
/// # async fn run() -> Result<(), Box<dyn std::error::Error>> {
/// let mut server = Server::start(7777, 10)?;
/// loop {
///     if let Event::MessageReceived { client, message } = server.next_event().await? {
///         server.send(&message, client)?;
///     }
/// }
/// # }
/// ```
pub struct Server<S = ()> {
    /// The application's data. Handlers reach it through the server that they receive.
    pub state: S,
    host: Box<Driver<server::Server>>,
    registry: HandlerRegistry<Self, ClientId, Event>,
}

impl Server {
    /// Listens on a port of all addresses, over UDP and TCP, and for up to `clients` clients (1 to 65534). Port 0 is
    /// a free one.
    ///
    /// # Errors
    /// If the sockets cannot be opened.
    ///
    /// # Panics
    /// Outside of a tokio runtime with I/O.
    pub fn start(port: u16, max_client_count: u16) -> Result<Self, OpenError> {
        Self::start_with(ServerConfig::new(max_client_count), ListenOptions::port(port))
    }

    /// Listens with all options.
    ///
    /// # Errors
    /// If the sockets cannot be opened.
    ///
    /// # Panics
    /// Outside of a tokio runtime with I/O.
    pub fn start_with(config: ServerConfig, listen: ListenOptions) -> Result<Self, OpenError> {
        let ListenOptions { local, transports, settings } = listen;
        let machine = server::Server::new(config, Instant::ZERO);
        let host = Box::new(Driver::listen_with(local.address(), transports, machine, settings)?);
        Ok(Self { state: (), host, registry: HandlerRegistry::new() })
    }

    /// Returns the same server with a state. Register handlers afterwards: they belong to one type of state, and those
    /// registered before are removed.
    #[must_use]
    pub fn with_state<S>(self, state: S) -> Server<S> {
        Server { state, host: self.host, registry: HandlerRegistry::new() }
    }
}

impl<S> Server<S> {
    /// Waits for the next event that no handler takes. Handlers run meanwhile, in the order of the events.
    ///
    /// It is cancel safe, as in `select!`: nothing is lost.
    ///
    /// # Errors
    /// If the socket for datagrams failed.
    pub async fn next_event(&mut self) -> io::Result<Event> {
        loop {
            let event = self.host.next_event().await?;
            // Taken out, so that handlers can borrow the server.
            let mut registry = core::mem::take(&mut self.registry);
            let left = registry.dispatch_server_event(self, event);
            let added = core::mem::replace(&mut self.registry, registry);
            self.registry.merge(added);
            if let Some(event) = left {
                return Ok(event);
            }
        }
    }

    /// Registers a handler for messages of a type. It runs within [`next_event`](Self::next_event), and returns nothing or
    /// a `Result`.
    ///
    /// If the handler panics or returns an error, or if a message is not of that type, the sender is kicked and
    /// [`poll_failure`](Self::poll_failure) returns the reason. Other clients do not notice. A handler should not return
    /// an error that is not the sender's fault, such as a failed send to another client.
    ///
    /// # Errors
    /// If there is a handler for messages of that id.
    pub fn on<T: MessageType>(
        &mut self,
        handler: impl ServerHandler<Self, T> + Send + 'static,
    ) -> Result<(), DuplicateHandler> {
        self.registry.handlers().on(handler).map(drop)
    }

    /// Registers a handler for messages with an id, without a type. It runs like those of [`on`](Self::on).
    ///
    /// # Errors
    /// If there is a handler for messages of that id.
    pub fn on_message<A: IntoOutcome>(
        &mut self,
        id: impl Into<u16>,
        handler: impl FnMut(&mut Self, ClientId, &mut Message) -> A + Send + 'static,
    ) -> Result<(), DuplicateHandler> {
        self.registry.handlers().on_message(id, handler).map(drop)
    }

    /// Registers a handler for notify messages, which have no id. It runs like those of [`on`](Self::on).
    ///
    /// # Errors
    /// If there is a handler for notify messages.
    pub fn on_notify<A: IntoOutcome>(
        &mut self,
        handler: impl FnMut(&mut Self, ClientId, &mut Message) -> A + Send + 'static,
    ) -> Result<(), DuplicateHandler> {
        self.registry.handlers().on_notify(handler).map(drop)
    }

    /// Registers the handler for every event that is not a message with its own handler, in the order of the events: a
    /// client connects before its first message. `next_event` returns nothing then. If the handler fails or panics, the
    /// client of the event is kicked. A later handler replaces it.
    pub fn on_event<A: IntoOutcome>(&mut self, handler: impl FnMut(&mut Self, Event) -> A + Send + 'static) {
        self.registry.on_event(handler);
    }

    /// Returns the next failure of a handler, of the last 64.
    pub fn poll_failure(&mut self) -> Option<HandlerFailure> {
        self.registry.poll_failure()
    }

    /// Returns the address that the server listens on.
    #[must_use]
    pub const fn local_addr(&self) -> SocketAddr {
        self.host.local_addr()
    }

    /// Returns the port that the server listens on.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.host.local_addr().port()
    }

    /// Returns the counters of the sockets' driver.
    #[must_use]
    pub const fn stats(&self) -> &Stats {
        self.host.stats()
    }
}

impl<S> Deref for Server<S> {
    type Target = server::Server;

    fn deref(&self) -> &server::Server {
        self.host.machine()
    }
}

impl<S> DerefMut for Server<S> {
    fn deref_mut(&mut self) -> &mut server::Server {
        self.host.machine_mut()
    }
}

impl<S: fmt::Debug> fmt::Debug for Server<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server").field("state", &self.state).field("host", &self.host).finish_non_exhaustive()
    }
}
