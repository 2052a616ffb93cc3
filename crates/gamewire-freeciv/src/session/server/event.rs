use ::core::fmt;

use gamewire_machine::{LogLine, QueuedEvent};

use super::CloseReason;
use crate::session::client::PasswordRequest;
use crate::session::codec::PacketBuf;
use crate::session::{Capabilities, RequestId};

/// The number of a client's connection (Freeciv's `conn_id`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClientId(pub u16);

impl ClientId {
    /// Returns the next id. After the largest id that fits in the packets, it is 1.
    pub(super) fn next(self) -> Self {
        let next = self.0.checked_add(1).filter(|id| *id <= i16::MAX.unsigned_abs());
        Self(next.unwrap_or(1))
    }

    pub(super) fn timer_key(self) -> usize {
        usize::from(self.0)
    }

    pub(super) fn from_timer_key(key: usize) -> Option<Self> {
        u16::try_from(key).ok().map(Self)
    }
}

impl fmt::Display for ClientId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// An event of a server.
///
/// After an event of a client, no further event of the client (except [`Event::Closed`]) is emitted until the
/// application has answered.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Event {
    /// A client wants to log in. This is the first event of a client with
    /// [`LoginPolicy::Application`](super::LoginPolicy). Answer with [`Server::accept`](super::Server::accept),
    /// [`Server::ask_password`](super::Server::ask_password) or [`Server::refuse`](super::Server::refuse).
    LoginRequested {
        /// The client.
        client: ClientId,
        /// Name of the user.
        name: String,
    },
    /// A client sent a password. Answer with [`Server::accept`](super::Server::accept),
    /// [`Server::wrong_password`](super::Server::wrong_password) or [`Server::refuse`](super::Server::refuse).
    Password {
        /// The client.
        client: ClientId,
        /// The kind of password that was requested.
        request: PasswordRequest,
        /// The password that the client sent.
        password: String,
    },
    /// A client joined. Send the game to it, then call [`Server::finish_request`](super::Server::finish_request).
    Joined {
        /// The client.
        client: ClientId,
        /// Name of the user.
        name: String,
        /// The client's capabilities.
        #[cfg_attr(feature = "serde", serde(serialize_with = "crate::codec::serialize_text"))]
        capabilities: Capabilities,
    },
    /// A client sent a packet. Send the answer, then call [`Server::finish_request`](super::Server::finish_request).
    Packet {
        /// The client.
        client: ClientId,
        /// The number that identifies the packet on both sides.
        request: RequestId,
        /// The packet.
        packet: PacketBuf,
    },
    /// The application polled too late: `count` events were dropped.
    Missed {
        /// Number of dropped events.
        count: u64,
    },
    /// A client is disconnected. This is its last event. A client without any other event does not get it.
    Closed {
        /// The client.
        client: ClientId,
        /// The reason why it is disconnected.
        #[cfg_attr(feature = "serde", serde(serialize_with = "crate::codec::serialize_text"))]
        reason: CloseReason,
    },
}

impl Event {
    /// Returns the client of the event.
    pub const fn client(&self) -> Option<ClientId> {
        match self {
            Self::LoginRequested { client, .. }
            | Self::Password { client, .. }
            | Self::Joined { client, .. }
            | Self::Packet { client, .. }
            | Self::Closed { client, .. } => Some(*client),
            Self::Missed { .. } => None,
        }
    }
}

impl Event {
    /// Returns the log line for the event.
    pub(super) fn log_line(&self) -> Option<LogLine> {
        Some(match self {
            Self::LoginRequested { client, name } => {
                LogLine::debug(format_args!("client {client} logs in as {name}"))
            }
            Self::Joined { client, name, .. } => {
                LogLine::info(format_args!("client {client} joined as {name}"))
            }
            Self::Missed { count } => LogLine::missed(*count),
            Self::Closed { client, reason } => {
                LogLine::info(format_args!("client {client} is disconnected: {reason}"))
            }
            _ => return None,
        })
    }
}

impl QueuedEvent for Event {
    fn missed(count: u64) -> Self {
        Self::Missed { count }
    }

    /// All events are essential, and their number is bounded: a client has at most one event without an answer, and the
    /// server accepts no client while the queue is full.
    fn is_essential(&self) -> bool {
        true
    }

    fn heap_bytes(&self) -> usize {
        match self {
            Self::LoginRequested { name, .. } => name.len(),
            Self::Password { password, .. } => password.len(),
            _ => 0,
        }
    }
}
