use core::fmt;

use gamewire_schema::ir::CapabilityMask;

use super::definition::PacketRow;
use super::fields::Fields;
use super::key::Key;
use super::sink::Sink;
use super::source::Source;

/// A type of packet: how its fields stand in a body.
///
/// A mask says which of the capabilities that [`PacketRow::capabilities`] names are active.
pub trait Body: Fields + Clone + Default + PartialEq + fmt::Debug + 'static {
    /// What the definition says of it.
    const DEFINITION: PacketRow;

    /// Its bitvector; as long as that of the variant with the most fields.
    type Bits: Bits;

    /// What it is remembered by.
    type Key: Key;

    /// How many bits stand for fields.
    fn bits(mask: CapabilityMask) -> usize;

    /// Its key.
    fn key(&self, mask: CapabilityMask) -> Self::Key;

    /// Reads a key.
    ///
    /// # Errors
    /// When too few bytes are left.
    fn read_key<S: Source>(from: &mut S, mask: CapabilityMask) -> Result<Self::Key, S::Error>;

    /// Reads all fields that are there over the old ones, or over those of another packet, as the source says.
    ///
    /// # Errors
    /// When the bytes are not what the definition says.
    fn read<S: Source>(&mut self, from: &mut S, mask: CapabilityMask) -> Result<(), S::Error>;

    /// Writes what has changed since `old`.
    ///
    /// # Errors
    /// When a field holds what cannot be said on the wire.
    fn write<S: Sink>(&self, old: &Self, to: &mut S, mask: CapabilityMask) -> Result<(), S::Error>;

    /// Takes over another packet's fields, and keeps the memory that they have.
    fn remember(&mut self, new: &Self);

    /// The first field as a number: what is cancelled by it.
    fn first(&self, mask: CapabilityMask) -> i64 {
        _ = mask;
        0
    }

    /// About how many bytes it keeps beside itself.
    #[inline(always)]
    fn heap(&self) -> usize {
        0
    }
}

/// A bitvector of a fixed length.
pub trait Bits: Copy + fmt::Debug {
    /// No bit set.
    const NONE: Self;

    /// Whether a bit is set, the lowest bit of the first byte being the first.
    fn is_set(&self, bit: usize) -> bool;

    /// Sets a bit.
    fn set(&mut self, bit: usize);

    /// The bitvector of so many bytes at the start of a body, and what follows it.
    fn split(body: &[u8], bytes: usize) -> Option<(Self, &[u8])>;

    /// Its bytes.
    fn bytes(&self) -> &[u8];
}

impl<const N: usize> Bits for [u8; N] {
    const NONE: Self = [0; N];

    #[inline(always)]
    fn is_set(&self, bit: usize) -> bool {
        self.get(bit / 8).is_some_and(|byte| byte >> (bit % 8) & 1 != 0)
    }

    #[inline(always)]
    fn set(&mut self, bit: usize) {
        if let Some(byte) = self.get_mut(bit / 8) {
            *byte |= 1 << (bit % 8);
        }
    }

    #[inline(always)]
    fn split(body: &[u8], bytes: usize) -> Option<(Self, &[u8])> {
        if bytes == N {
            return body.split_first_chunk().map(|(bits, rest)| (*bits, rest));
        }
        let (from, rest) = body.split_at_checked(bytes)?;
        let mut bits = Self::NONE;
        bits.get_mut(..bytes)?.copy_from_slice(from);
        Some((bits, rest))
    }

    #[inline(always)]
    fn bytes(&self) -> &[u8] {
        self
    }
}

/// How many bytes a bitvector takes.
#[inline(always)]
pub(super) const fn bytes_of(bits: usize) -> usize {
    let bytes = bits.div_ceil(8);
    if bytes == 0 { 1 } else { bytes }
}

/// Whether the bits behind those of the fields are 0.
#[inline(always)]
pub(super) fn is_clean(bits: &[u8], count: usize, bytes: usize) -> bool {
    let used = count.saturating_sub(bytes.saturating_sub(1).saturating_mul(8));
    let last = bits.get(bytes.saturating_sub(1)).copied().unwrap_or(0);
    u16::from(last) >> used.min(8) == 0
}

/// Counts the bits of a packet whose fields depend on capabilities.
#[derive(Clone, Copy, Debug, Default)]
pub struct BitCounter(usize);

impl BitCounter {
    /// The next bit.
    #[inline(always)]
    pub const fn bit(&mut self) -> usize {
        let bit = self.0;
        self.0 = bit.saturating_add(1);
        bit
    }
}
