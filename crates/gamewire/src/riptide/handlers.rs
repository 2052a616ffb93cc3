use core::fmt;
use core::ops::DerefMut;
use std::collections::{BTreeMap, VecDeque};

use gamewire_machine::Machine;
use gamewire_riptide::message::{HandlerError, HandlerOutcome, Handlers, IntoOutcome};
use gamewire_riptide::{ClientId, ConnectionId, Message, client, server};
use gamewire_wire::CodecError;

use super::Logger;

/// A handler of a server: a function of the server, the sender and the message that returns nothing or a `Result`.
///
/// It is a separate trait, so that `server.on::<PlayerMove>(...)` names only the message.
pub trait ServerHandler<S, T>: FnMut(&mut S, ClientId, T) -> <Self as ServerHandler<S, T>>::Answer {
    /// The handler's return type.
    type Answer: IntoOutcome;
}

impl<S, T, A: IntoOutcome, H: FnMut(&mut S, ClientId, T) -> A> ServerHandler<S, T> for H {
    type Answer = A;
}

/// A handler of a client: a function of the client and the message that returns nothing or a `Result`.
pub trait ClientHandler<S, T>: FnMut(&mut S, T) -> <Self as ClientHandler<S, T>>::Answer {
    /// The handler's return type.
    type Answer: IntoOutcome;
}

impl<S, T, A: IntoOutcome, H: FnMut(&mut S, T) -> A> ClientHandler<S, T> for H {
    type Answer = A;
}

/// A failed handler of a message or an event.
#[derive(Debug)]
pub struct HandlerFailure {
    /// The sender of the message, or the client of the event; `None` on a client.
    pub client: Option<ClientId>,
    /// The reason.
    pub kind: FailureKind,
}

/// The reason why a handler failed.
#[derive(Debug, thiserror::Error)]
pub enum FailureKind {
    /// The message is not of the type that is registered for its id.
    #[error("the message of {length} bytes cannot be read: {error}")]
    Undecodable {
        /// The field, with the name of the type as its packet.
        error: CodecError,
        /// Bytes of the values.
        length: usize,
    },
    /// The handler returned an error or panicked.
    #[error(transparent)]
    Handler(HandlerError),
}

impl fmt::Display for HandlerFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.client {
            Some(client) => write!(f, "client {client}: {}", self.kind),
            None => self.kind.fmt(f),
        }
    }
}

impl core::error::Error for HandlerFailure {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        Some(&self.kind)
    }
}

type EventHandler<T, E> = Box<dyn FnMut(&mut T, E) -> HandlerOutcome + Send>;

/// Text of the kick for a message that could not be decoded.
const UNDECODABLE: &str = "invalid message";

/// Maximum queued failures. A further one displaces the oldest.
const MAX_FAILURES: usize = 64;

/// The handlers of a server or client `T`, and their failures.
pub struct HandlerRegistry<T, F, E> {
    pub(super) handlers: Handlers<T, F>,
    on_event: Option<EventHandler<T, E>>,
    pub(super) failures: VecDeque<HandlerFailure>,
    /// The connections of clients, according to the events.
    connections: BTreeMap<ClientId, ConnectionId>,
    /// Clients that were kicked and are not yet disconnected. Their further messages are ignored.
    kicked: BTreeMap<ClientId, ConnectionId>,
    has_run: bool,
    pub(super) logger: Option<Logger>,
}

impl<T, F, E> HandlerRegistry<T, F, E> {
    pub(super) fn on_event<A: IntoOutcome>(
        &mut self,
        mut handler: impl FnMut(&mut T, E) -> A + Send + 'static,
    ) {
        self.on_event = Some(Box::new(move |on, event| handler(on, event).outcome()));
    }

    /// Returns whether a handler ran since the last call.
    pub(super) const fn has_run(&mut self) -> bool {
        core::mem::replace(&mut self.has_run, false)
    }

    /// Adds the handlers that were registered while this registry was taken out.
    pub(super) fn merge(&mut self, other: Self) {
        self.handlers.append(other.handlers);
        if other.on_event.is_some() {
            self.on_event = other.on_event;
        }
        if other.logger.is_some() {
            self.logger = other.logger;
        }
    }

    /// Passes an event to the event handler, or returns it if there is none.
    fn call_event_handler(&mut self, on: &mut T, event: E) -> Result<HandlerOutcome, E> {
        let Some(handler) = &mut self.on_event else { return Err(event) };
        Ok(HandlerOutcome::catch(|| handler(on, event)))
    }

    /// Stores the failure of a handler. Returns whether the outcome is a failure.
    fn record_outcome(&mut self, client: Option<ClientId>, outcome: HandlerOutcome) -> bool {
        self.has_run = true;
        let kind = match outcome {
            HandlerOutcome::Handled | HandlerOutcome::Unhandled => return false,
            HandlerOutcome::Undecodable { error, length } => FailureKind::Undecodable { error, length },
            HandlerOutcome::Failed(error) => FailureKind::Handler(error),
        };
        if self.failures.len() >= MAX_FAILURES {
            self.failures.pop_front();
        }
        let failure = HandlerFailure { client, kind };
        #[cfg(feature = "tracing")]
        tracing::warn!(target: "gamewire", "{failure}");
        if let Some(logger) = &mut self.logger {
            logger.error(&failure);
        }
        self.failures.push_back(failure);
        true
    }
}

impl<T, F, E> HandlerRegistry<T, F, E> {
    pub(super) fn new(logger: Option<Logger>) -> Self {
        Self {
            handlers: Handlers::new(),
            on_event: None,
            failures: VecDeque::new(),
            connections: BTreeMap::new(),
            kicked: BTreeMap::new(),
            has_run: false,
            logger,
        }
    }
}

impl<T, F, E> Default for HandlerRegistry<T, F, E> {
    fn default() -> Self {
        Self::new(None)
    }
}

/// A machine with handlers for its messages and events.
pub trait HandledMachine: Machine + Sized {
    /// The sender of a message.
    type Sender;

    /// Passes an event to its handler. Returns the event if it has no handler.
    fn dispatch<T: DerefMut<Target = Self>>(
        registry: &mut HandlerRegistry<T, Self::Sender, Self::Event>,
        on: &mut T,
        event: Self::Event,
    ) -> Option<Self::Event>;

    /// Returns whether no event follows.
    fn is_last(event: &Self::Event) -> bool;
}

impl HandledMachine for client::Client {
    type Sender = ();

    fn dispatch<T: DerefMut<Target = Self>>(
        registry: &mut HandlerRegistry<T, (), client::Event>,
        on: &mut T,
        mut event: client::Event,
    ) -> Option<client::Event> {
        if let client::Event::MessageReceived { message } = &mut event {
            let outcome = registry.handlers.handle(on, (), message);
            if !matches!(outcome, HandlerOutcome::Unhandled) {
                registry.record_outcome(None, outcome);
                return None;
            }
            log_unhandled(message);
        }
        let outcome = match registry.call_event_handler(on, event) {
            Ok(outcome) => outcome,
            Err(event) => return Some(event),
        };
        registry.record_outcome(None, outcome);
        None
    }

    fn is_last(event: &client::Event) -> bool {
        matches!(event, client::Event::ConnectionFailed { .. } | client::Event::Disconnected { .. })
    }
}

impl HandledMachine for server::Server {
    type Sender = ClientId;

    fn dispatch<T: DerefMut<Target = Self>>(
        registry: &mut HandlerRegistry<T, ClientId, server::Event>,
        on: &mut T,
        mut event: server::Event,
    ) -> Option<server::Event> {
        registry.track_connection(&event);
        if let server::Event::MessageReceived { client, message } = &mut event {
            if registry.kicked.contains_key(client) {
                return None;
            }
            let outcome = registry.handlers.handle(on, *client, message);
            if !matches!(outcome, HandlerOutcome::Unhandled) {
                registry.kick_on_failure(on, Some(*client), outcome);
                return None;
            }
            log_unhandled(message);
        }
        let client = event_client(&event);
        let outcome = match registry.call_event_handler(on, event) {
            Ok(outcome) => outcome,
            Err(event) => return Some(event),
        };
        registry.kick_on_failure(on, client, outcome);
        None
    }

    fn is_last(_: &server::Event) -> bool {
        false
    }
}

impl<T: DerefMut<Target = server::Server>> HandlerRegistry<T, ClientId, server::Event> {
    /// Updates the connections of clients after an event.
    fn track_connection(&mut self, event: &server::Event) {
        match event {
            server::Event::ClientConnected { client, connection, .. } => {
                self.connections.insert(*client, *connection);
            }
            server::Event::ClientDisconnected { client, .. } => {
                self.connections.remove(client);
                self.kicked.remove(client);
            }
            server::Event::ConnectionFailed { connection, .. } => {
                self.kicked.retain(|_, kicked| kicked != connection);
            }
            _ => {}
        }
    }

    /// Kicks the client of a failed message or event, but not a later client with the same id. If a message could not
    /// be decoded, the text of the kick does not name the server's types and fields.
    fn kick_on_failure(&mut self, server: &mut T, client: Option<ClientId>, outcome: HandlerOutcome) {
        if !self.record_outcome(client, outcome) {
            return;
        }
        let undecodable =
            self.failures.back().filter(|failure| matches!(failure.kind, FailureKind::Undecodable { .. }));
        let why = undecodable.map(|_| {
            let mut data = Message::create_data();
            data.add_string(UNDECODABLE);
            data
        });
        if let Some(client) = client
            && let Some(connection) = server.client(client).map(|view| view.connection())
            && self.connections.get(&client).is_none_or(|known| *known == connection)
            && server.disconnect_client(client, why.as_ref()).is_ok()
        {
            self.kicked.insert(client, connection);
        }
    }
}

/// Logs a message without a handler.
fn log_unhandled(message: &Message) {
    #[cfg(feature = "tracing")]
    match message.id() {
        Some(id) => tracing::debug!(target: "gamewire", "message {id} has no handler"),
        None => tracing::debug!(target: "gamewire", "notify messages have no handler"),
    }
    #[cfg(not(feature = "tracing"))]
    let _ = message;
}

/// Returns the client of an event if the client is still connected.
const fn event_client(event: &server::Event) -> Option<ClientId> {
    use server::Event;
    match event {
        Event::ClientConnected { client, .. }
        | Event::MessageReceived { client, .. }
        | Event::Delivery { client, .. } => Some(*client),
        _ => None,
    }
}
