use gamewire_schema::ir::Packet;

use super::packet_layout::{PacketLayout, is_set};
use super::value::Value;

/// A decoded packet with all its fields: those that were sent and those of the baseline.
#[derive(Clone, Copy, Debug)]
pub struct Decoded<'a> {
    pub(super) packet: &'a Packet,
    pub(super) plan: &'a PacketLayout,
    pub(super) values: &'a [Value],
    pub(super) bits: &'a [u8],
    pub(super) is_known: bool,
}

impl<'a> Decoded<'a> {
    /// Returns the packet's definition.
    pub const fn packet(&self) -> &'a Packet {
        self.packet
    }

    /// Returns one value for each field of the definition, in its order.
    #[must_use]
    pub const fn values(&self) -> &'a [Value] {
        self.values
    }

    /// Returns the value of the field with this name. A linear search.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&'a Value> {
        self.values.get(self.packet.field_index(name)?)
    }

    /// Returns the bitvector as it was sent; empty in packets without one.
    #[must_use]
    pub const fn bits(&self) -> &'a [u8] {
        self.bits
    }

    /// Returns whether there was a baseline of this type and key.
    #[must_use]
    pub const fn is_known(&self) -> bool {
        self.is_known
    }

    /// Returns whether the packet has a bitvector.
    #[must_use]
    pub const fn is_delta(&self) -> bool {
        self.plan.is_delta
    }

    /// Returns the bit of a field; `None` for keys, and in packets without bitvector.
    #[must_use]
    pub fn bit(&self, field: usize) -> Option<bool> {
        let step = self.plan.steps.iter().find(|step| step.field == field)?;
        step.bit.map(|bit| is_set(self.bits, bit))
    }
}
