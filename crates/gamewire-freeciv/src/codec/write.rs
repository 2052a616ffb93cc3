//! Writing the fields of a packet: the calls that the derive macro generates.

use gamewire_schema::ir::ArrayDiff;
use gamewire_wire::{CodecError, Found};

use super::array::{Changes, write_changes};
use super::element_count::ElementCount;
use super::form::InForm;
use super::sink::Sink;
use super::source::boxed;
use super::wire::Wire;

impl Sink<'_> {
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
        if !self.begin_always(field) {
            return Ok(());
        }
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
        if !self.begin_always(field) {
            return Ok(());
        }
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
}
