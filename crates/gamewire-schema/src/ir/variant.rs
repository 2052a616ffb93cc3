use super::field::Field;
use super::packet::Packet;

/// A set of capabilities of one packet. Bit i is the i-th element of [`Packet::capabilities`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CapabilityMask(pub u64);

impl CapabilityMask {
    /// No capability.
    pub const NONE: Self = Self(0);

    /// Returns the set with the capability `index` added. An index of 64 or more has no effect.
    #[must_use]
    #[inline]
    pub fn with(self, index: usize) -> Self {
        Self(self.0 | bit(index))
    }

    /// Returns whether the set contains the capability `index`.
    #[must_use]
    #[inline]
    pub fn has(self, index: usize) -> bool {
        self.0 & bit(index) != 0
    }
}

fn bit(index: usize) -> u64 {
    u32::try_from(index).ok().and_then(|index| 1_u64.checked_shl(index)).unwrap_or(0)
}

/// The fields of a packet that are sent with certain capabilities. Compute it once per connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant<'a> {
    packet: &'a Packet,
    mask: CapabilityMask,
    present: Vec<usize>,
}

impl Packet {
    /// Returns the number of variants: 2 to the power of the number of capabilities.
    pub fn variant_count(&self) -> u64 {
        let bits = u32::try_from(self.capabilities.len()).unwrap_or(u32::MAX);
        1_u64.checked_shl(bits).unwrap_or(u64::MAX)
    }

    /// Returns the active capabilities that this packet names.
    pub fn mask<'a>(&self, active: impl IntoIterator<Item = &'a str>) -> CapabilityMask {
        let index = |name: &str| self.capabilities.iter().position(|known| known == name);
        active.into_iter().filter_map(index).fold(CapabilityMask::NONE, CapabilityMask::with)
    }

    /// Returns the variant that is sent with these capabilities.
    pub fn variant(&self, mask: CapabilityMask) -> Variant<'_> {
        let is_active = |name: &str| self.mask([name]).0 & mask.0 != 0;
        let fields = self.fields.iter().enumerate().filter(|(_, field)| field.is_present(is_active));
        Variant { packet: self, mask, present: fields.map(|(index, _)| index).collect() }
    }

    /// Returns the variants, starting with the variant without any capability: all of them, or the first
    /// [`MAX_LISTED_VARIANTS`](Self::MAX_LISTED_VARIANTS).
    pub fn variants(&self) -> impl Iterator<Item = Variant<'_>> {
        let count = self.variant_count().min(Self::MAX_LISTED_VARIANTS);
        (0..count).map(|bits| self.variant(CapabilityMask(bits)))
    }
}

impl<'a> Variant<'a> {
    /// Returns the packet.
    #[inline]
    pub fn packet(&self) -> &'a Packet {
        self.packet
    }

    /// Returns the capabilities.
    #[inline]
    pub fn mask(&self) -> CapabilityMask {
        self.mask
    }

    /// Returns the indices in [`Packet::fields`] of all fields that are present, including keys, in order.
    #[inline]
    pub fn present(&self) -> &[usize] {
        &self.present
    }

    /// Returns all fields that are present, including keys, in order.
    pub fn fields(&self) -> impl Iterator<Item = &'a Field> {
        self.present.iter().filter_map(|&index| self.packet.fields.get(index))
    }

    /// Returns the indices of the key fields, in order. Keys are sent after the bitvector and before all other fields.
    pub fn keys(&self) -> impl Iterator<Item = usize> {
        self.indices(true)
    }

    /// Returns the indices of the fields that have a bit, in order: all fields except keys. The i-th of them has bit i.
    pub fn bits(&self) -> impl Iterator<Item = usize> {
        self.indices(false)
    }

    fn indices(&self, key: bool) -> impl Iterator<Item = usize> {
        let packet = self.packet;
        let present = self.present.iter().copied();
        present.filter(move |&index| packet.fields.get(index).is_some_and(|field| field.key == key))
    }

    /// Returns the number of bytes of the bitvector: the number of bits, rounded up to bytes, and at least 1. Packets
    /// without the delta protocol have no bitvector.
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
    fn a_packet_with_many_capabilities_has_variants_that_are_not_all_listed() {
        let packet = Packet::new("P", 1, Directions::BOTH);
        let fields = (0..Packet::MAX_CAPABILITIES).map(|index| {
            Field::new(format!("f{index}"), WireType::Uint8).add_capability(format!("c{index}"))
        });
        let packet = fields.fold(packet, Packet::field);
        assert_eq!(packet.variant_count(), 1 << 48);
        assert_eq!(packet.variants().count(), 1 << 16);
        assert_eq!(names(&packet, &["c47", "c1"]), ["f1", "f47"]);
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
