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
/// It derefs to the machine, [`server::Server`]: all commands of that one are commands of this
/// one, with nothing in between that could fall behind. What they say leaves with the next
/// `update` or [`wait`](Self::wait). Dropping the server sends what is left, but says no good-byes:
/// [`stop`](server::Server::stop) does.
///
/// What handlers are to work on stands in [`state`](Self::state).
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
    /// What the application keeps: handlers reach it by the server that they are given.
    pub state: S,
    link: ServerLink,
    handlers: HandlerRegistry<Self, ClientId, Event>,
    pending: VecDeque<Event>,
    events: VecDeque<Event>,
}

impl Server {
    /// Listens on a port of all addresses, over UDP and TCP, and has room for so many clients (1 to
    /// 65534). Port 0 is a free one.
    ///
    /// # Errors
    /// The system gives no such sockets.
    pub fn start(port: u16, max_client_count: u16) -> Result<Self, OpenError> {
        Self::start_with(ServerConfig::new(max_client_count), ListenOptions::port(port))
    }

    /// [`start`](Self::start) with all that can be chosen.
    ///
    /// # Errors
    /// The system gives no such sockets.
    pub fn start_with(config: ServerConfig, listen: ListenOptions) -> Result<Self, OpenError> {
        ServerLink::listen(config, listen).map(Self::new)
    }

    /// A server over a transport of your own: its clients are
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

    /// The same server with a state. Handlers are for one type of state: register them afterwards,
    /// those from before are gone.
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
    /// Does all that there is to do and never blocks: reads what has come, runs handlers in the
    /// order of what happened, sends. Events that nobody took since the last call are gone.
    ///
    /// # Errors
    /// The socket for datagrams, or the transport, no longer works.
    pub fn update(&mut self) -> io::Result<()> {
        self.events.clear();
        self.link.update(&mut self.pending)?;
        // Out of the way, so that handlers can have the server.
        let mut registry = core::mem::take(&mut self.handlers);
        while let Some(event) = self.pending.pop_front() {
            let left = registry.dispatch_server_event(self, event);
            self.events.extend(left);
        }
        let added = core::mem::replace(&mut self.handlers, registry);
        self.handlers.merge(added);
        // What handlers said does not wait for the next frame.
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

    /// The next event of the last update that no handler took.
    pub fn poll_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// Handles messages of a type from now on: `handler` runs within [`update`](Self::update), and
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
        self.handlers.handlers().on(handler).map(drop)
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
        self.handlers.handlers().on_message(id, handler).map(drop)
    }

    /// Handles notify messages, which have no id, else like [`on`](Self::on).
    ///
    /// # Errors
    /// There is a handler for notify messages.
    pub fn on_notify<A: IntoOutcome>(
        &mut self,
        handler: impl FnMut(&mut Self, ClientId, &mut Message) -> A + Send + 'static,
    ) -> Result<(), DuplicateHandler> {
        self.handlers.handlers().on_notify(handler).map(drop)
    }

    /// Handles every event that is not a message with a handler of its own, in the order of what
    /// happened: who connects is told of before their first message is handled. With such a handler
    /// nothing is left for [`poll_event`](Self::poll_event). If it fails or panics, the client that
    /// the event is about is kicked. There is one; a later one takes its place.
    pub fn on_event<A: IntoOutcome>(&mut self, handler: impl FnMut(&mut Self, Event) -> A + Send + 'static) {
        self.handlers.on_event(handler);
    }

    /// The next handler that went wrong, of the last 64.
    pub fn poll_failure(&mut self) -> Option<HandlerFailure> {
        self.handlers.poll_failure()
    }

    /// The port that the server listens on; 0 with a transport of your own.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.link.port()
    }

    /// What the driver of the sockets did so far; `None` with a transport of your own.
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
