use std::sync::Arc;

use gamewire_schema::ir::Protocol;
use thiserror::Error;

use super::kind::SessionPacket;
use super::view::View;
use crate::delta::{RoleTracker, UnsupportedPacket, Variants};
use crate::v30;

/// Which packets there are, and what is in them. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Definition {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    protocol: Arc<Protocol>,
    /// What the interpreter goes by; generated code needs nothing.
    interpreted: Option<Interpreted>,
    /// The numbers of the packets that sessions deal with, in the order of [`SessionPacket::ALL`].
    numbers: [u16; SessionPacket::ALL.len()],
    no_player: i64,
}

#[derive(Debug)]
struct Interpreted {
    before_join: Arc<Variants>,
    /// What the packets are in Freeciv 3.0, in the order of the protocol.
    views: Vec<Option<View>>,
}

/// Why sessions cannot go by a definition.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DefinitionError {
    /// It has not got a packet or a field that they need.
    #[error("the definition has no {0}")]
    Missing(String),
    /// It has a packet that cannot be interpreted.
    #[error(transparent)]
    Unsupported(#[from] UnsupportedPacket),
}

impl Definition {
    /// That of Freeciv 3.0, with generated code.
    #[must_use]
    pub fn v30() -> Self {
        let protocol = v30::protocol();
        let numbers = SessionPacket::ALL.map(|kind| kind.number(&protocol).unwrap_or_default());
        Self::of(Inner {
            protocol: Arc::new(protocol),
            interpreted: None,
            numbers,
            no_player: RoleTracker::NO_PLAYER,
        })
    }

    /// Any definition, which is interpreted.
    ///
    /// # Errors
    /// It lacks what sessions need, or cannot be interpreted.
    pub fn interpreted(protocol: Protocol) -> Result<Self, DefinitionError> {
        let mut numbers = [0; SessionPacket::ALL.len()];
        for (number, kind) in numbers.iter_mut().zip(SessionPacket::ALL) {
            *number = kind.number(&protocol).map_err(DefinitionError::Missing)?;
        }
        let protocol = Arc::new(protocol);
        let known = v30::protocol();
        let views = protocol.packets.iter().map(|packet| View::new(packet, &known)).collect();
        let before_join = Arc::new(Variants::before_join(Arc::clone(&protocol))?);
        let interpreted = Some(Interpreted { before_join, views });
        Ok(Self::of(Inner { protocol, interpreted, numbers, no_player: RoleTracker::NO_PLAYER }))
    }

    fn of(inner: Inner) -> Self {
        Self { inner: Arc::new(inner) }
    }

    /// The definition itself.
    #[must_use]
    pub fn protocol(&self) -> &Protocol {
        &self.inner.protocol
    }

    /// The number of the packet with a name, such as `PACKET_CITY_INFO`. A search.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<u16> {
        self.protocol().packet_named(name).map(|packet| packet.number)
    }

    /// What the interpreter begins with; `None` if there is generated code.
    pub(super) fn before_join(&self) -> Option<&Arc<Variants>> {
        self.inner.interpreted.as_ref().map(|interpreted| &interpreted.before_join)
    }

    /// With the capabilities that both sides have, for the interpreter.
    pub(super) fn variants(&self, active: &[&str]) -> Option<Arc<Variants>> {
        // It could be interpreted without; each variant has no more than the whole packet.
        Variants::new(Arc::clone(&self.inner.protocol), active).ok().map(Arc::new)
    }

    /// What a packet is in Freeciv 3.0.
    pub(super) fn view(&self, number: u16) -> Option<&View> {
        let place = self.inner.protocol.packets.iter().position(|packet| packet.number == number)?;
        self.inner.interpreted.as_ref()?.views.get(place)?.as_ref()
    }

    /// The packet with a number, if sessions deal with it.
    pub(in crate::session) fn kind(&self, number: u16) -> Option<SessionPacket> {
        let at = self.inner.numbers.iter().position(|known| *known == number)?;
        SessionPacket::ALL.get(at).copied()
    }

    /// The number of a packet that sessions deal with.
    pub(in crate::session) fn number_of(&self, kind: SessionPacket) -> u16 {
        let at = SessionPacket::ALL.iter().position(|known| *known == kind);
        at.and_then(|at| self.inner.numbers.get(at)).copied().unwrap_or_default()
    }

    /// What stands for no player.
    pub(in crate::session) fn no_player(&self) -> i64 {
        self.inner.no_player
    }
}
