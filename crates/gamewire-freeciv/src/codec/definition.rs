//! Definitions of packets and fields, as constants that the derive writes.

use gamewire_schema::ir::{
    Alias, ArrayDiff, CapabilityMask, Count, Dim, Directions, Field, Info, Packet, Protocol, Topic, WireType,
};

/// A type of packet; see [`Packet`].
#[derive(Clone, Copy, Debug)]
pub struct PacketDefinition {
    /// The name in the definition.
    pub name: &'static str,
    /// The type on the wire.
    pub number: u16,
    /// The sides that may send it.
    pub directions: Directions,
    /// True if all fields are sent in order and no packet is remembered.
    pub no_delta: bool,
    /// The rule for packets without changes.
    pub info: Info,
    /// True if a sender can force an info packet without changes.
    pub force: bool,
    /// Numbers of the packets that it cancels.
    pub cancels: &'static [u16],
    /// The fields in order, those of all variants.
    pub fields: &'static [FieldDefinition],
    /// The indices of the fields that are keys; none in packets that are not remembered.
    pub keys: &'static [usize],
    /// The capabilities that the fields name.
    pub capabilities: &'static [&'static str],
    /// The file of the definition.
    pub topic: &'static str,
    /// The documentation in the definition.
    pub doc: &'static str,
}

/// A field; see [`Field`].
#[derive(Clone, Copy, Debug)]
pub struct FieldDefinition {
    /// The name in the definition.
    pub name: &'static str,
    /// The type of an element on the wire.
    pub wire: WireType,
    /// The type in the interface of the reference implementation.
    pub c_type: &'static str,
    /// The type as the definition writes it.
    pub type_name: &'static str,
    /// The dimensions, the outermost first.
    pub dims: &'static [Dim],
    /// True for a key.
    pub key: bool,
    /// The form in which changed elements are sent alone.
    pub diff: Option<ArrayDiff>,
    /// The capabilities that it needs, as a mask of those of the packet.
    pub with: u32,
    /// The capabilities that exclude it, as a mask of those of the packet.
    pub without: u32,
    /// The documentation in the definition.
    pub doc: &'static str,
}

impl PacketDefinition {
    /// Returns whether it is sent with a bitvector and remembered.
    pub const fn is_delta(&self) -> bool {
        !self.no_delta && !self.fields.is_empty()
    }

    /// Returns whether a field is sent with these of the packet's capabilities.
    pub fn is_present(&self, field: usize, mask: CapabilityMask) -> bool {
        self.fields.get(field).is_some_and(|field| field.is_present(mask))
    }

    /// The keys that are sent, with their indices.
    pub(super) fn keys(&self, mask: CapabilityMask) -> impl Iterator<Item = (usize, &FieldDefinition)> {
        let keys = self.keys.iter().filter_map(|index| Some((*index, self.fields.get(*index)?)));
        keys.filter(move |(_, field)| field.is_present(mask))
    }

    /// The number of bits that stand for fields.
    pub(super) fn bits(&self, mask: CapabilityMask) -> usize {
        if self.capabilities.is_empty() {
            return self.fields.len().saturating_sub(self.keys.len());
        }
        self.fields.iter().filter(|field| !field.key && field.is_present(mask)).count()
    }

    /// The first field that is sent: its value is the key of the packets that this one cancels.
    pub(super) fn first(&self, mask: CapabilityMask) -> Option<usize> {
        self.fields.iter().position(|field| field.is_present(mask))
    }

    /// Returns the packet as the compiler and the interpreter have it.
    pub fn packet(&self) -> Packet {
        let mut packet = Packet::new(self.name, self.number, self.directions);
        packet.no_delta = self.no_delta;
        packet.info = self.info;
        packet.force = self.force;
        packet.cancels = self.cancels.to_vec();
        packet.fields = self.fields.iter().map(|field| field.field(self.capabilities)).collect();
        packet.capabilities = owned(self.capabilities);
        packet.topic = self.topic.to_owned();
        packet.doc = self.doc.to_owned();
        packet
    }
}

impl FieldDefinition {
    /// Returns whether it is sent with these of the packet's capabilities.
    #[inline]
    const fn is_present(&self, mask: CapabilityMask) -> bool {
        mask.0 & self.with == self.with && mask.0 & self.without == 0
    }

    fn field(&self, capabilities: &[&str]) -> Field {
        let named = |wanted: u32| {
            let is_named = |(index, _): &(usize, &&str)| CapabilityMask(wanted).has(*index);
            let names = capabilities.iter().enumerate().filter(is_named);
            names.map(|(_, name)| (*name).to_owned()).collect()
        };
        let mut field = Field::new(self.name, self.wire);
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

/// A dimension of exactly `limit` elements.
pub const fn fixed(limit: u32) -> Dim {
    Dim { limit, count: Count::Fixed }
}

/// A dimension of at most `limit` elements, counted by the field with this index.
pub const fn counted(limit: u32, field: usize) -> Dim {
    Dim { limit, count: Count::Field(field) }
}

/// A dimension with its own length on the wire.
pub const fn own() -> Dim {
    Dim { limit: Dim::MAX_OWN, count: Count::Own }
}

/// Builds the protocol that a call of `packets!` describes.
pub fn protocol(
    name: &str,
    packets: &[&PacketDefinition],
    capabilities: &[&str],
    aliases: &[(&str, &str)],
    topics: &[(&str, &str)],
) -> Protocol {
    let mut protocol = Protocol::new(name, packets.iter().map(|packet| packet.packet()).collect());
    let alias = |(name, source): &(&str, &str)| Alias { name: (*name).into(), source: (*source).into() };
    let topic = |(name, doc): &(&str, &str)| Topic { name: (*name).into(), doc: (*doc).into() };
    protocol.capabilities = owned(capabilities);
    protocol.aliases = aliases.iter().map(alias).collect();
    protocol.topics = topics.iter().map(topic).collect();
    protocol
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}
