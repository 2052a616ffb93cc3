use core::time::Duration;

use gamewire_riptide::Message;

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
/// To change a message, replace it. Every `FnMut(Side, &mut Message) -> Action` is a hook.
pub trait MessageHook: Send {
    /// Decides about a message that `from` sent.
    fn on_message(&mut self, from: Side, message: &mut Message) -> Action;
}

impl<F: FnMut(Side, &mut Message) -> Action + Send> MessageHook for F {
    fn on_message(&mut self, from: Side, message: &mut Message) -> Action {
        self(from, message)
    }
}

/// The hook that changes nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unchanged;

impl MessageHook for Unchanged {
    fn on_message(&mut self, _: Side, _: &mut Message) -> Action {
        Action::Forward
    }
}
