use core::fmt;
use core::ops::{Deref, DerefMut};
use core::time::Duration;
use std::collections::VecDeque;
use std::io;

use gamewire_net::{OpenError, Stats};
use gamewire_riptide::message::{DuplicateHandler, IntoOutcome};
use gamewire_riptide::server::{self, Event, ServerConfig};
use gamewire_riptide::{ClientId, Message, MessageType};

use super::server_link::ServerLink;
use crate::riptide::registry::HandlerRegistry;
use crate::riptide::{HandlerFailure, ListenOptions, ServerHandler, Transport};

/// A server for a program with a frame loop: call [`update`](Self::update) once a frame.
///
/// It derefs to the machine, [`server::Server`], so it has all commands of that. Messages leave with the next `update` or
/// [`wait`](Self::wait). A dropped server sends its queued messages, but does not disconnect its clients:
/// [`stop`](server::Server::stop) does.
///
/// Handlers reach the application's data as [`state`](Self::state).
///
/// ```no_run
/// use std::time::Duration;
/// use gamewire::riptide::{Message, Server, server::Event};
///
/// #[derive(Message)]
/// #[message(id = 1, mode = "unreliable")]
/// struct PlayerMove { x: f32, y: f32 }
///
/// let mut server = Server::start(7777, 10)?;
/// server.on::<PlayerMove>(|server, from, step| {
///     println!("{from} moves by {} {}", step.x, step.y);
///     server.send_to_all_except(&step, from);
/// })?;
/// loop {
///     server.update()?;
///     while let Some(event) = server.poll_event() {
///         if let Event::ClientConnected { client, .. } = event {
///             println!("{client} is here");
///         }
///     }
///     server.wait(Duration::from_millis(10))?;
/// }
/// # #[allow(unreachable_code)]
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Server<S = ()> {
    /// The application's data. Handlers reach it through the server that they receive.
    pub state: S,
    link: ServerLink,
    handlers: HandlerRegistry<Self, ClientId, Event>,
    pending: VecDeque<Event>,
    events: VecDeque<Event>,
}

impl Server {
    /// Listens on a port of all addresses, over UDP and TCP, for up to `clients` clients (1 to 65534). Port 0 is a free one.
    ///
    /// # Errors
    /// If the sockets cannot be opened.
    pub fn start(port: u16, max_client_count: u16) -> Result<Self, OpenError> {
        Self::start_with(ServerConfig::new(max_client_count), ListenOptions::port(port))
    }

    /// Listens with all options.
    ///
    /// # Errors
    /// If the sockets cannot be opened.
    pub fn start_with(config: ServerConfig, listen: ListenOptions) -> Result<Self, OpenError> {
        ServerLink::listen(config, listen).map(Self::new)
    }

    /// Creates a server over a transport of your own: its clients are
    /// [`Endpoint::Other`](gamewire_riptide::Endpoint::Other).
    #[must_use]
    pub fn with_transport(transport: impl Transport + Send + 'static, config: ServerConfig) -> Self {
        Self::new(ServerLink::over(config, Box::new(transport)))
    }

    fn new(link: ServerLink) -> Self {
        Self {
            state: (),
            link,
            handlers: HandlerRegistry::default(),
            pending: VecDeque::new(),
            events: VecDeque::new(),
        }
    }

    /// Returns the same server with a state. Register handlers afterwards: they belong to one type of state, and those
    /// registered before are removed.
    #[must_use]
    pub fn with_state<S>(self, state: S) -> Server<S> {
        Server {
            state,
            link: self.link,
            handlers: HandlerRegistry::default(),
            pending: self.pending,
            events: self.events,
        }
    }
}

impl<S> Server<S> {
    /// Receives, runs handlers in the order of the events, and sends. Never blocks. Events of the last call that were not
    /// polled are dropped.
    ///
    /// # Errors
    /// If the socket for datagrams, or the transport, failed.
    pub fn update(&mut self) -> io::Result<()> {
        self.events.clear();
        self.link.update(&mut self.pending)?;
        // Taken out, so that handlers can borrow the server.
        let mut registry = core::mem::take(&mut self.handlers);
        while let Some(event) = self.pending.pop_front() {
            let left = registry.dispatch_server_event(self, event);
            self.events.extend(left);
        }
        let added = core::mem::replace(&mut self.handlers, registry);
        self.handlers.merge(added);
        // Messages of handlers do not wait for the next frame.
        if self.handlers.has_run() { self.link.wait(Duration::ZERO) } else { Ok(()) }
    }

    /// Sends what was said since the last update, then blocks until there is something for the next
    /// one to do, or until `most` has passed. It may return early, and over a transport of your own
    /// it does so after 2 ms.
    ///
    /// # Errors
    /// The system cannot wait for the sockets.
    pub fn wait(&mut self, timeout: Duration) -> io::Result<()> {
        self.link.wait(if self.events.is_empty() { timeout } else { Duration::ZERO })
    }

    /// Returns the next event of the last update that no handler took.
    pub fn poll_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// Registers a handler for messages of a type. It runs within [`update`](Self::update), and returns nothing or a `Result`.
    ///
    /// If the handler panics or returns an error, or if a message is not of that type, the sender is kicked and
    /// [`poll_failure`](Self::poll_failure) returns the reason. Other clients do not notice. A handler should not return an
    /// error that is not the sender's fault, such as a failed send to another client.
    ///
    /// # Errors
    /// If there is a handler for messages of that id.
    pub fn on<T: MessageType>(
        &mut self,
        handler: impl ServerHandler<Self, T> + Send + 'static,
    ) -> Result<(), DuplicateHandler> {
        self.handlers.handlers().on(handler).map(drop)
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
        self.handlers.handlers().on_message(id, handler).map(drop)
    }

    /// Registers a handler for notify messages, which have no id. It runs like those of [`on`](Self::on).
    ///
    /// # Errors
    /// If there is a handler for notify messages.
    pub fn on_notify<A: IntoOutcome>(
        &mut self,
        handler: impl FnMut(&mut Self, ClientId, &mut Message) -> A + Send + 'static,
    ) -> Result<(), DuplicateHandler> {
        self.handlers.handlers().on_notify(handler).map(drop)
    }

    /// Registers the handler for every event that is not a message with its own handler, in the order of the events: a client
    /// connects before its first message. [`poll_event`](Self::poll_event) returns nothing then. If the handler fails or
    /// panics, the client of the event is kicked. A later handler replaces it.
    pub fn on_event<A: IntoOutcome>(&mut self, handler: impl FnMut(&mut Self, Event) -> A + Send + 'static) {
        self.handlers.on_event(handler);
    }

    /// Returns the next failure of a handler, of the last 64.
    pub fn poll_failure(&mut self) -> Option<HandlerFailure> {
        self.handlers.poll_failure()
    }

    /// Returns the port that the server listens on; 0 with a transport of your own.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.link.port()
    }

    /// Returns the counters of the sockets' driver; `None` with a transport of your own.
    #[must_use]
    pub fn stats(&self) -> Option<&Stats> {
        self.link.stats()
    }
}

impl<S> Deref for Server<S> {
    type Target = server::Server;

    fn deref(&self) -> &server::Server {
        self.link.machine()
    }
}

impl<S> DerefMut for Server<S> {
    fn deref_mut(&mut self) -> &mut server::Server {
        self.link.machine_mut()
    }
}

impl<S: fmt::Debug> fmt::Debug for Server<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let machine: &server::Server = self;
        f.debug_struct("Server")
            .field("state", &self.state)
            .field("port", &self.port())
            .field("machine", machine)
            .finish_non_exhaustive()
    }
}
