use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use gamewire_schema::ir::{Field, Packet, Protocol};
use thiserror::Error;

use super::session_packet::SessionPacket;
use crate::delta::{UnsupportedPacket, Value, Variants};
use crate::v30::{self, OwnedPacket};

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
    numbers: Vec<u16>,
}

#[derive(Debug)]
struct Interpreted {
    before_join: Arc<Variants>,
    /// The variants with all capabilities, which most connections share. Computed at the first join.
    with_all: OnceLock<Arc<Variants>>,
    /// Mappings to the packets of Freeciv 3.0, by number.
    views: HashMap<u16, View>,
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
    pub fn v30() -> Self {
        let protocol = Arc::new(v30::protocol());
        let numbers = SessionPacket::ALL.iter().map(|kind| kind.number(&protocol).unwrap_or_default());
        Self { inner: Arc::new(Inner { numbers: numbers.collect(), protocol, interpreted: None }) }
    }

    /// Creates a definition that is interpreted.
    ///
    /// # Errors
    /// [`DefinitionError`] if a packet is missing or not supported.
    pub fn interpreted(protocol: Protocol) -> Result<Self, DefinitionError> {
        let numbers = SessionPacket::ALL.iter().map(|kind| kind.number(&protocol));
        let numbers = numbers.collect::<Result<_, _>>().map_err(DefinitionError::Missing)?;
        let known = v30::protocol();
        let view = |packet: &Packet| Some((packet.number, View::new(packet, &known)?));
        let views = protocol.packets.iter().filter_map(view).collect();
        let protocol = Arc::new(protocol);
        let before_join = Arc::new(Variants::before_join(Arc::clone(&protocol))?);
        let interpreted = Some(Interpreted { before_join, with_all: OnceLock::new(), views });
        Ok(Self { inner: Arc::new(Inner { numbers, protocol, interpreted }) })
    }

    /// Returns the protocol.
    pub fn protocol(&self) -> &Protocol {
        &self.inner.protocol
    }

    /// Returns the number of the packet with a name, such as `PACKET_CITY_INFO`. A linear search.
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
        self.inner.interpreted.as_ref()?.views.get(&number)
    }

    /// Returns the session's packet with this number.
    pub(in crate::session) fn kind(&self, number: u16) -> Option<SessionPacket> {
        let at = self.inner.numbers.iter().position(|known| *known == number)?;
        SessionPacket::ALL.get(at).copied()
    }

    /// Returns the number of a session's packet.
    pub(in crate::session) fn number_of(&self, kind: SessionPacket) -> u16 {
        self.inner.numbers.get(kind as usize).copied().unwrap_or_default()
    }
}

/// Maps a packet of another version to the packet of Freeciv 3.0 with the same name, and its fields by their names.
#[derive(Debug)]
pub(super) struct View {
    number: u16,
    /// Indices of the fields: from, to.
    fields: Vec<(usize, usize)>,
}

impl View {
    pub(super) fn new(packet: &Packet, known: &Protocol) -> Option<Self> {
        let same = known.packet_named(&packet.name)?;
        let field = |(at, field): (usize, &Field)| same.field_index(&field.name).map(|same| (at, same));
        let fields = packet.fields.iter().enumerate().filter_map(field).collect();
        Some(Self { number: same.number, fields })
    }

    /// Returns the values of the other version as a packet of Freeciv 3.0. Fields whose values do not fit keep their
    /// defaults.
    pub(super) fn fill(&self, values: &[Value]) -> Option<OwnedPacket> {
        let mut packet = OwnedPacket::blank(self.number)?;
        let fields = packet.fields_mut();
        for (from, to) in &self.fields {
            if let Some(value) = values.get(*from).filter(|value| **value != Value::Absent)
                && fields.set_value(*to, value).is_err()
            {
                // A value that fits in part becomes the default, too.
                let _ = fields.set_value(*to, &Value::Absent);
            }
        }
        Some(packet)
    }
}

/// The methods of a [`Decoder`](super::Decoder) and an [`Encoder`](super::Encoder) that both backends have.
macro_rules! backend_methods {
    () => {
        /// Selects the variants of packets, by the capabilities that both sides have.
        pub fn set_capabilities(&mut self, active: &[&str]) {
            match &mut self.backend {
                Backend::Generated(codec) => codec.set_capabilities(active),
                Backend::Interpreted { delta, .. } => {
                    if let Some(variants) = self.definition.variants(active) {
                        delta.set_variants(variants);
                    }
                }
            }
        }

        /// Forgets the baselines of packets that describe the game. Call it when the connection gets another role.
        pub fn forget_game_info(&mut self) {
            match &mut self.backend {
                Backend::Generated(codec) => codec.forget_game_info(),
                Backend::Interpreted { delta, .. } => delta.forget_game_info(),
            }
        }

        /// Returns the number of baselines and their approximate bytes.
        pub fn memory_usage(&self) -> (usize, usize) {
            match &self.backend {
                Backend::Generated(codec) => codec.memory_usage(),
                Backend::Interpreted { delta, .. } => delta.memory_usage(),
            }
        }
    };
}

pub(super) use backend_methods;
