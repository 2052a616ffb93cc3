use core::error::Error;
use core::fmt;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::panic::{AssertUnwindSafe, catch_unwind};

use gamewire_wire::CodecError;

use super::{Message, MessageType};

type BoxError = Box<dyn Error + Send + Sync>;
type Handler<S, F> = Box<dyn FnMut(&mut S, F, &mut Message) -> HandlerOutcome + Send>;

/// Message handlers by message id: the C# library's `MessageHandler`.
///
/// `S` is the state that the caller of [`Handlers::handle`] passes to them: a client, a server or a game. `F` is the
/// sender of a message: a client id on a server, `()` on a client.
///
/// If a handler fails or panics, the caller receives a [`HandlerOutcome`] and may close the connection of that peer.
///
/// ```
/// use gamewire_riptide::message::Handlers;
/// use gamewire_riptide::{Format, Message, MessageSendMode};
///
/// #[derive(Message)]
/// #[message(id = 7)]
/// struct Score {
///     points: i32,
/// }
///
/// let mut handlers = Handlers::<i32>::new();
/// handlers.on(|total, (), score: Score| *total += score.points)?;
///
/// let mut total = 0;
/// let mut message = Message::create(MessageSendMode::Reliable, 7_u16);
/// message.add_int(20);
/// assert!(handlers.handle(&mut total, (), &mut message).is_handled());
/// assert_eq!(total, 20);
/// # Ok::<(), gamewire_riptide::message::DuplicateHandler>(())
/// ```
pub struct Handlers<S, F = ()> {
    by_id: BTreeMap<Option<u16>, Handler<S, F>>,
}

/// Result of handling a message.
#[derive(Debug)]
#[must_use]
pub enum HandlerOutcome {
    /// The handler handled it.
    Handled,
    /// No handler for its id.
    Unhandled,
    /// The values cannot be decoded as the type of the handler.
    Undecodable {
        /// The error; its packet is the name of the type.
        error: CodecError,
        /// Bytes of the values.
        length: usize,
    },
    /// The handler failed.
    Failed(HandlerError),
}

/// Failure of a handler.
#[derive(Debug, thiserror::Error)]
pub enum HandlerError {
    /// The handler returned an error.
    #[error("the handler failed: {0}")]
    Returned(#[source] BoxError),
    /// The handler panicked, with this message if there is one. The state may be partially changed.
    #[error("the handler panicked{}{message}", if .0.is_empty() { "" } else { ": " }, message = .0)]
    Panicked(String),
}

/// There is already a handler for this id; `None` means notify messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is already a handler for {}", .id.map_or_else(|| "notify messages".into(), |id| format!("messages with id {id}")))]
pub struct DuplicateHandler {
    /// The id.
    pub id: Option<u16>,
}

/// Return type of a handler: nothing, or a `Result` with any error. The value of `Ok` is ignored, so that a
/// handler can return the result of `send`.
pub trait IntoOutcome {
    /// Converts to an outcome.
    fn outcome(self) -> HandlerOutcome;
}

impl IntoOutcome for () {
    fn outcome(self) -> HandlerOutcome {
        HandlerOutcome::Handled
    }
}

impl<T, E: Into<BoxError>> IntoOutcome for Result<T, E> {
    fn outcome(self) -> HandlerOutcome {
        match self {
            Ok(_) => HandlerOutcome::Handled,
            Err(error) => HandlerOutcome::Failed(HandlerError::Returned(error.into())),
        }
    }
}

impl<S, F> Handlers<S, F> {
    /// Creates an empty registry.
    pub const fn new() -> Self {
        Self { by_id: BTreeMap::new() }
    }

    /// Registers a handler for messages of a type, in any send mode.
    ///
    /// # Errors
    /// [`DuplicateHandler`] if there is already a handler for its id. The old one is kept.
    pub fn on<T: MessageType, A: IntoOutcome>(
        &mut self,
        mut handler: impl FnMut(&mut S, F, T) -> A + Send + 'static,
    ) -> Result<&mut Self, DuplicateHandler> {
        self.add(T::ID, move |on, from, message| match message.read_as() {
            Ok(value) => handler(on, from, value).outcome(),
            Err(error) => {
                let path = core::any::type_name::<T>();
                let name = path.rsplit("::").next().unwrap_or(path);
                let length = message.values().byte_len();
                HandlerOutcome::Undecodable { error: error.in_packet(name), length }
            }
        })
    }

    /// Registers a handler for undecoded messages with an id.
    ///
    /// # Errors
    /// [`DuplicateHandler`] if there is already a handler for the id. The old one is kept.
    pub fn on_message<A: IntoOutcome>(
        &mut self,
        id: impl Into<u16>,
        mut handler: impl FnMut(&mut S, F, &mut Message) -> A + Send + 'static,
    ) -> Result<&mut Self, DuplicateHandler> {
        self.add(Some(id.into()), move |on, from, message| handler(on, from, message).outcome())
    }

    /// Registers a handler for undecoded notify messages, which have no id.
    ///
    /// # Errors
    /// [`DuplicateHandler`] if there is already a handler for them. The old one is kept.
    pub fn on_notify<A: IntoOutcome>(
        &mut self,
        mut handler: impl FnMut(&mut S, F, &mut Message) -> A + Send + 'static,
    ) -> Result<&mut Self, DuplicateHandler> {
        self.add(None, move |on, from, message| handler(on, from, message).outcome())
    }

    fn add(
        &mut self,
        id: Option<u16>,
        handler: impl FnMut(&mut S, F, &mut Message) -> HandlerOutcome + Send + 'static,
    ) -> Result<&mut Self, DuplicateHandler> {
        match self.by_id.entry(id) {
            Entry::Vacant(entry) => {
                entry.insert(Box::new(handler));
                Ok(self)
            }
            Entry::Occupied(_) => Err(DuplicateHandler { id }),
        }
    }

    /// Adds the handlers of another registry, except for ids that already have a handler.
    pub fn append(&mut self, other: Self) {
        for (id, handler) in other.by_id {
            self.by_id.entry(id).or_insert(handler);
        }
    }

    /// Passes a message to its handler. Catches panics if the program unwinds.
    pub fn handle(&mut self, on: &mut S, from: F, message: &mut Message) -> HandlerOutcome {
        let Some(handler) = self.by_id.get_mut(&message.id()) else { return HandlerOutcome::Unhandled };
        HandlerOutcome::catch(|| handler(on, from, message))
    }
}

impl HandlerOutcome {
    /// Calls a handler and returns its outcome. If the handler panics and the program unwinds, the outcome is the
    /// panic.
    pub fn catch(handler: impl FnOnce() -> Self) -> Self {
        catch_unwind(AssertUnwindSafe(handler)).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<&str>().copied();
            let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
            Self::Failed(HandlerError::Panicked(text.unwrap_or_default().to_owned()))
        })
    }

    /// Returns whether the handler handled the message.
    pub const fn is_handled(&self) -> bool {
        matches!(self, Self::Handled)
    }
}

impl<S, F> Default for Handlers<S, F> {
    fn default() -> Self {
        Self::new()
    }
}

/// Writes the ids that have a handler.
impl<S, F> fmt::Debug for Handlers<S, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.by_id.keys()).finish()
    }
}
