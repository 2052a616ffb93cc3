//! Definitions of packets and fields. The derive macro writes them as constants.

use std::sync::Arc;

use super::fields::Fields;
use super::version::ProtocolVersion;
use crate::delta::Value;
use gamewire_schema::ir::{
    Alias, ArrayDiff, CapabilityMask, Count, Dim, Directions, Field, Info, Packet, Protocol, Structure,
    Topic, WireType,
};

/// A type of packet; see [`Packet`].
#[derive(Clone, Copy, Debug)]
pub struct PacketDefinition {
    /// The name in the definition.
    pub name: &'static str,
    /// The type on the wire.
    pub number: u16,
    /// The directions in which it is sent.
    pub directions: Directions,
    /// True if all fields are sent in order and no packet is remembered.
    pub no_delta: bool,
    /// The rule for packets without changes.
    pub info: Info,
    /// True if a sender can force an info packet to be sent without changes.
    pub force: bool,
    /// Numbers of the packets that this packet cancels.
    pub cancels: &'static [u16],
    /// The fields of all variants, in order.
    pub fields: &'static [FieldDefinition],
    /// Indices of the key fields; empty for packets that are not remembered.
    pub keys: &'static [usize],
    /// The capabilities that the fields name.
    pub capabilities: &'static [&'static str],
    /// Number of bits for the fields that every connection of a version sends, for each of [`ProtocolVersion::ALL`].
    pub bits: [usize; ProtocolVersion::ALL.len()],
    /// Indices of the fields that depend on capabilities.
    pub of_capabilities: &'static [usize],
    /// The versions that the packet needs, as bits of [`ProtocolVersion`].
    pub with: u64,
    /// The versions that exclude the packet, as bits of [`ProtocolVersion`].
    pub without: u64,
    /// The file of the definition that contains the packet.
    pub topic: &'static str,
    /// The documentation in the definition.
    pub doc: &'static str,
}

/// A field; see [`Field`].
#[derive(Clone, Copy, Debug)]
pub struct FieldDefinition {
    /// The name in the definition.
    pub name: &'static str,
    /// Other names of the field; see [`Field::aliases`].
    pub aliases: &'static [&'static str],
    /// The type of an element on the wire.
    pub wire: WireType,
    /// The parts of an element if the wire type is [`WireType::Structure`].
    pub structure: Option<&'static Structure>,
    /// The C type in the reference implementation.
    pub c_type: &'static str,
    /// The type name in the definition.
    pub type_name: &'static str,
    /// The dimensions, outermost first.
    pub dims: &'static [Dim],
    /// True if the field is a key.
    pub key: bool,
    /// The encoding of changed elements, if they can be sent alone.
    pub diff: Option<ArrayDiff>,
    /// The capabilities that the field needs: a mask of the packet's capabilities, and bits of [`ProtocolVersion`].
    pub with: u64,
    /// The capabilities that exclude the field: a mask of the packet's capabilities, and bits of [`ProtocolVersion`].
    pub without: u64,
    /// The documentation in the definition.
    pub doc: &'static str,
}

impl PacketDefinition {
    /// Returns whether the packet has a bitvector and is remembered.
    pub const fn is_delta(&self) -> bool {
        !self.no_delta && !self.fields.is_empty()
    }

    /// Returns whether a field is sent with the capabilities in `mask`.
    pub fn is_present(&self, field: usize, mask: CapabilityMask) -> bool {
        self.fields.get(field).is_some_and(|field| field.is_present(mask))
    }

    /// Returns the keys that are sent, with their indices.
    pub(super) fn keys(&self, mask: CapabilityMask) -> impl Iterator<Item = (usize, &FieldDefinition)> {
        let keys = self.keys.iter().filter_map(|index| Some((*index, self.fields.get(*index)?)));
        keys.filter(move |(_, field)| field.is_present(mask))
    }

    /// Returns the number of bits that belong to fields.
    pub(super) fn bits(&self, mask: CapabilityMask) -> usize {
        let of_version = self.bits.get(ProtocolVersion::index(mask)).copied().unwrap_or_default();
        let chosen = self.of_capabilities().filter(|field| !field.key && field.is_present(mask));
        of_version.saturating_add(chosen.count())
    }

    /// Returns the index of the first field that is sent. Its value is the key of the packets that this packet cancels.
    pub(super) fn first(&self, mask: CapabilityMask) -> Option<usize> {
        self.fields.iter().position(|field| field.is_present(mask))
    }

    /// Returns whether any field depends on capabilities in this version.
    pub(super) fn has_variants(&self, version: ProtocolVersion) -> bool {
        self.of_capabilities().any(|field| field.is_in_version(version.bits()))
    }

    /// Returns the fields that depend on capabilities.
    fn of_capabilities(&self) -> impl Iterator<Item = &FieldDefinition> {
        self.of_capabilities.iter().filter_map(|index| self.fields.get(*index))
    }

    /// Returns whether a version has the packet.
    pub const fn is_in(&self, version: ProtocolVersion) -> bool {
        version.bits() & self.with == self.with && version.bits() & self.without == 0
    }

    /// Returns the value of the field with this name, in the form that is sent with this mask. Searches linearly.
    pub(crate) fn value(&self, fields: &dyn Fields, name: &str, mask: CapabilityMask) -> Option<Value> {
        let (index, form) = self.find(name, mask)?;
        Some(form.in_form(fields.value(index)))
    }

    /// Returns the form of a field that is sent with this mask.
    pub(crate) fn form(&self, name: &str, mask: CapabilityMask) -> Option<&FieldDefinition> {
        self.find(name, mask).map(|(_, form)| form)
    }

    fn find(&self, name: &str, mask: CapabilityMask) -> Option<(usize, &FieldDefinition)> {
        let mut present = self.fields.iter().enumerate().filter(|(_, field)| field.is_present(mask));
        present.find(|(_, field)| field.is_named(name))
    }

    /// Returns the index of the first field with this name.
    pub(crate) fn index_of(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.is_named(name))
    }

    /// Returns the fields that the version with these bits has, and their indices.
    pub(crate) fn of_version(&self, bits: u64) -> impl Iterator<Item = (usize, &FieldDefinition)> {
        self.fields.iter().enumerate().filter(move |(_, field)| field.is_in_version(bits))
    }

    /// Returns the packet of a version in the form that the compiler and the interpreter use.
    pub fn packet(&self, version: ProtocolVersion) -> Packet {
        let versions = ProtocolVersion::ALL.map(|version| version.to_string());
        let kept: Vec<usize> = self.of_version(version.bits()).map(|(index, _)| index).collect();
        let mut packet = self.all_forms();
        packet.fields = kept.iter().filter_map(|index| packet.fields.get(*index).cloned()).collect();
        for field in &mut packet.fields {
            field.add_caps.retain(|name| !versions.contains(name));
            field.remove_caps.retain(|name| !versions.contains(name));
            for dim in &mut field.dims {
                if let Count::Field(index) = &mut dim.count {
                    *index = self.counting(*index, &kept);
                }
            }
        }
        let is_named = |name: &String| {
            packet
                .fields
                .iter()
                .any(|field| field.add_caps.contains(name) || field.remove_caps.contains(name))
        };
        packet.capabilities = owned(self.capabilities).into_iter().filter(is_named).collect();
        packet
    }

    /// Returns the index, among the kept fields, of the field that holds a count, in the form of this version.
    fn counting(&self, index: usize, kept: &[usize]) -> usize {
        let name = |index: usize| self.fields.get(index).map(|field| field.name);
        kept.iter().position(|kept| name(*kept) == name(index)).unwrap_or_default()
    }

    /// Returns the packet with the fields of all versions. Versions become capabilities, so that field indices and mask
    /// bits equal the ones of this definition.
    pub(super) fn all_forms(&self) -> Packet {
        let mut packet = Packet::new(self.name, self.number, self.directions);
        packet.no_delta = self.no_delta;
        packet.info = self.info;
        packet.force = self.force;
        packet.cancels = self.cancels.to_vec();
        packet.capabilities = owned(self.capabilities);
        packet.capabilities.resize_with(ProtocolVersion::FIRST_BIT, String::new);
        packet.capabilities.extend(ProtocolVersion::ALL.iter().skip(1).map(ToString::to_string));
        packet.fields = self.fields.iter().map(|field| field.field(&packet.capabilities)).collect();
        packet.topic = self.topic.to_owned();
        packet.doc = self.doc.to_owned();
        packet
    }
}

impl FieldDefinition {
    /// Returns whether this is the name of the field or one of its aliases.
    fn is_named(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }

    /// Returns whether the field is sent with the capabilities in `mask`.
    #[inline]
    pub(super) const fn is_present(&self, mask: CapabilityMask) -> bool {
        mask.0 & self.with == self.with && mask.0 & self.without == 0
    }

    /// Returns whether the version with these bits has the field.
    const fn is_in_version(&self, bits: u64) -> bool {
        let (with, without) = (self.with & ProtocolVersion::BITS, self.without & ProtocolVersion::BITS);
        bits & with == with && bits & without == 0
    }

    /// Returns the value of the field in this form.
    pub(super) fn in_form(&self, value: Value) -> Value {
        let limit = |size: u32| usize::try_from(size).unwrap_or(usize::MAX);
        match (value, self.wire, self.dims) {
            (Value::Bytes(mut bytes), WireType::Bitvector { bytes: size }, []) => {
                bytes.truncate(limit(size));
                Value::Bytes(bytes)
            }
            (Value::Bytes(bytes), WireType::Bool8, [dim]) => {
                let bits = bytes.iter().flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1 != 0));
                Value::List(bits.take(limit(dim.limit)).map(Value::Bool).collect())
            }
            (Value::Bytes(bytes), WireType::Uint8 | WireType::Uint16, []) => {
                Value::Int(bytes.iter().rev().fold(0, |number, byte| number << 8 | i64::from(*byte)))
            }
            (Value::List(mut list), wire, [Dim { limit: size, count: Count::Fixed }, ..]) => {
                list.truncate(limit(*size));
                if wire == WireType::Uint32 { unsigned(Value::List(list)) } else { Value::List(list) }
            }
            (value, WireType::Uint32, _) => unsigned(value),
            (value, ..) => value,
        }
    }

    /// Returns the field in the form that the compiler and the interpreter use. `capabilities` are the names of the bits
    /// in its masks.
    pub(crate) fn field(&self, capabilities: &[String]) -> Field {
        let named = |wanted: u64| {
            let is_named = |(index, _): &(usize, &String)| CapabilityMask(wanted).has(*index);
            let names = capabilities.iter().enumerate().filter(is_named);
            names.map(|(_, name)| name.clone()).collect()
        };
        let mut field = Field::new(self.name, self.wire);
        field.aliases = owned(self.aliases);
        field.structure = self.structure.map(|structure| Arc::new(structure.clone()));
        field.c_type = self.c_type.to_owned();
        field.type_name = self.type_name.to_owned();
        field.dims = self.dims.to_vec();
        field.key = self.key;
        field.diff = self.diff;
        field.add_caps = named(self.with);
        field.remove_caps = named(self.without);
        field.doc = self.doc.to_owned();
        field
    }
}

/// Converts the numbers of a signed field to the unsigned numbers that are sent.
fn unsigned(value: Value) -> Value {
    match value {
        Value::Int(number) => match i32::try_from(number) {
            Ok(number) => Value::Int(number.cast_unsigned().into()),
            Err(_) => Value::Int(number),
        },
        Value::List(list) => Value::List(list.into_iter().map(unsigned).collect()),
        value => value,
    }
}

/// Creates a dimension of exactly `limit` elements.
pub const fn fixed(limit: u32) -> Dim {
    Dim { limit, count: Count::Fixed }
}

/// Creates a dimension of at most `limit` elements. The field with this index holds their number.
pub const fn counted(limit: u32, field: usize) -> Dim {
    Dim { limit, count: Count::Field(field) }
}

/// Creates a dimension with a length prefix.
pub const fn own() -> Dim {
    Dim { limit: Dim::MAX_OWN, count: Count::Own }
}

/// The properties of one version in a definition, except its packets.
#[derive(Clone, Copy, Debug)]
pub struct VersionDefinition {
    /// The name of the protocol.
    pub name: &'static str,
    /// The version of Freeciv; may be empty.
    pub version: &'static str,
    /// The capability string of clients.
    pub capabilities: &'static str,
    /// The names of types, and the types that they are aliases of.
    pub aliases: &'static [(&'static str, &'static str)],
}

/// Builds one version of the protocol that a `packets!` call describes. `versions` has one entry, or one for each
/// version.
pub fn protocol(
    version: ProtocolVersion,
    versions: &[VersionDefinition],
    packets: &[&PacketDefinition],
    topics: &[(&str, &str)],
) -> Protocol {
    let of = ProtocolVersion::ALL.iter().position(|known| *known == version);
    let of = of.and_then(|index| versions.get(index)).or_else(|| versions.first());
    let packets: Vec<&&PacketDefinition> = packets.iter().filter(|packet| packet.is_in(version)).collect();
    let has = |number: &u16| packets.iter().any(|packet| packet.number == *number);
    let packet = |definition: &&&PacketDefinition| {
        let mut packet = definition.packet(version);
        packet.cancels.retain(has);
        packet
    };
    let name = of.map_or("", |of| of.name);
    let mut protocol = Protocol::new(name, packets.iter().map(packet).collect());
    let alias = |(name, source): &(&str, &str)| Alias { name: (*name).into(), source: (*source).into() };
    let topic = |(name, doc): &(&str, &str)| Topic { name: (*name).into(), doc: (*doc).into() };
    protocol.aliases = of.map_or(&[][..], |of| of.aliases).iter().map(alias).collect();
    protocol.version = of.and_then(|of| of.version.parse().ok());
    protocol.capability_string = of.map_or("", |of| of.capabilities).to_owned();
    protocol.topics = topics.iter().map(topic).collect();
    protocol
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}
