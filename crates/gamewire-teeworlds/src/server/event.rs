use std::net::SocketAddr;

use crate::Dialect;
use crate::link::CloseReason;
use crate::session::message::{Audience, ClientId};

/// What happened on a server. Texts are as they came: bytes that may be anything.
#[derive(Clone, Debug, PartialEq)]
pub enum Event {
    /// Somebody has proven an address and holds a place.
    Connected {
        /// The place.
        id: ClientId,
        /// The address.
        address: SocketAddr,
        /// How it speaks.
        dialect: Dialect,
    },
    /// Somebody plays.
    Entered {
        /// Who.
        id: ClientId,
        /// The name.
        name: Vec<u8>,
    },
    /// A line of chat; it has been passed on to everyone.
    Chat {
        /// Who speaks.
        from: ClientId,
        /// To whom.
        audience: Audience,
        /// What is said, as the games show it.
        text: Vec<u8>,
    },
    /// A line for the remote console, of somebody who may use it.
    RconCommand {
        /// Who.
        from: ClientId,
        /// The line.
        line: Vec<u8>,
    },
    /// Somebody is gone: the last event of this place until the next `Connected`.
    Closed {
        /// Who.
        id: ClientId,
        /// Why.
        reason: CloseReason,
    },
}

impl Event {
    /// Whether an application can do without it: coming and going it must know.
    pub(super) const fn is_dispensable(&self) -> bool {
        matches!(self, Self::Chat { .. } | Self::RconCommand { .. } | Self::Entered { .. })
    }
}
