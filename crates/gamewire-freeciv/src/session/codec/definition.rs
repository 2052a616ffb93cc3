use std::sync::Arc;

use gamewire_schema::ir::{Packet, Protocol};
use thiserror::Error;

use super::kind::Kind;
use crate::delta::{RoleWatch, UnsupportedPacket, Variants};

/// Which packets there are, and what is in them.
#[derive(Clone, Debug)]
pub struct Definition {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    protocol: Arc<Protocol>,
    before_join: Arc<Variants>,
    /// The numbers of the packets that sessions deal with, in the order of [`Kind::ALL`].
    numbers: [u16; Kind::ALL.len()],
    no_player: i64,
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
    /// Any definition, which is interpreted.
    ///
    /// # Errors
    /// It lacks what sessions need, or cannot be interpreted.
    pub fn interpreted(protocol: Protocol) -> Result<Self, DefinitionError> {
        let mut numbers = [0; Kind::ALL.len()];
        for (number, kind) in numbers.iter_mut().zip(Kind::ALL) {
            *number = kind.number(&protocol).map_err(DefinitionError::Missing)?;
        }
        let protocol = Arc::new(protocol);
        let before_join = Arc::new(Variants::before_join(Arc::clone(&protocol))?);
        let no_player = RoleWatch::NO_PLAYER;
        Ok(Self { inner: Arc::new(Inner { protocol, before_join, numbers, no_player }) })
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

    /// The packet with a number.
    #[must_use]
    pub fn packet(&self, number: u16) -> Option<&Packet> {
        self.inner.before_join.packet(number)
    }

    pub(super) fn before_join(&self) -> &Arc<Variants> {
        &self.inner.before_join
    }

    /// With the capabilities that both sides have.
    pub(super) fn variants(&self, active: &[&str]) -> Option<Arc<Variants>> {
        // It could be interpreted without; each variant has no more than the whole packet.
        Variants::new(Arc::clone(&self.inner.protocol), active).ok().map(Arc::new)
    }

    /// The packet with a number, if sessions deal with it.
    pub(in crate::session) fn kind(&self, number: u16) -> Option<Kind> {
        let at = self.inner.numbers.iter().position(|known| *known == number)?;
        Kind::ALL.get(at).copied()
    }

    /// The number of a packet that sessions deal with.
    pub(in crate::session) fn number_of(&self, kind: Kind) -> u16 {
        let at = Kind::ALL.iter().position(|known| *known == kind);
        at.and_then(|at| self.inner.numbers.get(at)).copied().unwrap_or_default()
    }

    /// What stands for no player.
    pub(in crate::session) fn no_player(&self) -> i64 {
        self.inner.no_player
    }
}
