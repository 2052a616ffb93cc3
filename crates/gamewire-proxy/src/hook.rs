use core::time::Duration;

use crate::Side;

/// The decision about a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Sends it on, as the hook left it.
    Forward,
    /// Does not send it.
    Drop,
    /// Sends it twice.
    Duplicate,
    /// Sends it after this time.
    Delay(Duration),
}

/// Sees every message between a client and its server, and decides about it.
///
/// `M` is the game's type of a message. To change a message, replace it. Every `FnMut(Side, &mut M) -> Action` is a hook.
pub trait MessageHook<M>: Send {
    /// Decides about a message that `from` sent.
    fn on_message(&mut self, from: Side, message: &mut M) -> Action;
}

impl<M, F: FnMut(Side, &mut M) -> Action + Send> MessageHook<M> for F {
    fn on_message(&mut self, from: Side, message: &mut M) -> Action {
        self(from, message)
    }
}

/// The hook that changes nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unchanged;

impl<M> MessageHook<M> for Unchanged {
    fn on_message(&mut self, _: Side, _: &mut M) -> Action {
        Action::Forward
    }
}
