use gamewire_schema::ir::CapabilityMask;
use gamewire_wire::{CodecError, Found, Reader, Result};

use super::definition::PacketDefinition;
use super::element_count::ElementCount;
use crate::delta::{FieldCursor, Number};

/// A reader for the fields of one packet. It tracks the position for an error.
#[derive(Debug)]
pub struct Source<'a> {
    reader: Reader<'a>,
    /// The bitvector; empty for packets without one.
    bits: &'a [u8],
    mask: CapabilityMask,
    /// The bit of the next field.
    bit: usize,
    pub(super) cursor: FieldCursor,
}

impl<'a> Source<'a> {
    /// Creates a source at the start of a body.
    pub(super) fn new(body: &'a [u8]) -> Self {
        let (mask, cursor) = (CapabilityMask::NONE, FieldCursor::default());
        Self { reader: Reader::new(body), bits: &[], mask, bit: 0, cursor }
    }

    /// Sets the active capabilities that the packet names.
    pub(super) const fn set_mask(&mut self, mask: CapabilityMask) {
        self.mask = mask;
    }

    /// Reads the bitvector at the start of the body.
    pub(super) fn read_bits(&mut self, definition: &PacketDefinition) -> Result<()> {
        let count = definition.bits(self.mask);
        self.bits = self.reader.take(count.div_ceil(8).max(1), "the bits of the fields")?;
        let padding = match (count, self.bits) {
            (0, [all]) => *all,
            (_, [.., last]) if !count.is_multiple_of(8) => last >> (count % 8),
            _ => 0,
        };
        if padding == 0 {
            return Ok(());
        }
        let bit = count.saturating_add(usize::try_from(padding.trailing_zeros()).unwrap_or_default());
        Err(CodecError::new(bit / 8, "no bit after those of the fields", value(bit)))
    }

    /// Reads the keys without advancing, because [`PacketStruct::read`](super::PacketStruct::read) reads them again.
    pub(super) fn peek_keys(&mut self, definition: &PacketDefinition, parts: &mut [i64]) -> Result<()> {
        let mut reader = self.reader;
        for ((index, field), part) in definition.keys(self.mask).zip(parts) {
            self.cursor.begin_at(index, reader.offset());
            if let Some(number) = Number::of(field.wire) {
                *part = number.read(&mut reader)?;
            }
        }
        Ok(())
    }

    /// Returns the bitvector.
    pub(super) const fn bits(&self) -> &'a [u8] {
        self.bits
    }

    /// Rejects bytes after the last field.
    pub(super) fn end(&self) -> Result<()> {
        match self.reader.remaining().len() {
            0 => Ok(()),
            left => Err(self.error("the end of the packet", Found::Bytes(left))),
        }
    }

    /// Returns whether a field is sent that needs the capabilities `with` and excludes the capabilities `without`.
    #[inline]
    pub const fn has(&self, with: u64, without: u64) -> bool {
        self.mask.0 & with == with && self.mask.0 & without == 0
    }

    /// Reads a boolean from its bit.
    #[inline]
    pub fn flag(&mut self, to: &mut bool) {
        *to = self.is_set(self.bit);
        self.bit = self.bit.saturating_add(1);
    }

    /// Starts a field without a bit.
    pub(super) fn begin_always(&mut self, field: usize) {
        self.cursor.begin_at(field, self.reader.offset());
    }

    /// Starts the next field that has a bit. Returns whether the field was sent.
    #[inline]
    pub(super) fn begin(&mut self, field: usize) -> bool {
        let bit = self.bit;
        self.bit = bit.saturating_add(1);
        let is_sent = self.is_set(bit);
        if is_sent {
            self.cursor.begin_at(field, self.reader.offset());
        }
        is_sent
    }

    #[inline]
    fn is_set(&self, bit: usize) -> bool {
        self.bits.get(bit / 8).is_some_and(|byte| byte >> (bit % 8) & 1 != 0)
    }

    /// Returns the next bytes as an array.
    #[inline]
    pub(super) fn array<const N: usize>(&mut self, expected: &'static str) -> Result<[u8; N]> {
        self.reader.array(expected)
    }

    /// Returns the next bytes.
    #[inline]
    pub(super) fn take(&mut self, count: usize, expected: &'static str) -> Result<&'a [u8]> {
        self.reader.take(count, expected)
    }

    /// Returns the unread bytes.
    #[inline]
    pub(super) const fn remaining(&self) -> &'a [u8] {
        self.reader.remaining()
    }

    /// Returns the number of elements of an array that another field counts.
    #[inline]
    pub(super) fn count(&self, counts: &[ElementCount]) -> Result<usize> {
        let (count, _) = ElementCount::split(counts);
        count.get().ok_or_else(|| self.error(ElementCount::EXPECTED, Found::Value(count.value)))
    }

    /// Rejects an array of elements of at least `min_bytes` bytes that is larger than the unread bytes, before memory is
    /// allocated for it.
    #[inline]
    pub(super) fn check_room(&self, count: usize, min_bytes: usize) -> Result<()> {
        let left = self.remaining().len();
        if count.saturating_mul(min_bytes) > left {
            return Err(self.error("all elements of an array", Found::Bytes(left)));
        }
        Ok(())
    }

    /// Sets the current element, for errors.
    #[inline]
    pub(super) const fn element(&mut self, index: Option<usize>) {
        self.cursor.element = index;
    }

    /// Creates an error at the current offset.
    #[cold]
    pub(super) fn error(&self, expected: &'static str, found: Found) -> CodecError {
        self.error_before(0, expected, found)
    }

    /// Creates an error `back` bytes before the current offset.
    #[cold]
    pub(super) fn error_before(&self, back: usize, expected: &'static str, found: Found) -> CodecError {
        CodecError::new(self.reader.offset().saturating_sub(back), expected, found)
    }
}

/// Converts a number for an error.
#[cold]
pub(super) fn value(number: usize) -> Found {
    Found::Value(i64::try_from(number).unwrap_or(i64::MAX))
}

/// Boxes the error of a field. Not inlined, to keep the code of each field small.
#[cold]
#[inline(never)]
pub(super) fn boxed(error: CodecError) -> Box<CodecError> {
    Box::new(error)
}
