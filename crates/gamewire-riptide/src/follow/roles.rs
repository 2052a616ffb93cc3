use gamewire_machine::ConversationSide;
use gamewire_machine::Role;

use crate::shared::header::Header;
use crate::shared::version::Version;

/// Which end is the client, as far as it has shown.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Roles {
    client: Option<ConversationSide>,
    /// A packet showed it that only one side sends.
    is_sure: bool,
}

impl Roles {
    pub(super) const fn client(&self) -> Option<ConversationSide> {
        self.client
    }

    /// The side at `from`, which sends `packet`.
    pub(super) fn side<V: Version>(&mut self, from: ConversationSide, packet: &[u8]) -> Role {
        let is_client = |side| if side == Role::Client { from } else { from.other() };
        if !self.is_sure {
            match shown::<V>(packet) {
                RoleHint::Certain(side) => *self = Self { client: Some(is_client(side)), is_sure: true },
                RoleHint::Maybe(side) => self.client = self.client.or_else(|| Some(is_client(side))),
                RoleHint::Nothing => {}
            }
        }
        let client = self.client.unwrap_or(ConversationSide::First);
        if from == client { Role::Client } else { Role::Server }
    }
}

/// What a packet shows of its sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RoleHint {
    /// Nobody else sends such a packet.
    Certain(Role),
    /// Both send it, but this side first.
    Maybe(Role),
    /// Both send it.
    Nothing,
}

/// What `packet` shows of its sender.
pub(super) fn shown<V: Version>(packet: &[u8]) -> RoleHint {
    let Some(header) = header::<V>(packet) else { return RoleHint::Nothing };
    match (header, packet.len()) {
        (Header::Connect, 1) => RoleHint::Maybe(Role::Client),
        (Header::Connect, _) | (Header::Heartbeat, 4..) | (Header::Disconnect, 1) => {
            RoleHint::Certain(Role::Client)
        }
        (
            Header::Heartbeat
            | Header::Disconnect
            | Header::Reject
            | Header::ClientConnected
            | Header::ClientDisconnected,
            _,
        ) => RoleHint::Certain(Role::Server),
        (Header::Welcome, _) => RoleHint::Maybe(Role::Server),
        _ => RoleHint::Nothing,
    }
}

/// The header of a packet, if it has one.
pub(super) fn header<V: Version>(packet: &[u8]) -> Option<Header> {
    let &first = packet.first()?;
    Some(V::header(if V::HEADER_BITS < 8 { first & 0x0f } else { first }))
}
