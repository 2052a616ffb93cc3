use super::field::Field;

/// One type of packet: its flags and its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct Packet {
    /// The name in the definition, such as `PACKET_CITY_INFO`.
    pub name: String,
    /// The type on the wire.
    pub number: u16,
    /// Allowed directions.
    pub directions: Directions,
    /// The flag `no-delta`: all fields are sent in order, without a bitvector and without a baseline.
    pub no_delta: bool,
    /// When a sender skips a packet that equals its baseline.
    pub info: Info,
    /// The flag `force`: a sender can send an info packet that equals its baseline.
    pub force: bool,
    /// Numbers of the packets whose baseline with the same key is dropped after this packet was sent or
    /// received. The key is the value of this packet's first field, whether that is
    /// flagged as key or not.
    pub cancels: Vec<u16>,
    /// The fields in order, those of all variants.
    pub fields: Vec<Field>,
    /// The capabilities that the fields name, in order of first use. Bit i of a
    /// [`CapabilityMask`](super::CapabilityMask) is the i-th capability.
    pub capabilities: Vec<String>,
    /// Name of the file that defines it, without the extension; empty if the definition is one file.
    pub topic: String,
    /// Text of the `///` lines before it; may be empty.
    pub doc: String,
}

/// Directions in which a packet may be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Directions {
    /// The flag `sc`: from the server to the client.
    pub to_client: bool,
    /// The flag `cs`: from the client to the server.
    pub to_server: bool,
}

impl Directions {
    /// Only the server sends it.
    pub const TO_CLIENT: Self = Self { to_client: true, to_server: false };
    /// Only the client sends it.
    pub const TO_SERVER: Self = Self { to_client: false, to_server: true };
    /// Both send it.
    pub const BOTH: Self = Self { to_client: true, to_server: true };
}

/// Condition under which a sender skips a packet that equals its baseline. Receivers handle all packets alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Info {
    /// Neither flag: always sent.
    #[default]
    Always,
    /// The flag `is-info`: not sent if there is a baseline and no field differs.
    Info,
    /// The flag `is-game-info`: as `is-info`, and all baselines are dropped when the connection is
    /// attached to another player or becomes an observer.
    GameInfo,
}

impl Packet {
    /// Maximum number of capabilities that the fields of one packet may name.
    pub const MAX_CAPABILITIES: usize = 16;

    /// Creates a packet without fields and flags.
    pub fn new(name: impl Into<String>, number: u16, directions: Directions) -> Self {
        Self {
            name: name.into(),
            number,
            directions,
            no_delta: false,
            info: Info::Always,
            force: false,
            cancels: Vec::new(),
            fields: Vec::new(),
            capabilities: Vec::new(),
            topic: String::new(),
            doc: String::new(),
        }
    }

    /// Sets `no-delta`.
    pub fn no_delta(mut self) -> Self {
        self.no_delta = true;
        self
    }

    /// Sets `is-info` or `is-game-info`.
    pub fn info(mut self, info: Info) -> Self {
        self.info = info;
        self
    }

    /// Sets `force`.
    pub fn force(mut self) -> Self {
        self.force = true;
        self
    }

    /// Adds the number of a packet that this one cancels.
    pub fn cancel(mut self, number: u16) -> Self {
        self.cancels.push(number);
        self
    }

    /// Appends a field, and adds its capabilities to those of the packet.
    pub fn field(mut self, field: Field) -> Self {
        for capability in field.add_caps.iter().chain(&field.remove_caps) {
            if !self.capabilities.contains(capability) {
                self.capabilities.push(capability.clone());
            }
        }
        self.fields.push(field);
        self
    }

    /// Returns whether the packet has a bitvector and a baseline: not with `no-delta` and not without fields.
    pub fn is_delta(&self) -> bool {
        !self.no_delta && !self.fields.is_empty()
    }

    /// Returns whether the bit of this field is its value, so that the body does not contain it: scalars
    /// of the public type `bool` that are not a key, in packets with the delta protocol.
    pub fn is_folded(&self, field: &Field) -> bool {
        self.is_delta() && field.is_bool() && field.dims.is_empty() && !field.key
    }

    /// Returns the index of the field with this name.
    pub fn field_index(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.name == name)
    }
}
