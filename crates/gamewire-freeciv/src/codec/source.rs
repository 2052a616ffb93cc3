use gamewire_schema::ir::{ArrayDiff, CapabilityMask};
use gamewire_wire::{CodecError, Found, Reader, Result};

use super::array::{Changes, read_changes};
use super::definition::PacketDefinition;
use super::form::InForm;
use super::wire::{ElementCount, Wire};
use crate::delta::{FieldCursor, Number};

/// Reads the fields of one packet, and keeps the position for the error that may come.
#[derive(Debug)]
pub struct Source<'a> {
    reader: Reader<'a>,
    /// The bitvector; empty in packets without one.
    bits: &'a [u8],
    mask: CapabilityMask,
    /// The bit of the next field.
    bit: usize,
    pub(super) cursor: FieldCursor,
}

impl<'a> Source<'a> {
    /// A source at the start of a body.
    pub(super) fn new(body: &'a [u8]) -> Self {
        let (mask, cursor) = (CapabilityMask::NONE, FieldCursor::default());
        Self { reader: Reader::new(body), bits: &[], mask, bit: 0, cursor }
    }

    /// Sets which of the packet's capabilities are active.
    pub(super) const fn set_mask(&mut self, mask: CapabilityMask) {
        self.mask = mask;
    }

    /// Reads the bitvector, which starts the body.
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

    /// Reads the keys without moving: [`PacketStruct::read`](super::PacketStruct::read) reads them again.
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

    /// The bitvector.
    pub(super) const fn bits(&self) -> &'a [u8] {
        self.bits
    }

    /// Refuses bytes after the last field.
    pub(super) fn end(&self) -> Result<()> {
        match self.reader.remaining().len() {
            0 => Ok(()),
            left => Err(self.error("the end of the packet", Found::Bytes(left))),
        }
    }

    /// Returns whether a field is sent that needs and excludes these capabilities.
    #[inline]
    pub const fn has(&self, with: u32, without: u32) -> bool {
        self.mask.0 & with == with && self.mask.0 & without == 0
    }

    /// Reads a field without a bit: a key, or a field of a packet without bitvector.
    ///
    /// # Errors
    /// [`CodecError`] if the bytes are not what its type allows.
    pub fn always<T: Wire>(
        &mut self,
        field: usize,
        to: &mut T,
        counts: &[ElementCount],
    ) -> Result<(), Box<CodecError>> {
        self.cursor.begin_at(field, self.reader.offset());
        to.read(self, counts).map_err(boxed)
    }

    /// Reads a field if its bit is set. Otherwise it keeps its value; an array is cut or filled to its count.
    ///
    /// # Errors
    /// [`CodecError`] if the bytes are not what its type allows, or a count is over its limit.
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

    /// Reads a field without a bit that is sent as `W`.
    ///
    /// # Errors
    /// [`CodecError`] if the bytes are not what `W` allows.
    pub fn always_as<W: Wire, T: InForm<W>>(
        &mut self,
        field: usize,
        to: &mut T,
        counts: &[ElementCount],
    ) -> Result<(), Box<CodecError>> {
        self.cursor.begin_at(field, self.reader.offset());
        self.read_as(to, |form, from| form.read(from, counts))
    }

    /// Reads a field that is sent as `W` if its bit is set, like [`field`](Self::field) otherwise.
    ///
    /// # Errors
    /// [`CodecError`] if the bytes are not what `W` allows, or a count is over its limit.
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

    /// Reads the changed elements of an array that is sent as `W` if its bit is set, like [`field`](Self::field)
    /// otherwise.
    ///
    /// # Errors
    /// [`CodecError`] if an index is over the length, or the bytes are not what `W` allows.
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

    /// Reads a value over the old one, in the form that is sent.
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

    /// Reads a truth value that is its bit.
    #[inline]
    pub fn flag(&mut self, to: &mut bool) {
        *to = self.is_set(self.bit);
        self.bit = self.bit.saturating_add(1);
    }

    /// Reads the changed elements of an array if its bit is set, like [`field`](Self::field) otherwise.
    ///
    /// # Errors
    /// [`CodecError`] if an index is over the length, or the bytes are not what the type allows.
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

    /// Starts the next field that has a bit, and returns whether it is sent.
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

    /// The next bytes as an array.
    #[inline]
    pub(super) fn array<const N: usize>(&mut self, expected: &'static str) -> Result<[u8; N]> {
        self.reader.array(expected)
    }

    /// The next bytes.
    #[inline]
    pub(super) fn take(&mut self, count: usize, expected: &'static str) -> Result<&'a [u8]> {
        self.reader.take(count, expected)
    }

    /// The bytes that are left.
    #[inline]
    pub(super) const fn remaining(&self) -> &'a [u8] {
        self.reader.remaining()
    }

    /// The number of elements of an array that another field counts.
    #[inline]
    pub(super) fn count(&self, counts: &[ElementCount]) -> Result<usize> {
        let (count, _) = ElementCount::split(counts);
        count.get().map_err(|(expected, found)| self.error(expected, found))
    }

    /// Refuses an array that the bytes left cannot hold, before memory is taken for it.
    #[inline]
    pub(super) fn check_room<T: Wire>(&self, count: usize) -> Result<()> {
        let left = self.remaining().len();
        if count.saturating_mul(T::MIN_BYTES) > left {
            return Err(self.error("all elements of an array", Found::Bytes(left)));
        }
        Ok(())
    }

    /// Names the element at hand, for an error.
    #[inline]
    pub(super) const fn element(&mut self, index: Option<usize>) {
        self.cursor.element = index;
    }

    /// An error at the current offset.
    #[cold]
    pub(super) fn error(&self, expected: &'static str, found: Found) -> CodecError {
        self.error_before(0, expected, found)
    }

    /// An error in the last `back` bytes.
    #[cold]
    pub(super) fn error_before(&self, back: usize, expected: &'static str, found: Found) -> CodecError {
        CodecError::new(self.reader.offset().saturating_sub(back), expected, found)
    }
}

/// A number for an error.
#[cold]
pub(super) fn value(number: usize) -> Found {
    Found::Value(i64::try_from(number).unwrap_or(i64::MAX))
}

/// Boxes the error of a field, outside of the code for each field.
#[cold]
#[inline(never)]
pub(super) fn boxed(error: CodecError) -> Box<CodecError> {
    Box::new(error)
}
