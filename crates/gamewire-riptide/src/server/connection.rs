use std::net::SocketAddr;

use super::budget::RelayLimiter;
use super::lanes::TransportKind;
use crate::peer::Peer;
use crate::{ClientId, ConnectionId, Endpoint};

/// Somebody who has asked for a connection.
#[derive(Debug)]
pub(super) struct ConnectionSlot {
    pub(super) id: ConnectionId,
    /// Where its transport says that it is.
    pub(super) address: Option<SocketAddr>,
    pub(super) peer: Peer,
    pub(super) stage: AdmissionState,
    /// Whether it is to be asked for packets to send; it has no timer then.
    pub(super) is_dirty: bool,
    /// What was passed on for it.
    pub(super) relayed: RelayLimiter,
}

/// How far it has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AdmissionState {
    /// The application decides. `answers` is how many datagrams this and the next stage have sent,
    /// or may send by themselves.
    AwaitingDecision { answers: u16 },
    /// It was sent a Welcome.
    AwaitingEcho { client: ClientId, answers: u16 },
    /// It has sent it back.
    Connected { client: ClientId },
}

impl AdmissionState {
    /// The id, if it has one.
    pub(super) const fn client(self) -> Option<ClientId> {
        match self {
            Self::AwaitingDecision { .. } => None,
            Self::AwaitingEcho { client, .. } | Self::Connected { client } => Some(client),
        }
    }
}

impl ConnectionSlot {
    #[inline]
    pub(super) const fn endpoint(&self) -> Endpoint {
        self.peer.endpoint()
    }

    /// Whether it is to be asked for packets for a kind of transport.
    #[inline]
    pub(super) fn is_dirty_for(&self, kind: TransportKind) -> bool {
        self.is_dirty && TransportKind::from(self.endpoint()) == kind
    }

    #[inline]
    pub(super) const fn is_connected(&self) -> bool {
        matches!(self.stage, AdmissionState::Connected { .. })
    }

    /// The memory that it holds, in bytes.
    pub(super) fn held_bytes(&self) -> usize {
        size_of::<Self>()
            .saturating_add(self.peer.link().held_bytes())
            .saturating_add(self.peer.extension_bytes())
    }
}
