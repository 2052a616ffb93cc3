use super::{CloseReason, PasswordRequest};
use crate::session::codec::{PacketBuf, PacketRef};
use crate::session::{Capabilities, PlayerRole, RequestId};

/// What happened to a client; with a packet as it is kept or, from
/// [`Client::handle_bytes_with`](super::Client::handle_bytes_with), as it is lent.
#[derive(Clone, Debug)]
pub enum Event<P = PacketBuf> {
    /// A packet of the server, in order and before what follows from it. None is left out, those
    /// that the client answers by itself included.
    Packet(P),
    /// The server wants a password: [`Client::answer`](super::Client::answer).
    PasswordWanted {
        /// Which one.
        request: PasswordRequest,
        /// The server's words.
        message: String,
    },
    /// The server has let the client in. From now on packets can be sent.
    Joined(Box<Joined>),
    /// The client plays or watches somebody else now, or nobody.
    RoleChanged(PlayerRole),
    /// The server begins to deal with what was sent under this number: what follows is the answer,
    /// up to the end.
    Started(RequestId),
    /// The server has dealt with it.
    Finished(RequestId),
    /// The connection is over. The last event.
    Closed(CloseReason),
}

/// What a server said when it let a client in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Joined {
    /// The number of the connection.
    pub connection: i64,
    /// The server's words.
    pub message: String,
    /// What the server can do.
    pub capabilities: Capabilities,
}

impl Event<PacketRef<'_>> {
    /// With a copy of the packet, to be kept.
    #[must_use]
    pub fn to_owned(self) -> Event {
        match self {
            Self::Packet(packet) => Event::Packet(packet.to_owned()),
            Self::PasswordWanted { request, message } => Event::PasswordWanted { request, message },
            Self::Joined(joined) => Event::Joined(joined),
            Self::RoleChanged(role) => Event::RoleChanged(role),
            Self::Started(request) => Event::Started(request),
            Self::Finished(request) => Event::Finished(request),
            Self::Closed(reason) => Event::Closed(reason),
        }
    }
}
