use core::fmt;

use crate::session::RequestId;
use crate::world::Message;

/// Stands for an order until the server has dealt with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OrderId(pub(super) RequestId);

impl fmt::Display for OrderId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What became of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OrderOutcome {
    /// The server did something, or said something that is no refusal.
    Done,
    /// The server refused, in its words.
    Refused(String),
    /// The server said nothing at all: it was so already, or was refused without a word.
    Silent,
}

/// What the server answered to an order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderReply {
    /// Whether it was done.
    pub outcome: OrderOutcome,
    /// All lines that came with it.
    pub messages: Vec<Message>,
}

impl OrderReply {
    /// Whether the server did something.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.outcome == OrderOutcome::Done
    }

    /// The server's words, if it refused.
    #[must_use]
    pub fn refusal(&self) -> Option<&str> {
        match &self.outcome {
            OrderOutcome::Refused(words) => Some(words),
            OrderOutcome::Done | OrderOutcome::Silent => None,
        }
    }
}
