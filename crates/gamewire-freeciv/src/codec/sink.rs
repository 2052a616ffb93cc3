use gamewire_schema::ir::CapabilityMask;
use gamewire_wire::{CodecError, Found, Result};

use super::definition::PacketDefinition;
use super::element_count::ElementCount;
use super::source::value;
use crate::delta::FieldCursor;

/// A writer for the fields of one packet that differ from the previous packet. It tracks the position for an error.
#[derive(Debug)]
pub struct Sink<'a> {
    out: &'a mut Vec<u8>,
    /// The offset of the body in `out`.
    start: usize,
    mask: CapabilityMask,
    /// Bits of float fields that are set although the values on the wire do not differ.
    float_bits: &'a [u8],
    /// The bit of the next field.
    bit: usize,
    /// True if a field differs.
    pub(super) has_changes: bool,
    /// True to write the bits of all fields and nothing else.
    only_bits: bool,
    pub(super) cursor: FieldCursor,
}

impl<'a> Sink<'a> {
    /// A sink for a body at the end of `out`.
    pub(super) fn new(
        out: &'a mut Vec<u8>,
        definition: &PacketDefinition,
        mask: CapabilityMask,
        float_bits: &'a [u8],
    ) -> Self {
        let start = out.len();
        if definition.is_delta() {
            out.resize(start.saturating_add(definition.bits(mask).div_ceil(8).max(1)), 0);
        }
        let cursor = FieldCursor::default();
        Self { out, start, mask, float_bits, bit: 0, has_changes: false, only_bits: false, cursor }
    }

    /// Makes the sink write the bitvector and no values.
    pub(super) const fn only_bits(mut self) -> Self {
        self.only_bits = true;
        self
    }

    /// Returns whether a field is sent that needs the capabilities `with` and excludes the capabilities `without`.
    #[inline]
    pub const fn has(&self, with: u64, without: u64) -> bool {
        self.mask.0 & with == with && self.mask.0 & without == 0
    }

    /// Writes a boolean as its bit.
    #[inline]
    pub fn flag(&mut self, new: bool, old: bool) {
        if new {
            self.set_bit();
        }
        self.has_changes |= new != old;
        self.bit = self.bit.saturating_add(1);
    }

    /// Starts a field without a bit. Returns whether the caller must write its value.
    pub(super) fn begin_always(&mut self, field: usize) -> bool {
        if !self.only_bits {
            self.cursor.begin_at(field, self.offset());
        }
        !self.only_bits
    }

    /// Starts the next field that has a bit. Returns whether the caller must write its value.
    #[inline]
    pub(super) fn begin(&mut self, field: usize, is_float: bool, differs: bool) -> bool {
        let bit = self.bit;
        let differs = differs
            || (is_float && self.float_bits.get(bit / 8).is_some_and(|byte| byte >> (bit % 8) & 1 != 0));
        if differs {
            self.set_bit();
            self.has_changes = true;
        }
        self.bit = bit.saturating_add(1);
        if !differs || self.only_bits {
            return false;
        }
        self.cursor.begin_at(field, self.offset());
        true
    }

    /// Sets the bit of the next field.
    #[inline]
    fn set_bit(&mut self) {
        if let Some(byte) = self.out.get_mut(self.start.saturating_add(self.bit / 8)) {
            *byte |= 1 << (self.bit % 8);
        }
    }

    /// Rejects a count over the limit for an array that is not written, because the receiver also rejects it.
    pub(super) fn check_count(&mut self, field: usize, counts: &[ElementCount]) -> Result<()> {
        let (count, _) = ElementCount::split(counts);
        if self.only_bits || count.get().is_some() {
            return Ok(());
        }
        self.cursor.begin_at(field, self.offset());
        Err(self.error(ElementCount::EXPECTED, Found::Value(count.value)))
    }

    #[inline]
    fn offset(&self) -> usize {
        self.out.len().saturating_sub(self.start)
    }

    /// Writes bytes.
    #[inline]
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    /// Rejects an array if its number of elements differs from its count.
    #[inline]
    pub(super) fn check_length(&self, counts: &[ElementCount], length: usize) -> Result<()> {
        let (count, _) = ElementCount::split(counts);
        match count.get() {
            Some(count) if count == length => Ok(()),
            Some(_) => Err(self.error("as many elements as the array has", value(length))),
            None => Err(self.error(ElementCount::EXPECTED, Found::Value(count.value))),
        }
    }

    /// Sets the current element, for errors.
    #[inline]
    pub(super) const fn element(&mut self, index: Option<usize>) {
        self.cursor.element = index;
    }

    /// Creates an error at the current offset.
    #[cold]
    pub(super) fn error(&self, expected: &'static str, found: Found) -> CodecError {
        CodecError::new(self.offset(), expected, found)
    }
}
