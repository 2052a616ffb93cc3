use core::fmt;
use core::ops::{Deref, DerefMut};
use core::time::Duration;
use std::collections::VecDeque;
use std::io;
use std::net::ToSocketAddrs;

use gamewire_net::Stats;
use gamewire_riptide::client::{self, ClientConfig, Event};
use gamewire_riptide::message::{DuplicateHandler, IntoOutcome};
use gamewire_riptide::{Message, MessageType, SendError};

use super::client_link::ClientLink;
use crate::riptide::places::resolve;
use crate::riptide::registry::HandlerRegistry;
use crate::riptide::{ClientHandler, ConnectError, ConnectOptions, HandlerFailure, Transport};

/// A client for a program with a frame loop: call [`update`](Self::update) once a frame.
///
/// It derefs to the machine, [`client::Client`], so it has all commands of that. Messages leave with the next `update` or
/// [`wait`](Self::wait). A dropped client sends its queued messages, but no disconnect:
/// [`disconnect`](client::Client::disconnect) does.
///
/// Handlers reach the application's data as [`state`](Self::state).
pub struct Client<S = ()> {
    /// The application's data. Handlers reach it through the client that they receive.
    pub state: S,
    link: ClientLink,
    registry: HandlerRegistry<Self, (), Event>,
    happened: VecDeque<Event>,
    events: VecDeque<Event>,
}

impl Client {
    /// Starts to connect over UDP. Resolves a name first, which may block.
    ///
    /// # Errors
    /// [`ConnectError`], if the name has no address or the system has no socket. A server that does not answer is an
    /// [event](Event::ConnectionFailed).
    pub fn connect(server: impl ToSocketAddrs, config: ClientConfig) -> Result<Self, ConnectError> {
        Self::connect_with(server, config, ConnectOptions::udp())
    }

    /// Starts to connect over UDP or TCP, with all options.
    ///
    /// # Errors
    /// [`ConnectError`], if the name has no address, the system has no socket, or the stream cannot be opened.
    pub fn connect_with(
        server: impl ToSocketAddrs,
        config: ClientConfig,
        via: ConnectOptions,
    ) -> Result<Self, ConnectError> {
        ClientLink::connect(resolve(server)?, &config, via).map(Self::new)
    }

    /// Creates a client over a transport of your own, in which the server has the number `server`.
    ///
    /// # Errors
    /// If [`ClientConfig::connect_data`] does not fit a packet.
    pub fn with_transport(
        transport: impl Transport + Send + 'static,
        server: u64,
        config: ClientConfig,
    ) -> Result<Self, SendError> {
        ClientLink::over(&config, Box::new(transport), server).map(Self::new)
    }

    const fn new(link: ClientLink) -> Self {
        Self {
            state: (),
            link,
            registry: HandlerRegistry::new(),
            happened: VecDeque::new(),
            events: VecDeque::new(),
        }
    }

    /// Returns the same client with a state. Register handlers afterwards: they belong to one type of state, and those
    /// registered before are removed.
    #[must_use]
    pub fn with_state<S>(self, state: S) -> Client<S> {
        Client {
            state,
            link: self.link,
            registry: HandlerRegistry::new(),
            happened: self.happened,
            events: self.events,
        }
    }
}

impl<S> Client<S> {
    /// Receives, runs handlers in the order of the events, and sends. Never blocks. Events of the last call that were not
    /// polled are dropped.
    ///
    /// # Errors
    /// If the socket or the transport failed.
    pub fn update(&mut self) -> io::Result<()> {
        self.events.clear();
        self.link.update(&mut self.happened)?;
        // Taken out, so that handlers can borrow the client.
        let mut registry = core::mem::take(&mut self.registry);
        while let Some(event) = self.happened.pop_front() {
            let left = registry.dispatch_client_event(self, event);
            self.events.extend(left);
        }
        let added = core::mem::replace(&mut self.registry, registry);
        self.registry.merge(added);
        // Messages of handlers do not wait for the next frame.
        if self.registry.has_run() { self.link.wait(Duration::ZERO) } else { Ok(()) }
    }

    /// Sends the queued messages, then blocks until there is work for the next update, or until `most` has passed. It may
    /// return early; over a transport of your own it returns after 2 ms.
    ///
    /// # Errors
    /// If the system cannot wait for the socket.
    pub fn wait(&mut self, most: Duration) -> io::Result<()> {
        self.link.wait(if self.events.is_empty() { most } else { Duration::ZERO })
    }

    /// Returns the next event of the last update that no handler took.
    pub fn poll_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// Registers a handler for messages of a type. It runs within [`update`](Self::update), and returns nothing or a `Result`.
    /// If it fails or panics, or a message is not of that type, [`poll_failure`](Self::poll_failure) returns the reason; the
    /// connection stays open.
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
    /// [`poll_event`](Self::poll_event) returns nothing then. A later handler replaces it.
    pub fn on_event<A: IntoOutcome>(&mut self, handler: impl FnMut(&mut Self, Event) -> A + Send + 'static) {
        self.registry.on_event(handler);
    }

    /// Returns the next failure of a handler, of the last 64.
    pub fn poll_failure(&mut self) -> Option<HandlerFailure> {
        self.registry.poll_failure()
    }

    /// Returns the counters of the socket's driver; `None` with a transport of your own.
    #[must_use]
    pub fn stats(&self) -> Option<&Stats> {
        self.link.stats()
    }
}

impl<S> Deref for Client<S> {
    type Target = client::Client;

    fn deref(&self) -> &client::Client {
        self.link.machine()
    }
}

impl<S> DerefMut for Client<S> {
    fn deref_mut(&mut self) -> &mut client::Client {
        self.link.machine_mut()
    }
}

impl<S: fmt::Debug> fmt::Debug for Client<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let machine: &client::Client = self;
        f.debug_struct("Client").field("state", &self.state).field("machine", machine).finish_non_exhaustive()
    }
}
