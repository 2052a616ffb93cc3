use gamewire_schema::ir::{
    Alias, ArrayDiff, CapabilityMask, Count, Dim, Directions, Field, Info, Packet, Protocol, Topic, WireType,
};

/// A protocol in the form of generated tables; see [`Protocol`].
#[derive(Clone, Copy, Debug)]
pub struct ProtocolRow {
    /// What the version is called.
    pub name: &'static str,
    /// The packets in the order of the definition.
    pub packets: &'static [&'static PacketRow],
    /// The names that the definition gave to types, and what they stand for.
    pub aliases: &'static [(&'static str, &'static str)],
    /// The files of the definition, and what they are about.
    pub topics: &'static [(&'static str, &'static str)],
    /// The capabilities that choose variants.
    pub capabilities: &'static [&'static str],
}

/// A type of packet in the form of generated tables; see [`Packet`].
#[derive(Clone, Copy, Debug)]
pub struct PacketRow {
    /// The name in the definition.
    pub name: &'static str,
    /// The type on the wire.
    pub number: u16,
    /// Who may send it.
    pub directions: Directions,
    /// All fields are sent in order, nothing is remembered.
    pub no_delta: bool,
    /// Whether a sender may leave out a packet that says nothing new.
    pub info: Info,
    /// A sender can be told to send an info packet that says nothing new.
    pub force: bool,
    /// Numbers of the packets that it cancels.
    pub cancels: &'static [u16],
    /// The fields in order.
    pub fields: &'static [FieldRow],
    /// The capabilities that the fields name.
    pub capabilities: &'static [&'static str],
    /// The file of the definition.
    pub topic: &'static str,
    /// What the definition says about it.
    pub doc: &'static str,
}

/// A field in the form of generated tables; see [`Field`].
#[derive(Clone, Copy, Debug)]
pub struct FieldRow {
    name: &'static str,
    wire: WireType,
    public: &'static str,
    written: &'static str,
    dims: &'static [Dim],
    key: bool,
    diff: Option<ArrayDiff>,
    add_caps: &'static [&'static str],
    remove_caps: &'static [&'static str],
    doc: &'static str,
}

/// The names of all `N` fields, at compile time.
#[must_use]
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "what is wrong does not compile")]
pub const fn field_names<const N: usize>(fields: &[FieldRow]) -> [&'static str; N] {
    let mut names = [""; N];
    let mut at = 0;
    while at < N {
        names[at] = fields[at].name;
        at += 1;
    }
    names
}

impl ProtocolRow {
    /// The same for the interpreter and the compiler.
    #[must_use]
    pub fn protocol(&self) -> Protocol {
        let packets = self.packets.iter().map(|packet| packet.packet()).collect();
        let mut protocol = Protocol::new(self.name, packets);
        protocol.capabilities = owned(self.capabilities);
        protocol.aliases = self
            .aliases
            .iter()
            .map(|(name, source)| Alias { name: (*name).to_owned(), source: (*source).to_owned() })
            .collect();
        protocol.topics = self
            .topics
            .iter()
            .map(|(name, doc)| Topic { name: (*name).to_owned(), doc: (*doc).to_owned() })
            .collect();
        protocol
    }
}

impl PacketRow {
    /// A packet without fields and flags.
    #[must_use]
    pub const fn new(name: &'static str, number: u16, directions: Directions) -> Self {
        Self {
            name,
            number,
            directions,
            no_delta: false,
            info: Info::Always,
            force: false,
            cancels: &[],
            fields: &[],
            capabilities: &[],
            topic: "",
            doc: "",
        }
    }

    /// Whether it is sent with a bitvector and remembered.
    #[must_use]
    pub const fn is_delta(&self) -> bool {
        !self.no_delta && !self.fields.is_empty()
    }

    /// The name of a field; empty if there is no such field.
    #[must_use]
    pub fn field_name(&self, field: usize) -> &'static str {
        self.fields.get(field).map_or("", |field| field.name)
    }

    /// Whether a field is sent with these of the packet's capabilities.
    #[must_use]
    pub fn is_present(&self, field: usize, mask: CapabilityMask) -> bool {
        let Some(field) = self.fields.get(field) else { return false };
        let is_active = |name: &&str| {
            let index = self.capabilities.iter().position(|known| known == name);
            index.is_some_and(|index| mask.has(index))
        };
        field.add_caps.iter().all(is_active) && !field.remove_caps.iter().any(is_active)
    }

    /// The same for the interpreter and the compiler.
    #[must_use]
    pub fn packet(&self) -> Packet {
        let mut packet = Packet::new(self.name, self.number, self.directions);
        packet.no_delta = self.no_delta;
        packet.info = self.info;
        packet.force = self.force;
        packet.cancels = self.cancels.to_vec();
        packet.fields = self.fields.iter().map(FieldRow::field).collect();
        packet.capabilities = owned(self.capabilities);
        packet.topic = self.topic.to_owned();
        packet.doc = self.doc.to_owned();
        packet
    }
}

impl FieldRow {
    /// A scalar without flags.
    #[must_use]
    pub const fn new(name: &'static str, wire: WireType) -> Self {
        Self {
            name,
            wire,
            public: "",
            written: "",
            dims: &[],
            key: false,
            diff: None,
            add_caps: &[],
            remove_caps: &[],
            doc: "",
        }
    }

    /// The type as the definition writes it, and in the interface of the reference implementation.
    #[must_use]
    pub const fn of_type(mut self, written: &'static str, public: &'static str) -> Self {
        (self.written, self.public) = (written, public);
        self
    }

    /// The dimensions, the outermost first.
    #[must_use]
    pub const fn dims(mut self, dims: &'static [Dim]) -> Self {
        self.dims = dims;
        self
    }

    /// Makes it a key.
    #[must_use]
    pub const fn key(mut self) -> Self {
        self.key = true;
        self
    }

    /// Sends its changes as array-diff.
    #[must_use]
    pub const fn diff(mut self, form: ArrayDiff) -> Self {
        self.diff = Some(form);
        self
    }

    /// Sends it only with the first and without the second capabilities.
    #[must_use]
    pub const fn caps(mut self, add: &'static [&'static str], remove: &'static [&'static str]) -> Self {
        (self.add_caps, self.remove_caps) = (add, remove);
        self
    }

    /// What the definition says about it.
    #[must_use]
    pub const fn doc(mut self, doc: &'static str) -> Self {
        self.doc = doc;
        self
    }

    fn field(&self) -> Field {
        let mut field = Field::new(self.name, self.wire);
        field.c_type = self.public.to_owned();
        field.type_name = self.written.to_owned();
        field.dims = self.dims.to_vec();
        field.key = self.key;
        field.diff = self.diff;
        field.add_caps = owned(self.add_caps);
        field.remove_caps = owned(self.remove_caps);
        field.doc = self.doc.to_owned();
        field
    }
}

/// A dimension of exactly so many elements.
#[must_use]
pub const fn fixed(limit: u32) -> Dim {
    Dim { limit, count: Count::Fixed }
}

/// A dimension of as many elements as the field with this index says.
#[must_use]
pub const fn counted(limit: u32, field: usize) -> Dim {
    Dim { limit, count: Count::Field(field) }
}

/// A dimension with an own length on the wire.
#[must_use]
pub const fn own() -> Dim {
    Dim { limit: Dim::MAX_OWN, count: Count::Own }
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}
