use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use gamewire_schema::ir::{Field, Packet, Protocol, Version};
use thiserror::Error;

use super::session_packet::SessionPacket;
use crate::codec::{ProtocolVersion, set_in_form};
use crate::delta::{UnsupportedPacket, Value, Variants, no_player};
use crate::packets::{self, OwnedPacket};
use crate::session::Capabilities;

/// The packets of a protocol version. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Definition {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    protocol: Arc<Protocol>,
    /// The version of the generated code.
    version: ProtocolVersion,
    /// The number that means "no player".
    no_player: u16,
    /// The data of the interpreter, or `None` for generated code.
    interpreted: Option<Interpreted>,
    /// Numbers of the session's packets, in the order of [`SessionPacket::ALL`].
    numbers: Vec<u16>,
}

#[derive(Debug)]
struct Interpreted {
    before_join: Arc<Variants>,
    /// The variants with all capabilities, which most connections share. They are computed at the first join.
    with_all: OnceLock<Arc<Variants>>,
    /// For each packet number, the mapping to a packet type of the generated code.
    views: HashMap<u16, View>,
}

/// The error for a definition that sessions cannot use.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DefinitionError {
    /// Packets or fields that sessions need are missing. The list contains all of them.
    #[error("the definition lacks {}", .0.join(", "))]
    Missing(Vec<String>),
    /// The interpreter does not support a packet.
    #[error(transparent)]
    Unsupported(#[from] UnsupportedPacket),
}

/// The definition of the oldest version, 3.0.
impl Default for Definition {
    fn default() -> Self {
        Self::of(ProtocolVersion::default())
    }
}

impl Definition {
    /// Returns the definition of a version, with generated code.
    pub fn of(version: ProtocolVersion) -> Self {
        static DEFINITIONS: [OnceLock<Definition>; 3] = [const { OnceLock::new() }; 3];
        let build = || {
            let protocol = Arc::new(packets::protocol_of(version));
            let numbers = SessionPacket::ALL.iter().map(|kind| kind.number(&protocol).unwrap_or_default());
            let (numbers, no_player) = (numbers.collect(), version.no_player());
            Self { inner: Arc::new(Inner { numbers, protocol, version, no_player, interpreted: None }) }
        };
        let index = ProtocolVersion::ALL.iter().position(|known| *known == version);
        index
            .and_then(|index| DEFINITIONS.get(index))
            .map_or_else(build, |cell| cell.get_or_init(build).clone())
    }

    /// Creates a definition for the interpreter.
    ///
    /// # Errors
    /// [`DefinitionError`] if a packet is missing or not supported.
    pub fn interpreted(protocol: Protocol) -> Result<Self, DefinitionError> {
        let numbers = SessionPacket::ALL.iter().map(|kind| kind.number(&protocol));
        let (numbers, missing): (Vec<_>, Vec<_>) = numbers.partition(Result::is_ok);
        let missing: Vec<String> = missing.into_iter().filter_map(Result::err).flatten().collect();
        if !missing.is_empty() {
            return Err(DefinitionError::Missing(missing));
        }
        let numbers = numbers.into_iter().flatten().collect();
        let version = ProtocolVersion::of_capabilities(&protocol.capability_string);
        let of_numbers = |version: Version| ProtocolVersion::of_server(version.0[0], version.0[1]);
        let version = version.or_else(|| protocol.version.map(of_numbers)).unwrap_or_default();
        let known = packets::protocol_of(version);
        let view = |packet: &Packet| Some((packet.number, View::new(packet, &known, version)?));
        let views = protocol.packets.iter().filter_map(view).collect();
        let no_player = no_player(&protocol).unwrap_or_else(|| version.no_player());
        let protocol = Arc::new(protocol);
        let before_join = Arc::new(Variants::before_join(Arc::clone(&protocol))?);
        let interpreted = Some(Interpreted { before_join, with_all: OnceLock::new(), views });
        Ok(Self { inner: Arc::new(Inner { numbers, protocol, version, no_player, interpreted }) })
    }

    /// Returns the definition for a connection between sides with these capabilities. An interpreted definition stays.
    ///
    /// # Errors
    /// The capability that names the server's version if it is not a shipped one.
    pub(in crate::session) fn for_connection(
        &self,
        ours: &Capabilities,
        theirs: &Capabilities,
    ) -> Result<Self, String> {
        if self.inner.interpreted.is_some() {
            return Ok(self.clone());
        }
        match (ours.common_version(theirs, self.version()), theirs.required_version()) {
            (Some(version), _) => Ok(Self::of(version)),
            (None, Some(unknown)) => Err(unknown.to_owned()),
            (None, None) => Ok(self.clone()),
        }
    }

    /// Returns the version of the generated code, or the closest version for an interpreted definition.
    pub fn version(&self) -> ProtocolVersion {
        self.inner.version
    }

    /// Returns the number that means "no player".
    pub fn no_player(&self) -> u16 {
        self.inner.no_player
    }

    /// Returns the protocol.
    pub fn protocol(&self) -> &Protocol {
        &self.inner.protocol
    }

    /// Returns the number of the packet with a name, such as `PACKET_CITY_INFO`. Searches linearly.
    pub fn number(&self, name: &str) -> Option<u16> {
        self.protocol().packet_named(name).map(|packet| packet.number)
    }

    /// Returns the interpreter's variants before the join, or `None` for generated code.
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

    /// Returns the mapping of a packet to a packet type of the generated code.
    pub(super) fn view(&self, number: u16) -> Option<&View> {
        self.inner.interpreted.as_ref()?.views.get(&number)
    }

    /// Returns the session packet with this number.
    pub(in crate::session) fn kind(&self, number: u16) -> Option<SessionPacket> {
        let at = self.inner.numbers.iter().position(|known| *known == number)?;
        SessionPacket::ALL.get(at).copied()
    }

    /// Returns the number of a session packet.
    pub(in crate::session) fn number_of(&self, kind: SessionPacket) -> u16 {
        self.inner.numbers.get(kind as usize).copied().unwrap_or_default()
    }
}

/// A map from a packet to the packet type with the same name or number, and from its fields to the fields with the same
/// names.
#[derive(Debug)]
pub(super) struct View {
    number: u16,
    version: ProtocolVersion,
    /// Pairs of field indices: in the definition, and in the packet type.
    fields: Vec<(usize, usize)>,
}

impl View {
    pub(super) fn new(packet: &Packet, known: &Protocol, version: ProtocolVersion) -> Option<Self> {
        let same = known.packet_named(&packet.name).or_else(|| known.packet(packet.number))?;
        let blank = OwnedPacket::blank(same.number, version)?;
        let index = |name: &str| blank.as_packet().definition().index_of(name);
        let field = |(at, field): (usize, &Field)| {
            Some((at, index(&field.name).or_else(|| index(field.base_name()))?))
        };
        let fields = packet.fields.iter().enumerate().filter_map(field).collect();
        Some(Self { number: same.number, version, fields })
    }

    /// Converts the values to a packet of that type. Fields keep their defaults if their values do not fit.
    pub(super) fn fill(&self, values: &[Value]) -> Option<OwnedPacket> {
        let mut packet = OwnedPacket::blank(self.number, self.version)?;
        let fields = packet.fields_mut();
        for (from, to) in &self.fields {
            if let Some(value) = values.get(*from).filter(|value| **value != Value::Absent)
                && set_in_form(fields, *to, value).is_err()
            {
                // Reset the field, because a part of it may be set.
                let _ = fields.set_value(*to, &Value::Absent);
            }
        }
        Some(packet)
    }
}

/// The methods that [`Decoder`](super::Decoder) and [`Encoder`](super::Encoder) share.
macro_rules! backend_methods {
    () => {
        /// Changes to another version of the generated code, once the other side has named its version. An interpreter
        /// keeps its definition.
        pub fn set_definition(&mut self, definition: &Definition) {
            if let Backend::Generated(codec) = &mut self.backend {
                codec.set_version(definition.version());
                self.definition = definition.clone();
            }
        }

        /// Selects the variants of packets for the capabilities that both sides have.
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

        /// Removes the baselines of packets that describe the game. Call it when the connection gets another role.
        pub fn forget_game_info(&mut self) {
            match &mut self.backend {
                Backend::Generated(codec) => codec.forget_game_info(),
                Backend::Interpreted { delta, .. } => delta.forget_game_info(),
            }
        }

        /// Returns the memory that the remembered packets use.
        pub fn memory_usage(&self) -> crate::delta::MemoryUsage {
            match &self.backend {
                Backend::Generated(codec) => codec.memory_usage(),
                Backend::Interpreted { delta, .. } => delta.memory_usage(),
            }
        }
    };
}

pub(super) use backend_methods;
