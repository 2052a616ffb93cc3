use std::net::SocketAddr;

use super::budget::Budget;
use super::lanes::Kind;
use crate::peer::Peer;
use crate::{ClientId, ConnectionId, Endpoint};

/// Somebody who has asked for a connection.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) id: ConnectionId,
    /// Where its transport says that it is.
    pub(super) address: Option<SocketAddr>,
    pub(super) peer: Peer,
    pub(super) stage: Stage,
    /// Whether it is to be asked for packets to send; it has no timer then.
    pub(super) is_dirty: bool,
    /// What was passed on for it.
    pub(super) relayed: Budget,
}

/// How far it has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// The application decides. `answers` is how many datagrams this and the next stage have sent,
    /// or may send by themselves.
    Requested { answers: u16 },
    /// It was sent a Welcome.
    Accepted { client: ClientId, answers: u16 },
    /// It has sent it back.
    Connected { client: ClientId },
}

impl Stage {
    /// The id, if it has one.
    pub(super) const fn client(self) -> Option<ClientId> {
        match self {
            Self::Requested { .. } => None,
            Self::Accepted { client, .. } | Self::Connected { client } => Some(client),
        }
    }
}

impl Connection {
    #[inline]
    pub(super) const fn endpoint(&self) -> Endpoint {
        self.peer.endpoint()
    }

    /// Whether it is to be asked for packets for a kind of transport.
    #[inline]
    pub(super) fn is_dirty_for(&self, kind: Kind) -> bool {
        self.is_dirty && Kind::from(self.endpoint()) == kind
    }

    #[inline]
    pub(super) const fn is_connected(&self) -> bool {
        matches!(self.stage, Stage::Connected { .. })
    }

    /// The memory that it holds, in bytes.
    pub(super) fn held_bytes(&self) -> usize {
        size_of::<Self>()
            .saturating_add(self.peer.link().held_bytes())
            .saturating_add(self.peer.extension_bytes())
    }
}
