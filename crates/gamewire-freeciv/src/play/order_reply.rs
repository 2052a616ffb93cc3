use core::fmt;

use crate::session::RequestId;
use crate::world::Message;

/// Identifies an order until the server has processed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OrderId(pub(super) RequestId);

impl fmt::Display for OrderId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The outcome of an order.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum OrderOutcome {
    /// The server sent packets or a message that is not a refusal.
    Done,
    /// The server refused the order with this message.
    Refused(String),
    /// The server sent nothing: the order changed nothing, or was refused without a message.
    Silent,
}

/// The server's reply to an order.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct OrderReply {
    /// The outcome.
    pub outcome: OrderOutcome,
    /// All messages that came with it.
    pub messages: Vec<Message>,
}

impl OrderReply {
    /// Returns whether the outcome is [`OrderOutcome::Done`].
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.outcome == OrderOutcome::Done
    }

    /// Returns the server's message, if it refused the order.
    #[must_use]
    pub fn refusal(&self) -> Option<&str> {
        match &self.outcome {
            OrderOutcome::Refused(message) => Some(message),
            OrderOutcome::Done | OrderOutcome::Silent => None,
        }
    }
}
