use std::sync::{Arc, OnceLock};

use gamewire_schema::ir::Protocol;
use thiserror::Error;

use super::session_packet::SessionPacket;
use super::view::View;
use crate::delta::{RoleTracker, UnsupportedPacket, Variants};
use crate::v30;

/// The packets of a protocol version. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Definition {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    protocol: Arc<Protocol>,
    /// The interpreter's data; `None` for generated code.
    interpreted: Option<Interpreted>,
    /// Numbers of the session's packets, in the order of [`SessionPacket::ALL`].
    numbers: [u16; SessionPacket::ALL.len()],
    no_player: i64,
}

#[derive(Debug)]
struct Interpreted {
    before_join: Arc<Variants>,
    /// The variants with all capabilities, which most connections share. Computed at the first join.
    with_all: OnceLock<Arc<Variants>>,
    /// Mappings to the packets of Freeciv 3.0, in the order of the protocol.
    views: Vec<Option<View>>,
}

/// Why a definition cannot be used by sessions.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DefinitionError {
    /// A packet or field that sessions need is missing.
    #[error("the definition lacks {0}")]
    Missing(String),
    /// The interpreter does not support a packet.
    #[error(transparent)]
    Unsupported(#[from] UnsupportedPacket),
}

impl Definition {
    /// Returns the definition of Freeciv 3.0, with generated code.
    #[must_use]
    pub fn v30() -> Self {
        let protocol = v30::protocol();
        let numbers = SessionPacket::ALL.map(|kind| kind.number(&protocol).unwrap_or_default());
        Self::from_inner(Inner {
            protocol: Arc::new(protocol),
            interpreted: None,
            numbers,
            no_player: RoleTracker::NO_PLAYER,
        })
    }

    /// Creates a definition that is interpreted.
    ///
    /// # Errors
    /// [`DefinitionError`] if a packet is missing or not supported.
    pub fn interpreted(protocol: Protocol) -> Result<Self, DefinitionError> {
        let mut numbers = [0; SessionPacket::ALL.len()];
        for (number, kind) in numbers.iter_mut().zip(SessionPacket::ALL) {
            *number = kind.number(&protocol).map_err(DefinitionError::Missing)?;
        }
        let protocol = Arc::new(protocol);
        let known = v30::protocol();
        let views = protocol.packets.iter().map(|packet| View::new(packet, &known)).collect();
        let before_join = Arc::new(Variants::before_join(Arc::clone(&protocol))?);
        let interpreted = Some(Interpreted { before_join, with_all: OnceLock::new(), views });
        Ok(Self::from_inner(Inner { protocol, interpreted, numbers, no_player: RoleTracker::NO_PLAYER }))
    }

    fn from_inner(inner: Inner) -> Self {
        Self { inner: Arc::new(inner) }
    }

    /// Returns the protocol.
    pub fn protocol(&self) -> &Protocol {
        &self.inner.protocol
    }

    /// Returns the number of the packet with a name, such as `PACKET_CITY_INFO`. A linear search.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<u16> {
        self.protocol().packet_named(name).map(|packet| packet.number)
    }

    /// Returns the interpreter's variants before the join; `None` for generated code.
    pub(super) fn before_join(&self) -> Option<&Arc<Variants>> {
        self.inner.interpreted.as_ref().map(|interpreted| &interpreted.before_join)
    }

    /// Returns the interpreter's variants for the capabilities that both sides have.
    pub(super) fn variants(&self, active: &[&str]) -> Option<Arc<Variants>> {
        // Support does not depend on capabilities, so this is `Some` for every interpreted definition.
        let build = || Variants::new(Arc::clone(&self.inner.protocol), active).ok().map(Arc::new);
        let interpreted = self.inner.interpreted.as_ref()?;
        if !self.protocol().capabilities.iter().all(|name| active.contains(&name.as_str())) {
            return build();
        }
        if let Some(variants) = interpreted.with_all.get() {
            return Some(Arc::clone(variants));
        }
        let variants = build()?;
        Some(Arc::clone(interpreted.with_all.get_or_init(|| variants)))
    }

    /// Returns the mapping of a packet to Freeciv 3.0.
    pub(super) fn view(&self, number: u16) -> Option<&View> {
        let index = self.inner.protocol.packets.iter().position(|packet| packet.number == number)?;
        self.inner.interpreted.as_ref()?.views.get(index)?.as_ref()
    }

    /// Returns the session's packet with this number.
    pub(in crate::session) fn kind(&self, number: u16) -> Option<SessionPacket> {
        let at = self.inner.numbers.iter().position(|known| *known == number)?;
        SessionPacket::ALL.get(at).copied()
    }

    /// Returns the number of a session's packet.
    pub(in crate::session) fn number_of(&self, kind: SessionPacket) -> u16 {
        let at = SessionPacket::ALL.iter().position(|known| *known == kind);
        at.and_then(|at| self.inner.numbers.get(at)).copied().unwrap_or_default()
    }

    /// Returns the number for no player.
    pub(in crate::session) fn no_player(&self) -> i64 {
        self.inner.no_player
    }
}
