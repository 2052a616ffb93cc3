use core::fmt;
use core::ops::{Deref, DerefMut};

use gamewire_machine::Machine;
use gamewire_net::{OpenError, Runtime};
use gamewire_riptide::message::{DuplicateHandler, IntoOutcome};
use gamewire_riptide::server::ServerConfig;
use gamewire_riptide::{ClientId, Message, MessageType, client, server};

use super::handlers::{HandledMachine, HandlerRegistry};
use super::options::with_buffers;
use super::{ClientHandler, HandlerFailure, ListenOptions, Logger, ServerHandler};

/// The loop around a driver's machine, on one runtime.
pub trait MachineLoop: Sized {
    /// The machine.
    type Machine: Machine;
    /// The runtime.
    type Runtime: Runtime;

    /// Creates the loop of a driver.
    fn new(driver: gamewire_net::Driver<Self::Machine, Self::Runtime>) -> Self;

    /// Returns the machine.
    fn machine(&self) -> &Self::Machine;

    /// Returns the machine so that commands can be issued.
    fn machine_mut(&mut self) -> &mut Self::Machine;
}

/// A client or server with handlers, over a driver `D`: [`Client`](super::Client), [`Server`](super::Server),
/// `tokio::Client` or `tokio::Server`.
///
/// It dereferences to the machine `M`, [`client::Client`] or [`server::Server`]: its commands and getters are available
/// here, but not the methods that the driver calls. Messages leave with the next update or await. Dropping it sends the
/// queued messages, but does not disconnect; call [`disconnect`](client::Client::disconnect) or
/// [`stop`](server::Server::stop) for that.
///
/// Handlers reach the application's data as [`state`](Self::state).
///
/// ```compile_fail,E0599
/// # fn of(mut server: gamewire::riptide::Server) {
/// server.poll_packet(gamewire::machine::Instant::ZERO, &mut Vec::new());
/// # }
/// ```
pub struct Driven<S, M: HandledMachine, D> {
    /// The application's data. Handlers reach it through the client or server that they receive.
    pub state: S,
    pub(super) driver: D,
    handlers: HandlerRegistry<Self, M::Sender, M::Event>,
}

impl<M: HandledMachine, D> Driven<(), M, D> {
    pub(super) fn new(driver: D) -> Self {
        Self { state: (), driver, handlers: HandlerRegistry::new(None) }
    }

    /// Returns the client or server with another state. Register handlers afterwards: handlers belong to one type of
    /// state, so this removes earlier ones.
    #[must_use]
    pub fn with_state<S>(self, state: S) -> Driven<S, M, D> {
        Driven { state, driver: self.driver, handlers: HandlerRegistry::new(self.handlers.logger) }
    }
}

impl<S, M: HandledMachine, D: MachineLoop<Machine = M>> Driven<S, M, D> {
    /// Registers the handler for every event except messages that have a handler. It runs in the order of the events: a
    /// client connects before its first message. No event is polled or awaited then. If the handler of a server fails
    /// or panics, the client of the event is kicked. A later handler replaces this one.
    pub fn on_event<A: IntoOutcome>(
        &mut self,
        handler: impl FnMut(&mut Self, M::Event) -> A + Send + 'static,
    ) {
        self.handlers.on_event(handler);
    }

    /// Passes log lines to callbacks from now on (`RiptideLogger.Initialize`).
    pub fn set_logger(&mut self, logger: Logger) {
        self.handlers.logger = Some(logger);
    }

    /// Returns the next failure of a handler. The last 64 are kept.
    pub fn poll_failure(&mut self) -> Option<HandlerFailure> {
        self.handlers.failures.pop_front()
    }

    /// Passes an event to its handler. Returns it if there is none.
    pub(super) fn dispatch(&mut self, event: M::Event) -> Option<M::Event> {
        if let Some(logger) = &mut self.handlers.logger
            && let Some(line) = M::log_line(&event)
        {
            logger.log(&line);
        }
        // Take the handlers out, so that they can borrow the client or server.
        let mut handlers = core::mem::take(&mut self.handlers);
        let left = M::dispatch(&mut handlers, self, event);
        let added = core::mem::replace(&mut self.handlers, handlers);
        self.handlers.merge(added);
        left
    }

    /// Returns whether a handler ran since the last call.
    pub(super) const fn has_run(&mut self) -> bool {
        self.handlers.has_run()
    }
}

impl<D: MachineLoop<Machine = server::Server>> Driven<(), server::Server, D> {
    /// Listens on a port of all addresses, over UDP and TCP, for up to `max_client_count` clients (1 to 65534). Port 0
    /// selects a free port.
    ///
    /// # Errors
    /// [`OpenError`] if the sockets cannot be opened, or if `max_client_count` is 0.
    pub fn start(port: u16, max_client_count: u16) -> Result<Self, OpenError> {
        Self::start_with(ServerConfig::new(max_client_count), ListenOptions::port(port))
    }

    /// Listens with all options.
    ///
    /// # Errors
    /// [`OpenError`] if the sockets cannot be opened, or if the maximum number of clients is 0.
    pub fn start_with(config: ServerConfig, options: ListenOptions) -> Result<Self, OpenError> {
        if config.max_client_count == 0 {
            return Err(OpenError::Option("max_client_count is 0: use 1 to 65534"));
        }
        let machine = options.machine(config);
        let ListenOptions { local, transports, driver, .. } = options;
        let driver = with_buffers(driver);
        Ok(Self::new(D::new(gamewire_net::Driver::listen_with(local, transports, machine, driver)?)))
    }
}

impl<S, D> Driven<S, client::Client, D> {
    /// Registers a handler for messages of a type. It runs within the next update or await, and returns nothing or a `Result`.
    /// If it fails or panics, or a message is not of that type, [`poll_failure`](Self::poll_failure) returns the reason; the
    /// connection stays open.
    ///
    /// # Errors
    /// [`DuplicateHandler`] if there is a handler for messages of that id.
    pub fn on<T: MessageType>(
        &mut self,
        mut handler: impl ClientHandler<Self, T> + Send + 'static,
    ) -> Result<(), DuplicateHandler> {
        self.handlers.handlers.on(move |client, (), message| handler(client, message)).map(drop)
    }

    /// Registers a handler for messages with an id, without a type. It runs like the handlers of [`on`](Self::on).
    ///
    /// # Errors
    /// [`DuplicateHandler`] if there is a handler for messages of that id.
    pub fn on_message<A: IntoOutcome>(
        &mut self,
        id: impl Into<u16>,
        mut handler: impl FnMut(&mut Self, &mut Message) -> A + Send + 'static,
    ) -> Result<(), DuplicateHandler> {
        self.handlers.handlers.on_message(id, move |client, (), message| handler(client, message)).map(drop)
    }

    /// Registers a handler for notify messages, which have no id. It runs like the handlers of [`on`](Self::on).
    ///
    /// # Errors
    /// [`DuplicateHandler`] if there is a handler for notify messages.
    pub fn on_notify<A: IntoOutcome>(
        &mut self,
        mut handler: impl FnMut(&mut Self, &mut Message) -> A + Send + 'static,
    ) -> Result<(), DuplicateHandler> {
        self.handlers.handlers.on_notify(move |client, (), message| handler(client, message)).map(drop)
    }
}

impl<S, D> Driven<S, server::Server, D> {
    /// Registers a handler for messages of a type. It runs within the next update or await, and returns nothing or a
    /// `Result`.
    ///
    /// If the handler panics or returns an error, or if a message is not of that type, the sender is kicked and
    /// [`poll_failure`](Self::poll_failure) returns the reason. Other clients are not affected. A handler should not
    /// return an error that is not the sender's fault, such as a failed send to another client.
    ///
    /// # Errors
    /// [`DuplicateHandler`] if there is a handler for messages of that id.
    pub fn on<T: MessageType>(
        &mut self,
        handler: impl ServerHandler<Self, T> + Send + 'static,
    ) -> Result<(), DuplicateHandler> {
        self.handlers.handlers.on(handler).map(drop)
    }

    /// Registers a handler for messages with an id, without a type. It runs like the handlers of [`on`](Self::on).
    ///
    /// # Errors
    /// [`DuplicateHandler`] if there is a handler for messages of that id.
    pub fn on_message<A: IntoOutcome>(
        &mut self,
        id: impl Into<u16>,
        handler: impl FnMut(&mut Self, ClientId, &mut Message) -> A + Send + 'static,
    ) -> Result<(), DuplicateHandler> {
        self.handlers.handlers.on_message(id, handler).map(drop)
    }

    /// Registers a handler for notify messages, which have no id. It runs like the handlers of [`on`](Self::on).
    ///
    /// # Errors
    /// [`DuplicateHandler`] if there is a handler for notify messages.
    pub fn on_notify<A: IntoOutcome>(
        &mut self,
        handler: impl FnMut(&mut Self, ClientId, &mut Message) -> A + Send + 'static,
    ) -> Result<(), DuplicateHandler> {
        self.handlers.handlers.on_notify(handler).map(drop)
    }
}

impl<S, M: HandledMachine, D: MachineLoop<Machine = M>> Deref for Driven<S, M, D> {
    type Target = M;

    fn deref(&self) -> &M {
        self.driver.machine()
    }
}

impl<S, M: HandledMachine, D: MachineLoop<Machine = M>> DerefMut for Driven<S, M, D> {
    fn deref_mut(&mut self) -> &mut M {
        self.driver.machine_mut()
    }
}

impl<S: fmt::Debug, M: HandledMachine + fmt::Debug, D: MachineLoop<Machine = M>> fmt::Debug
    for Driven<S, M, D>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let machine: &M = self;
        f.debug_struct("Driven").field("state", &self.state).field("machine", machine).finish_non_exhaustive()
    }
}
