use ::core::fmt;

use super::CloseReason;
use crate::session::client::PasswordRequest;
use crate::session::codec::PacketBuf;
use crate::session::{Capabilities, RequestId};

/// The number of a client's connection, as other clients are told it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClientId(pub u16);

impl fmt::Display for ClientId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// What happened on a server. After each event but the last of a client, its next one waits for
/// what the event asks for.
#[derive(Clone, Debug)]
pub enum Event {
    /// Somebody asks to be let in. The first event of a client, if the application decides. To be
    /// answered with [`Server::accept`](super::Server::accept),
    /// [`Server::ask_password`](super::Server::ask_password) or
    /// [`Server::refuse`](super::Server::refuse).
    LoginRequested {
        /// Who.
        client: ClientId,
        /// The name of its user.
        name: String,
    },
    /// A client answers with a password. To be answered with
    /// [`Server::accept`](super::Server::accept),
    /// [`Server::wrong_password`](super::Server::wrong_password) or
    /// [`Server::refuse`](super::Server::refuse).
    Password {
        /// Who.
        client: ClientId,
        /// Which one was asked for.
        request: PasswordRequest,
        /// What it sent.
        password: String,
    },
    /// A client was let in. What it is sent first is to end with
    /// [`Server::finish`](super::Server::finish).
    Joined {
        /// Who.
        client: ClientId,
        /// The name of its user.
        name: String,
        /// What it can do.
        capabilities: Capabilities,
    },
    /// A packet of a client. The answer is to end with [`Server::finish`](super::Server::finish).
    Packet {
        /// Whose.
        client: ClientId,
        /// The number by which the client knows it.
        request: RequestId,
        /// The packet.
        packet: PacketBuf,
    },
    /// A client is gone. Its last event, and none if there was no other.
    Closed {
        /// Who.
        client: ClientId,
        /// Why.
        reason: CloseReason,
    },
}

impl Event {
    /// Whose it is.
    #[must_use]
    pub const fn client(&self) -> ClientId {
        match self {
            Self::LoginRequested { client, .. }
            | Self::Password { client, .. }
            | Self::Joined { client, .. }
            | Self::Packet { client, .. }
            | Self::Closed { client, .. } => *client,
        }
    }
}
