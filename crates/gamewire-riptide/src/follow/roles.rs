use gamewire_machine::{ConversationSide, Role};

use crate::shared::header::Header;
use crate::shared::version::Version;

/// Guess of which side is the client.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Roles {
    client: Option<ConversationSide>,
    /// Whether a packet that only one role sends confirmed it.
    is_certain: bool,
}

impl Roles {
    pub(super) const fn client(&self) -> Option<ConversationSide> {
        self.client
    }

    /// Returns the role of `from`, which sends `packet`, and updates the guess.
    pub(super) fn sender_role<V: Version>(&mut self, from: ConversationSide, packet: &[u8]) -> Role {
        let is_client = |role| if role == Role::Client { from } else { from.other() };
        if !self.is_certain {
            match role_hint::<V>(packet) {
                RoleHint::Certain(role) => *self = Self { client: Some(is_client(role)), is_certain: true },
                RoleHint::Possible(role) => self.client = self.client.or_else(|| Some(is_client(role))),
                RoleHint::None => {}
            }
        }
        let client = self.client.unwrap_or(ConversationSide::First);
        if from == client { Role::Client } else { Role::Server }
    }
}

/// Evidence of a packet about its sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RoleHint {
    /// Only this role sends such packets.
    Certain(Role),
    /// Both roles send it, but this one first.
    Possible(Role),
    /// Both roles send it.
    None,
}

/// Returns the evidence of `packet` about its sender.
pub(super) fn role_hint<V: Version>(packet: &[u8]) -> RoleHint {
    let Some(header) = header::<V>(packet) else { return RoleHint::None };
    match (header, packet.len()) {
        (Header::Connect, 1) => RoleHint::Possible(Role::Client),
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
        (Header::Welcome, _) => RoleHint::Possible(Role::Server),
        _ => RoleHint::None,
    }
}

/// Returns the header of a packet, if it has one.
pub(super) fn header<V: Version>(packet: &[u8]) -> Option<Header> {
    let &first = packet.first()?;
    Some(V::header(if V::HEADER_BITS < 8 { first & 0x0f } else { first }))
}
