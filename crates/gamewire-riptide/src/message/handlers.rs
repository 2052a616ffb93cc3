use core::any::Any;
use core::error::Error;
use core::fmt;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::panic::{AssertUnwindSafe, catch_unwind};

use gamewire_wire::CodecError;

use super::{Message, MessageType};

type BoxError = Box<dyn Error + Send + Sync>;
type Handler<S, F> = Box<dyn FnMut(&mut S, F, &mut Message) -> HandlerOutcome + Send>;

/// Functions that handle messages, each for an id: the original's `MessageHandler`.
///
/// `S` is what they work on, which the caller of [`Handlers::handle`] lends them: a client, a
/// server, a game around one. `F` is whom a message comes from: a server's client, `()` where it
/// can only be the server.
///
/// Whatever a handler does, the caller goes on: it gets an [`HandlerOutcome`], and may end the connection
/// of that one peer.
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

/// What became of a message.
#[derive(Debug)]
#[must_use]
pub enum HandlerOutcome {
    /// Its handler handled it.
    Handled,
    /// There is no handler for its id.
    Unhandled,
    /// Its handler takes a type that its values are not.
    Undecodable(CodecError),
    /// Its handler failed.
    Failed(HandlerError),
}

/// Why a handler failed.
#[derive(Debug)]
pub enum HandlerError {
    /// It returned an error.
    Returned(BoxError),
    /// It panicked, with this message if there was one. What it works on may be half changed.
    Panicked(String),
}

/// There is a handler for this id already; `None` stands for notify messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is a handler for {} already", .id.map_or_else(|| "notify messages".into(), |id| format!("messages with id {id}")))]
pub struct DuplicateHandler {
    /// Its id.
    pub id: Option<u16>,
}

/// What a handler returns: nothing, or a `Result` with any error. Its value does not matter, so
/// that what a server's `send` returns will do.
pub trait IntoOutcome {
    /// What became of the message.
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
    /// None yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { by_id: BTreeMap::new() }
    }

    /// Handles messages of a type, in whatever mode they come.
    ///
    /// # Errors
    /// When there is a handler for its id already.
    pub fn on<T: MessageType, A: IntoOutcome>(
        &mut self,
        mut handler: impl FnMut(&mut S, F, T) -> A + Send + 'static,
    ) -> Result<&mut Self, DuplicateHandler> {
        self.add(T::ID, move |on, from, message| match message.read_as() {
            Ok(value) => handler(on, from, value).outcome(),
            Err(error) => HandlerOutcome::Undecodable(error),
        })
    }

    /// Handles messages with an id as they are.
    ///
    /// # Errors
    /// When there is a handler for the id already.
    pub fn on_message<A: IntoOutcome>(
        &mut self,
        id: impl Into<u16>,
        mut handler: impl FnMut(&mut S, F, &mut Message) -> A + Send + 'static,
    ) -> Result<&mut Self, DuplicateHandler> {
        self.add(Some(id.into()), move |on, from, message| handler(on, from, message).outcome())
    }

    /// Handles notify messages, which have no id, as they are.
    ///
    /// # Errors
    /// When there is a handler for them already.
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
            Entry::Vacant(place) => {
                place.insert(Box::new(handler));
                Ok(self)
            }
            Entry::Occupied(_) => Err(DuplicateHandler { id }),
        }
    }

    /// Takes over the handlers of another such set, but for ids that there are handlers for here.
    pub fn append(&mut self, other: Self) {
        for (id, handler) in other.by_id {
            self.by_id.entry(id).or_insert(handler);
        }
    }

    /// Gives a message to its handler. A panic in there ends here, where the program unwinds.
    pub fn handle(&mut self, on: &mut S, from: F, message: &mut Message) -> HandlerOutcome {
        let Some(handler) = self.by_id.get_mut(&message.id()) else { return HandlerOutcome::Unhandled };
        let handled = catch_unwind(AssertUnwindSafe(|| handler(on, from, message)));
        handled.unwrap_or_else(|panic| {
            HandlerOutcome::Failed(HandlerError::Panicked(panic_message(panic.as_ref())))
        })
    }
}

/// What a panic said.
fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or_default().to_owned()
}

impl HandlerOutcome {
    /// Whether its handler handled it.
    #[must_use]
    pub const fn is_handled(&self) -> bool {
        matches!(self, Self::Handled)
    }
}

impl fmt::Display for HandlerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Returned(error) => write!(f, "the handler failed: {error}"),
            Self::Panicked(said) if said.is_empty() => f.write_str("the handler panicked"),
            Self::Panicked(said) => write!(f, "the handler panicked: {said}"),
        }
    }
}

impl Error for HandlerError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Returned(error) => Some(error.as_ref()),
            Self::Panicked(_) => None,
        }
    }
}

impl<S, F> Default for Handlers<S, F> {
    fn default() -> Self {
        Self::new()
    }
}

/// The ids that there are handlers for.
impl<S, F> fmt::Debug for Handlers<S, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.by_id.keys()).finish()
    }
}
