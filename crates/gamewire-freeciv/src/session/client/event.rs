use gamewire_machine::{LogLine, QueuedEvent};

use super::CloseReason;
use crate::session::codec::{PacketBuf, PacketRef};
use crate::session::{Capabilities, PlayerRole, RequestId};

/// An event of a client.
#[derive(Clone, Debug)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum Event {
    /// A copy of a packet from the server, if [`ClientConfig::packet_events`](super::ClientConfig::packet_events) is
    /// set. Packets are emitted in order, before the events that result from them. Packets that the client answers
    /// automatically are included.
    Packet(PacketBuf),
    /// The server requests a password. Send it with [`Client::send_password`](super::Client::send_password).
    PasswordRequested {
        /// The kind of password.
        request: PasswordRequest,
        /// The server's message.
        message: String,
    },
    /// The server has accepted the client. The application can send packets from now on.
    Joined(Box<Joined>),
    /// The client plays or observes another player, or is detached.
    RoleChanged(PlayerRole),
    /// The server begins to process the packet with this number. All packets up to [`Event::Finished`] are its answer.
    Started(RequestId),
    /// The server has processed the packet with this number.
    Finished(RequestId),
    /// The application polled too late: `count` events were dropped.
    Missed {
        /// Number of dropped events.
        count: u64,
    },
    /// The connection is closed. This is the last event.
    Closed(
        #[cfg_attr(feature = "serde", serde(serialize_with = "crate::codec::serialize_text"))] CloseReason,
    ),
}

/// The argument of the callback of [`Client::handle_bytes_with`](super::Client::handle_bytes_with).
#[derive(Debug)]
pub enum Incoming<'a> {
    /// A packet from the server, borrowed from the decoder.
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
    /// Name of the file with a client's token, in the folder `.freeciv` of the home of the server's user. A client that
    /// can write it may request all rights by a packet with the token. Check the name before you use it as a path: the
    /// server has chosen it.
    pub challenge_file: String,
}

/// The password that a server requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum PasswordRequest {
    /// The password of a known user.
    Login,
    /// A new password for an unknown user.
    NewUser,
    /// The password of a known user, after a wrong one.
    LoginRetry,
    /// A new password for an unknown user, after one that the server did not accept.
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

    /// Returns whether the server has rejected a password already.
    #[must_use]
    pub const fn is_retry(self) -> bool {
        matches!(self, Self::LoginRetry | Self::NewUserRetry)
    }
}

impl Event {
    /// Returns the log line for the event.
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

    /// The server bounds the number of these events: it requests a password again only after one was sent, and accepts
    /// once.
    fn is_essential(&self) -> bool {
        matches!(self, Self::PasswordRequested { .. } | Self::Joined(_) | Self::Closed(_))
    }
}
