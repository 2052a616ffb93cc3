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
/// It derefs to the machine, [`client::Client`], whose commands are commands of this one, too. What
/// they say leaves with the next `update` or [`wait`](Self::wait). Dropping the client sends what
/// is left, but leaves without a word: [`disconnect`](client::Client::disconnect) says it.
///
/// What handlers are to work on stands in [`state`](Self::state).
pub struct Client<S = ()> {
    /// What the application keeps: handlers reach it by the client that they are given.
    pub state: S,
    link: ClientLink,
    registry: HandlerRegistry<Self, (), Event>,
    happened: VecDeque<Event>,
    events: VecDeque<Event>,
}

impl Client {
    /// Begins to connect over UDP. A name is looked up first, which may block.
    ///
    /// # Errors
    /// The name means no address, or the system gives no socket. That nobody answers is an
    /// [event](Event::ConnectionFailed).
    pub fn connect(server: impl ToSocketAddrs, config: ClientConfig) -> Result<Self, ConnectError> {
        Self::connect_with(server, config, ConnectOptions::udp())
    }

    /// [`connect`](Self::connect) over UDP or TCP, with all that can be chosen.
    ///
    /// # Errors
    /// As before, and over TCP when there is no stream.
    pub fn connect_with(
        server: impl ToSocketAddrs,
        config: ClientConfig,
        via: ConnectOptions,
    ) -> Result<Self, ConnectError> {
        ClientLink::connect(resolve(server)?, &config, via).map(Self::new)
    }

    /// A client over a transport of your own, in which the server has the number `server`.
    ///
    /// # Errors
    /// [`ClientConfig::connect_data`] cannot be sent.
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

    /// The same client with a state. Handlers are for one type of state: register them afterwards,
    /// those from before are gone.
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
    /// Does all that there is to do and never blocks: reads what has come, runs handlers in the
    /// order of what happened, sends. Events that nobody took since the last call are gone.
    ///
    /// # Errors
    /// The socket or the transport no longer works.
    pub fn update(&mut self) -> io::Result<()> {
        self.events.clear();
        self.link.update(&mut self.happened)?;
        // Out of the way, so that handlers can have the client.
        let mut registry = core::mem::take(&mut self.registry);
        while let Some(event) = self.happened.pop_front() {
            let left = registry.dispatch_client_event(self, event);
            self.events.extend(left);
        }
        let added = core::mem::replace(&mut self.registry, registry);
        self.registry.merge(added);
        // What handlers said does not wait for the next frame.
        if self.registry.has_run() { self.link.wait(Duration::ZERO) } else { Ok(()) }
    }

    /// Sends what was said since the last update, then blocks until there is something for the next
    /// one to do, or until `most` has passed. It may return early, and over a transport of your own
    /// it does so after 2 ms.
    ///
    /// # Errors
    /// The system cannot wait for the socket.
    pub fn wait(&mut self, most: Duration) -> io::Result<()> {
        self.link.wait(if self.events.is_empty() { most } else { Duration::ZERO })
    }

    /// The next event of the last update that no handler took.
    pub fn poll_event(&mut self) -> Option<Event> {
        self.events.pop_front()
    }

    /// Handles messages of a type from now on: `handler` runs within [`update`](Self::update), and
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
    /// happened. With such a handler nothing is left for [`poll_event`](Self::poll_event). There is
    /// one; a later one takes its place.
    pub fn on_event<A: IntoOutcome>(&mut self, handler: impl FnMut(&mut Self, Event) -> A + Send + 'static) {
        self.registry.on_event(handler);
    }

    /// The next handler that went wrong, of the last 64.
    pub fn poll_failure(&mut self) -> Option<HandlerFailure> {
        self.registry.poll_failure()
    }

    /// What the driver of the socket did so far; `None` with a transport of your own.
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
