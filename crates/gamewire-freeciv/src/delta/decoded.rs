use gamewire_schema::ir::Packet;

use super::plan::PacketLayout;
use super::progress::is_set;
use super::value::Value;

/// A packet with all its fields: those that were sent and those that were remembered.
#[derive(Clone, Copy, Debug)]
pub struct Decoded<'a> {
    pub(super) packet: &'a Packet,
    pub(super) plan: &'a PacketLayout,
    pub(super) values: &'a [Value],
    pub(super) bits: &'a [u8],
    pub(super) is_known: bool,
}

impl<'a> Decoded<'a> {
    /// What the definition says of it.
    #[must_use]
    pub const fn packet(&self) -> &'a Packet {
        self.packet
    }

    /// One value for each field of the definition, in its order.
    #[must_use]
    pub const fn values(&self) -> &'a [Value] {
        self.values
    }

    /// The value of the field with a name. A search.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&'a Value> {
        self.values.get(self.packet.field_index(name)?)
    }

    /// The bitvector as it was sent; empty in packets without one.
    #[must_use]
    pub const fn bits(&self) -> &'a [u8] {
        self.bits
    }

    /// Whether a packet of this type and key was remembered.
    #[must_use]
    pub const fn is_known(&self) -> bool {
        self.is_known
    }

    /// Whether the bits have something to say: not in packets without a bitvector.
    #[must_use]
    pub const fn is_delta(&self) -> bool {
        self.plan.is_delta
    }

    /// The bit of a field; `None` for keys, and in packets without bitvector.
    #[must_use]
    pub fn bit(&self, field: usize) -> Option<bool> {
        let step = self.plan.steps.iter().find(|step| step.field == field)?;
        step.bit.map(|bit| is_set(self.bits, bit))
    }
}
