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
    /// The flag `no-delta`: all fields are sent in order, without a bitvector and a baseline.
    pub no_delta: bool,
    /// The condition under which a sender skips a packet that equals its baseline.
    pub info: Info,
    /// The flag `force`: a sender may send an info packet that equals its baseline.
    pub force: bool,
    /// Numbers of the packets that this packet cancels: after it was sent or received, their baselines with the same
    /// key are removed. The key is the value of this packet's first field, even if that field is not flagged as a key.
    pub cancels: Vec<u16>,
    /// The fields of all variants, in order.
    pub fields: Vec<Field>,
    /// The capabilities that the fields name, in order of first use. Bit i of a
    /// [`CapabilityMask`](super::CapabilityMask) is the i-th capability.
    pub capabilities: Vec<String>,
    /// Name of the file that defines the packet, without the extension; empty if the definition is one file.
    pub topic: String,
    /// Text of the `///` lines before the packet. It may be empty.
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
    /// Only the server sends the packet.
    pub const TO_CLIENT: Self = Self { to_client: true, to_server: false };
    /// Only the client sends the packet.
    pub const TO_SERVER: Self = Self { to_client: false, to_server: true };
    /// Both sides send the packet.
    pub const BOTH: Self = Self { to_client: true, to_server: true };
}

/// The condition under which a sender skips a packet that equals its baseline. Receivers handle all packets in the same
/// way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Info {
    /// Neither flag: the packet is always sent.
    #[default]
    Always,
    /// The flag `is-info`: the packet is not sent if it has a baseline and no field differs.
    Info,
    /// The flag `is-game-info`: the same condition as `is-info`. In addition, all baselines are removed when the
    /// connection gets another player or becomes an observer.
    GameInfo,
}

impl Packet {
    /// Maximum number of capabilities that the fields of one packet may name.
    pub const MAX_CAPABILITIES: usize = 48;
    /// Maximum number of variants that [`variants`](Self::variants) returns.
    pub const MAX_LISTED_VARIANTS: u64 = 1 << 16;

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

    /// Adds the number of a packet that this packet cancels.
    pub fn cancel(mut self, number: u16) -> Self {
        self.cancels.push(number);
        self
    }

    /// Appends a field, and adds its capabilities to the capabilities of the packet.
    pub fn field(mut self, field: Field) -> Self {
        for capability in field.add_caps.iter().chain(&field.remove_caps) {
            if !self.capabilities.contains(capability) {
                self.capabilities.push(capability.clone());
            }
        }
        self.fields.push(field);
        self
    }

    /// Returns whether the packet has a bitvector and a baseline. Packets with `no-delta` or without fields have none.
    #[inline]
    pub fn is_delta(&self) -> bool {
        !self.no_delta && !self.fields.is_empty()
    }

    /// Returns whether the bit of this field is its value, so that the body does not contain the field. This applies to
    /// scalars of the C type `bool` that are not a key, in packets with the delta protocol.
    #[inline]
    pub fn is_folded(&self, field: &Field) -> bool {
        self.is_delta() && field.is_bool() && field.dims.is_empty() && !field.key
    }

    /// Returns the index of the field with this name.
    pub fn field_index(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.name == name)
    }
}
