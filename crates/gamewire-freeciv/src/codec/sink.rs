use gamewire_schema::ir::{ArrayDiff, CapabilityMask};
use gamewire_wire::{CodecError, Found, Result};

use super::array::{Changes, write_changes};
use super::definition::PacketDefinition;
use super::form::InForm;
use super::source::{boxed, value};
use super::wire::{ElementCount, Wire};
use crate::delta::FieldCursor;

/// Writes the fields of one packet that differ from the previous packet, and tracks the position for an error.
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
    pub const fn has(&self, with: u32, without: u32) -> bool {
        self.mask.0 & with == with && self.mask.0 & without == 0
    }

    /// Writes a field without a bit: a key, or a field of a packet without a bitvector.
    ///
    /// # Errors
    /// [`CodecError`] if the value cannot be sent.
    pub fn always<T: Wire>(
        &mut self,
        field: usize,
        new: &T,
        counts: &[ElementCount],
    ) -> Result<(), Box<CodecError>> {
        if self.only_bits {
            return Ok(());
        }
        self.cursor.begin_at(field, self.offset());
        new.write(self, counts).map_err(boxed)
    }

    /// Writes a field if it differs from `old`.
    ///
    /// # Errors
    /// [`CodecError`] if the value cannot be sent, or a count exceeds its limit.
    pub fn field<T: Wire>(
        &mut self,
        field: usize,
        new: &T,
        old: &T,
        counts: &[ElementCount],
    ) -> Result<(), Box<CodecError>> {
        if self.begin(field, T::IS_FLOAT, new.differs(old)) {
            return new.write(self, counts).map_err(boxed);
        }
        if T::IS_COUNTED { self.check_count(field, counts).map_err(boxed) } else { Ok(()) }
    }

    /// Writes a field without a bit, in the form `W`.
    ///
    /// # Errors
    /// [`CodecError`] if the value cannot be sent.
    pub fn always_as<W: Wire, T: InForm<W>>(
        &mut self,
        field: usize,
        new: &T,
        counts: &[ElementCount],
    ) -> Result<(), Box<CodecError>> {
        if self.only_bits {
            return Ok(());
        }
        self.cursor.begin_at(field, self.offset());
        self.form(new)?.write(self, counts).map_err(boxed)
    }

    /// Writes a field in the form `W` if it differs from `old`.
    ///
    /// # Errors
    /// [`CodecError`] if the value cannot be sent, or a count exceeds its limit.
    pub fn field_as<W: Wire, T: InForm<W>>(
        &mut self,
        field: usize,
        new: &T,
        old: &T,
        counts: &[ElementCount],
    ) -> Result<(), Box<CodecError>> {
        if self.begin(field, T::IS_FLOAT, new.differs(old)) {
            return self.form(new)?.write(self, counts).map_err(boxed);
        }
        if T::IS_COUNTED { self.check_count(field, counts).map_err(boxed) } else { Ok(()) }
    }

    /// Writes the changed elements of an array in the form `W`, if any element changed.
    ///
    /// # Errors
    /// [`CodecError`] if there are more elements than an index can express, or an element cannot be sent.
    pub fn changes_as<W: Changes, T: InForm<W>>(
        &mut self,
        field: usize,
        diff: ArrayDiff,
        new: &T,
        old: &T,
        counts: &[ElementCount],
    ) -> Result<(), Box<CodecError>> {
        if self.begin(field, T::IS_FLOAT, new.differs(old)) {
            let (new, old) = (self.form::<W, T>(new)?, old.to_form().unwrap_or(W::ZERO));
            return write_changes(&new, &old, self, diff, counts).map_err(boxed);
        }
        if T::IS_COUNTED { self.check_count(field, counts).map_err(boxed) } else { Ok(()) }
    }

    /// Converts a value to the form that is sent.
    fn form<W: Wire, T: InForm<W>>(&self, value: &T) -> Result<W, Box<CodecError>> {
        const EXPECTED: &str = "a value that this version can send";
        let found = value.value().as_int().map_or(Found::Bytes(size_of::<T>()), Found::Value);
        value.to_form().ok_or_else(|| boxed(self.error(EXPECTED, found)))
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

    /// Writes the changed elements of an array, if any element changed.
    ///
    /// # Errors
    /// [`CodecError`] if there are more elements than an index can express, or an element cannot be sent.
    pub fn changes<T: Changes>(
        &mut self,
        field: usize,
        form: ArrayDiff,
        new: &T,
        old: &T,
        counts: &[ElementCount],
    ) -> Result<(), Box<CodecError>> {
        if self.begin(field, T::IS_FLOAT, new.differs(old)) {
            return write_changes(new, old, self, form, counts).map_err(boxed);
        }
        if T::IS_COUNTED { self.check_count(field, counts).map_err(boxed) } else { Ok(()) }
    }

    /// Starts the next field that has a bit. Returns whether the caller must write its value.
    #[inline]
    fn begin(&mut self, field: usize, is_float: bool, differs: bool) -> bool {
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
    fn check_count(&mut self, field: usize, counts: &[ElementCount]) -> Result<()> {
        match ElementCount::split(counts).0.get() {
            Err((expected, found)) if !self.only_bits => {
                self.cursor.begin_at(field, self.offset());
                Err(self.error(expected, found))
            }
            _ => Ok(()),
        }
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
        match ElementCount::split(counts).0.get() {
            Ok(count) if count == length => Ok(()),
            Ok(_) => Err(self.error("as many elements as the array has", value(length))),
            Err((expected, found)) => Err(self.error(expected, found)),
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
