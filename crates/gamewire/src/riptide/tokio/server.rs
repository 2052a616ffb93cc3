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
/// There is no task behind it. It derefs to the machine, [`server::Server`], whose commands are
/// commands of this one, too; what they say leaves with the next await. Dropping the server sends
/// what is left, but says no good-byes: [`stop`](server::Server::stop) does.
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
    /// What the application keeps: handlers reach it by the server that they are given.
    pub state: S,
    host: Box<Driver<server::Server>>,
    registry: HandlerRegistry<Self, ClientId, Event>,
}

impl Server {
    /// Listens on a port of all addresses, over UDP and TCP, and has room for so many clients (1 to
    /// 65534). Port 0 is a free one.
    ///
    /// # Errors
    /// The system gives no such sockets.
    ///
    /// # Panics
    /// Outside of a tokio runtime with I/O.
    pub fn start(port: u16, max_client_count: u16) -> Result<Self, OpenError> {
        Self::start_with(ServerConfig::new(max_client_count), ListenOptions::port(port))
    }

    /// [`start`](Self::start) with all that can be chosen.
    ///
    /// # Errors
    /// The system gives no such sockets.
    ///
    /// # Panics
    /// Outside of a tokio runtime with I/O.
    pub fn start_with(config: ServerConfig, listen: ListenOptions) -> Result<Self, OpenError> {
        let ListenOptions { local, transports, settings } = listen;
        let machine = server::Server::new(config, Instant::ZERO);
        let host = Box::new(Driver::listen_with(local.address(), transports, machine, settings)?);
        Ok(Self { state: (), host, registry: HandlerRegistry::new() })
    }

    /// The same server with a state. Handlers are for one type of state: register them afterwards,
    /// those from before are gone.
    #[must_use]
    pub fn with_state<S>(self, state: S) -> Server<S> {
        Server { state, host: self.host, registry: HandlerRegistry::new() }
    }
}

impl<S> Server<S> {
    /// The next event that no handler takes; handlers run meanwhile, in the order of what happened.
    ///
    /// It may be dropped at any await, as in `select!`: nothing is lost.
    ///
    /// # Errors
    /// The socket for datagrams no longer works.
    pub async fn next_event(&mut self) -> io::Result<Event> {
        loop {
            let event = self.host.next_event().await?;
            // Out of the way, so that handlers can have the server.
            let mut registry = core::mem::take(&mut self.registry);
            let left = registry.dispatch_server_event(self, event);
            let added = core::mem::replace(&mut self.registry, registry);
            self.registry.merge(added);
            if let Some(event) = left {
                return Ok(event);
            }
        }
    }

    /// Handles messages of a type from now on: `handler` runs within [`next_event`](Self::next_event), and
    /// returns nothing or a `Result`.
    ///
    /// A client is kicked, and [`poll_failure`](Self::poll_failure) tells why, when the handler of its
    /// message panics or returns an error, or when its message is not of that type. Other clients
    /// do not notice. What is not the sender's fault, such as that somebody else cannot be sent to,
    /// should be no error of the handler's.
    ///
    /// # Errors
    /// There is a handler for messages of that id.
    pub fn on<T: MessageType>(
        &mut self,
        handler: impl ServerHandler<Self, T> + Send + 'static,
    ) -> Result<(), DuplicateHandler> {
        self.registry.handlers().on(handler).map(drop)
    }

    /// Handles messages with an id as they are, else like [`on`](Self::on).
    ///
    /// # Errors
    /// There is a handler for messages of that id.
    pub fn on_message<A: IntoOutcome>(
        &mut self,
        id: impl Into<u16>,
        handler: impl FnMut(&mut Self, ClientId, &mut Message) -> A + Send + 'static,
    ) -> Result<(), DuplicateHandler> {
        self.registry.handlers().on_message(id, handler).map(drop)
    }

    /// Handles notify messages, which have no id, else like [`on`](Self::on).
    ///
    /// # Errors
    /// There is a handler for notify messages.
    pub fn on_notify<A: IntoOutcome>(
        &mut self,
        handler: impl FnMut(&mut Self, ClientId, &mut Message) -> A + Send + 'static,
    ) -> Result<(), DuplicateHandler> {
        self.registry.handlers().on_notify(handler).map(drop)
    }

    /// Handles every event that is not a message with a handler of its own, in the order of what
    /// happened: who connects is told of before their first message is handled. With such a handler
    /// nothing is left for `next_event`. If it fails or panics, the client that
    /// the event is about is kicked. There is one; a later one takes its place.
    pub fn on_event<A: IntoOutcome>(&mut self, handler: impl FnMut(&mut Self, Event) -> A + Send + 'static) {
        self.registry.on_event(handler);
    }

    /// The next handler that went wrong, of the last 64.
    pub fn poll_failure(&mut self) -> Option<HandlerFailure> {
        self.registry.poll_failure()
    }

    /// The address that the server listens on.
    #[must_use]
    pub const fn local_addr(&self) -> SocketAddr {
        self.host.local_addr()
    }

    /// The port that the server listens on.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.host.local_addr().port()
    }

    /// What the driver of the sockets did so far.
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
