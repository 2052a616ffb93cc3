use std::net::SocketAddr;

use gamewire_machine::{LogLine, QueuedEvent};

use crate::Dialect;
use crate::codec::MessageBuf;
use crate::link::CloseReason;
use crate::model::TextBuf;
use crate::model::message::{Audience, ClientId};

/// An event of a server. Texts contain the bytes that the client sent. Escape them before they are shown.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Event {
    /// A client with a verified address got a slot.
    Connected {
        /// The client.
        id: ClientId,
        /// The address.
        address: SocketAddr,
        /// The dialect.
        dialect: Dialect,
    },
    /// A client entered the game.
    Entered {
        /// The client.
        id: ClientId,
        /// The name.
        name: TextBuf,
    },
    /// A line of chat. The server has relayed it to its audience.
    Chat {
        /// The author.
        from: ClientId,
        /// The audience.
        audience: Audience,
        /// The text as the games show it.
        text: TextBuf,
    },
    /// A command for the remote console from a client that has access.
    RconCommand {
        /// The client.
        from: ClientId,
        /// The command.
        line: TextBuf,
    },
    /// A message of a client in the game without another event type, such as a vote. [`MessageBuf::decode`] returns its
    /// fields.
    Message {
        /// The client.
        from: ClientId,
        /// The message.
        message: MessageBuf,
    },
    /// A client was disconnected. This is the last event of its slot until the next `Connected`.
    Closed {
        /// The client.
        id: ClientId,
        /// The reason.
        reason: CloseReason,
    },
    /// The application did not poll in time, and events were lost. `Connected` and `Closed` are never lost.
    Missed {
        /// Number of lost events.
        count: u64,
    },
}

impl Event {
    /// Returns the log line of the event, if it has one.
    pub(super) fn log_line(&self) -> Option<LogLine> {
        Some(match self {
            Self::Connected { id, address, dialect } => {
                LogLine::info(format_args!("client {} ({address}, {}) connected", id.0, dialect.name()))
            }
            Self::Entered { id, name } => {
                LogLine::info(format_args!("client {} entered the game as {name}", id.0))
            }
            Self::Closed { id, reason } => {
                LogLine::info(format_args!("client {} is disconnected: {reason}", id.0))
            }
            Self::Missed { count } => LogLine::missed(*count),
            _ => return None,
        })
    }
}

impl QueuedEvent for Event {
    fn missed(count: u64) -> Self {
        Self::Missed { count }
    }

    fn is_essential(&self) -> bool {
        matches!(self, Self::Connected { .. } | Self::Closed { .. })
    }
}
