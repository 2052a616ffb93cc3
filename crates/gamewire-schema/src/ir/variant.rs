use super::field::Field;
use super::packet::Packet;

/// A set of the capabilities of one packet: bit i is the i-th of [`Packet::capabilities`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CapabilityMask(pub u32);

impl CapabilityMask {
    /// No capability.
    pub const NONE: Self = Self(0);

    /// Returns the set with the capability `index` added. An index of 32 or more changes nothing.
    #[must_use]
    pub fn with(self, index: usize) -> Self {
        Self(self.0 | bit(index))
    }

    /// Returns whether the set contains the capability `index`.
    #[must_use]
    pub fn has(self, index: usize) -> bool {
        self.0 & bit(index) != 0
    }
}

fn bit(index: usize) -> u32 {
    u32::try_from(index).ok().and_then(|index| 1_u32.checked_shl(index)).unwrap_or(0)
}

/// The fields of a packet that are sent with certain capabilities. Compute it once per connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant<'a> {
    packet: &'a Packet,
    mask: CapabilityMask,
    present: Vec<usize>,
}

impl<'a> Variant<'a> {
    pub(super) fn new(packet: &'a Packet, mask: CapabilityMask) -> Self {
        let is_active = |name: &str| {
            packet.capabilities.iter().position(|known| known == name).is_some_and(|index| mask.has(index))
        };
        let fields = packet.fields.iter().enumerate();
        let present =
            fields.filter(|(_, field)| field.is_present(is_active)).map(|(index, _)| index).collect();
        Self { packet, mask, present }
    }

    /// Returns the packet.
    #[must_use]
    pub fn packet(&self) -> &'a Packet {
        self.packet
    }

    /// Returns the capabilities.
    #[must_use]
    pub fn mask(&self) -> CapabilityMask {
        self.mask
    }

    /// Returns the indices into [`Packet::fields`] of all fields that are present, with keys, in order.
    #[must_use]
    pub fn present(&self) -> &[usize] {
        &self.present
    }

    /// Returns the fields that are present, with keys, in order.
    pub fn fields(&self) -> impl Iterator<Item = &'a Field> {
        self.present.iter().filter_map(|&index| self.packet.fields.get(index))
    }

    /// Returns the indices of the key fields, in order. They follow the bitvector and precede all other fields.
    pub fn keys(&self) -> impl Iterator<Item = usize> {
        self.indices(true)
    }

    /// Returns the indices of the fields that have a bit, in order: all fields except keys. The i-th has bit i.
    pub fn bits(&self) -> impl Iterator<Item = usize> {
        self.indices(false)
    }

    fn indices(&self, key: bool) -> impl Iterator<Item = usize> {
        let packet = self.packet;
        let present = self.present.iter().copied();
        present.filter(move |&index| packet.fields.get(index).is_some_and(|field| field.key == key))
    }

    /// Returns the number of bytes of the bitvector: the bits rounded up to bytes, at least 1. Packets
    /// without the delta protocol have none.
    #[must_use]
    pub fn bitvector_bytes(&self) -> usize {
        if self.packet.is_delta() { self.bits().count().div_ceil(8).max(1) } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Directions, WireType};
    use super::*;

    fn names(packet: &Packet, active: &[&str]) -> Vec<String> {
        let variant = packet.variant(packet.mask(active.iter().copied()));
        variant.fields().map(|field| field.name.clone()).collect()
    }

    #[test]
    fn a_field_is_sent_with_all_its_added_and_without_any_of_its_removed_capabilities() {
        let packet = Packet::new("P", 1, Directions::BOTH)
            .field(Field::new("both", WireType::Uint8).add_capability("a").add_capability("b"))
            .field(Field::new("old", WireType::Uint8).remove_capability("a").remove_capability("b"))
            .field(Field::new("always", WireType::Uint8));
        assert_eq!(packet.variant_count(), 4);
        assert_eq!(packet.variants().count(), 4);
        assert_eq!(names(&packet, &[]), ["old", "always"]);
        assert_eq!(names(&packet, &["b", "unknown"]), ["always"]);
        assert_eq!(names(&packet, &["b", "a"]), ["both", "always"]);
    }

    #[test]
    fn keys_have_no_bit() {
        let packet = Packet::new("P", 1, Directions::BOTH)
            .field(Field::new("id", WireType::Uint16).key())
            .field(Field::new("a", WireType::Uint8))
            .field(Field::new("b", WireType::Bool8));
        let variant = packet.variant(CapabilityMask::NONE);
        assert_eq!(variant.keys().collect::<Vec<_>>(), [0]);
        assert_eq!(variant.bits().collect::<Vec<_>>(), [1, 2]);
        assert_eq!(variant.bitvector_bytes(), 1);
        assert!(packet.is_folded(&packet.fields[2]));
    }

    #[test]
    fn the_bitvector_takes_a_byte_for_every_eight_fields() {
        let with = |count: usize| {
            let packet = Packet::new("P", 1, Directions::BOTH);
            let fields = (0..count).map(|index| Field::new(format!("f{index}"), WireType::Uint8));
            fields.fold(packet, Packet::field)
        };
        let bytes = |packet: &Packet| packet.variant(CapabilityMask::NONE).bitvector_bytes();
        assert_eq!([0, 1, 8, 9, 114].map(|count| bytes(&with(count))), [0, 1, 1, 2, 15]);
        assert_eq!(bytes(&with(9).no_delta()), 0);
    }
}
