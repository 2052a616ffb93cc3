use gamewire_schema::ir::{ArrayDiff, CapabilityMask};
use gamewire_wire::{CodecError, Found, Reader, Result};

use super::array::{Changes, read_changes};
use super::definition::PacketDefinition;
use super::form::InForm;
use super::wire::{ElementCount, Wire};
use crate::delta::{FieldCursor, Number};

/// Reads the fields of one packet, and tracks the position for an error.
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
    pub const fn has(&self, with: u32, without: u32) -> bool {
        self.mask.0 & with == with && self.mask.0 & without == 0
    }

    /// Reads a field without a bit: a key, or a field of a packet without a bitvector.
    ///
    /// # Errors
    /// [`CodecError`] if the type does not allow the bytes.
    pub fn always<T: Wire>(
        &mut self,
        field: usize,
        to: &mut T,
        counts: &[ElementCount],
    ) -> Result<(), Box<CodecError>> {
        self.cursor.begin_at(field, self.reader.offset());
        to.read(self, counts).map_err(boxed)
    }

    /// Reads a field if its bit is set. If not, the field keeps its value, and an array is resized to its count.
    ///
    /// # Errors
    /// [`CodecError`] if the type does not allow the bytes, or a count exceeds its limit.
    pub fn field<T: Wire>(
        &mut self,
        field: usize,
        to: &mut T,
        counts: &[ElementCount],
    ) -> Result<(), Box<CodecError>> {
        if self.begin(field) {
            return to.read(self, counts).map_err(boxed);
        }
        if T::IS_COUNTED {
            to.resize_to(self.count(counts)?)
        }
        Ok(())
    }

    /// Reads a field without a bit, in the form `W`.
    ///
    /// # Errors
    /// [`CodecError`] if `W` does not allow the bytes.
    pub fn always_as<W: Wire, T: InForm<W>>(
        &mut self,
        field: usize,
        to: &mut T,
        counts: &[ElementCount],
    ) -> Result<(), Box<CodecError>> {
        self.cursor.begin_at(field, self.reader.offset());
        self.read_as(to, |form, from| form.read(from, counts))
    }

    /// Reads a field in the form `W` if its bit is set. If not, does the same as [`field`](Self::field).
    ///
    /// # Errors
    /// [`CodecError`] if `W` does not allow the bytes, or a count exceeds its limit.
    pub fn field_as<W: Wire, T: InForm<W>>(
        &mut self,
        field: usize,
        to: &mut T,
        counts: &[ElementCount],
    ) -> Result<(), Box<CodecError>> {
        if self.begin(field) {
            return self.read_as(to, |form, from| form.read(from, counts));
        }
        if T::IS_COUNTED {
            to.resize_to(self.count(counts)?)
        }
        Ok(())
    }

    /// Reads the changed elements of an array in the form `W` if its bit is set. If not, does the same as
    /// [`field`](Self::field).
    ///
    /// # Errors
    /// [`CodecError`] if an index exceeds the length, or `W` does not allow the bytes.
    pub fn changes_as<W: Changes, T: InForm<W>>(
        &mut self,
        field: usize,
        diff: ArrayDiff,
        to: &mut T,
        counts: &[ElementCount],
    ) -> Result<(), Box<CodecError>> {
        if self.begin(field) {
            return self.read_as(to, |form: &mut W, from| read_changes(form, from, diff, counts));
        }
        if T::IS_COUNTED {
            to.resize_to(self.count(counts)?)
        }
        Ok(())
    }

    /// Reads a value in the form that is sent, over the old value.
    fn read_as<W: Wire, T: InForm<W>>(
        &mut self,
        to: &mut T,
        read: impl FnOnce(&mut W, &mut Self) -> Result<()>,
    ) -> Result<(), Box<CodecError>> {
        let mut form = to.to_form().unwrap_or(W::ZERO);
        read(&mut form, self).map_err(boxed)?;
        *to = T::from_form(form);
        Ok(())
    }

    /// Reads a boolean from its bit.
    #[inline]
    pub fn flag(&mut self, to: &mut bool) {
        *to = self.is_set(self.bit);
        self.bit = self.bit.saturating_add(1);
    }

    /// Reads the changed elements of an array if its bit is set. If not, does the same as [`field`](Self::field).
    ///
    /// # Errors
    /// [`CodecError`] if an index exceeds the length, or the type does not allow the bytes.
    pub fn changes<T: Changes>(
        &mut self,
        field: usize,
        form: ArrayDiff,
        to: &mut T,
        counts: &[ElementCount],
    ) -> Result<(), Box<CodecError>> {
        if self.begin(field) {
            return read_changes(to, self, form, counts).map_err(boxed);
        }
        if T::IS_COUNTED {
            to.resize_to(self.count(counts)?)
        }
        Ok(())
    }

    /// Starts the next field that has a bit. Returns whether the field was sent.
    #[inline]
    fn begin(&mut self, field: usize) -> bool {
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
        count.get().map_err(|(expected, found)| self.error(expected, found))
    }

    /// Rejects an array that is larger than the unread bytes, before memory is allocated for it.
    #[inline]
    pub(super) fn check_room<T: Wire>(&self, count: usize) -> Result<()> {
        let left = self.remaining().len();
        if count.saturating_mul(T::MIN_BYTES) > left {
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
