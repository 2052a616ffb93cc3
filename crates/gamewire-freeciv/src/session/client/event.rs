use gamewire_machine::{LogLine, QueuedEvent};

use super::CloseReason;
use crate::session::codec::{PacketBuf, PacketRef};
use crate::session::{Capabilities, PlayerRole, RequestId};

/// An event of a client.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Event {
    /// A copy of a packet of the server, if [`ClientConfig::packet_events`](super::ClientConfig::packet_events) is set.
    /// Packets come in their order, before the events that follow from them, and include those that the client answers
    /// automatically.
    Packet(PacketBuf),
    /// The server asks for a password: [`Client::send_password`](super::Client::send_password).
    PasswordRequested {
        /// Which password.
        request: PasswordRequest,
        /// The server's message.
        message: String,
    },
    /// The server has accepted the client. From now on packets can be sent.
    Joined(Box<Joined>),
    /// The client plays or observes another player, or is detached.
    RoleChanged(PlayerRole),
    /// The server starts to process the packet with this number. The packets up to [`Event::Finished`] are its answer.
    Started(RequestId),
    /// The server has processed the packet with this number.
    Finished(RequestId),
    /// The application polled too late: `count` events were dropped.
    Missed {
        /// Number of dropped events.
        count: u64,
    },
    /// The connection is closed. The last event.
    Closed(
        #[cfg_attr(feature = "serde", serde(serialize_with = "crate::codec::serialize_text"))] CloseReason,
    ),
}

/// What [`Client::handle_bytes_with`](super::Client::handle_bytes_with) hands over.
#[derive(Debug)]
pub enum Incoming<'a> {
    /// A packet of the server, borrowed from the decoder.
    Packet(PacketRef<'a>),
    /// An event other than [`Event::Packet`] and [`Event::Closed`].
    Event(Event),
}

/// The server's accepting join reply.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Joined {
    /// The number of the connection.
    pub connection: i64,
    /// The server's message.
    pub message: String,
    /// The server's capabilities.
    #[cfg_attr(feature = "serde", serde(serialize_with = "crate::codec::serialize_text"))]
    pub capabilities: Capabilities,
}

/// The password that a server asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum PasswordRequest {
    /// The password of a known user.
    Login,
    /// A new password for an unknown user.
    NewUser,
    /// The password of a known user again, because the last one was wrong.
    LoginRetry,
    /// A new password again, because the last one was not accepted.
    NewUserRetry,
}

impl PasswordRequest {
    const ALL: [Self; 4] = [Self::Login, Self::NewUser, Self::LoginRetry, Self::NewUserRetry];

    /// Returns the number on the wire.
    #[must_use]
    pub const fn number(self) -> i64 {
        self as i64
    }

    /// Returns the request with this number.
    pub fn from_number(number: i64) -> Option<Self> {
        Self::ALL.get(usize::try_from(number).ok()?).copied()
    }

    /// Returns whether the server has rejected a password before.
    #[must_use]
    pub const fn is_retry(self) -> bool {
        matches!(self, Self::LoginRetry | Self::NewUserRetry)
    }
}

impl Event {
    /// Returns what a log says of the event.
    pub(super) fn log_line(&self) -> Option<LogLine> {
        Some(match self {
            Self::Joined(joined) => LogLine::info(format_args!("joined as connection {}", joined.connection)),
            Self::Missed { count } => LogLine::missed(*count),
            Self::Closed(reason) => LogLine::info(format_args!("the connection is closed: {reason}")),
            _ => return None,
        })
    }
}

impl QueuedEvent for Event {
    fn missed(count: u64) -> Self {
        Self::Missed { count }
    }

    /// The server cannot repeat the essential events at will: it asks again only after a password, and accepts once.
    fn is_essential(&self) -> bool {
        matches!(self, Self::PasswordRequested { .. } | Self::Joined(_) | Self::Closed(_))
    }
}
