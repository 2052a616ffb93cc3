use core::time::Duration;

use gamewire_machine::Role;

/// The action that a hook chooses for a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Sends the message with the hook's changes.
    Forward,
    /// Does not send the message.
    Drop,
    /// Sends the message twice.
    Duplicate,
    /// Sends the message after this time.
    Delay(Duration),
}

/// A hook that sees every message between a client and the server and chooses an [`Action`].
///
/// `M` is the game's message type. To change a message, replace it. Every `FnMut(Role, &mut M) -> Action` is a hook.
pub trait MessageHook<M>: Send {
    /// Returns the action for a message that `from` sent.
    fn on_message(&mut self, from: Role, message: &mut M) -> Action;
}

impl<M, F: FnMut(Role, &mut M) -> Action + Send> MessageHook<M> for F {
    fn on_message(&mut self, from: Role, message: &mut M) -> Action {
        self(from, message)
    }
}

/// A hook that forwards every message unchanged.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unchanged;

impl<M> MessageHook<M> for Unchanged {
    fn on_message(&mut self, _: Role, _: &mut M) -> Action {
        Action::Forward
    }
}
