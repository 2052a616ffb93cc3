//! Reading the fields of a packet: the calls that the derive macro generates.

use gamewire_schema::ir::ArrayDiff;
use gamewire_wire::{CodecError, Result};

use super::array::{Changes, read_changes};
use super::element_count::ElementCount;
use super::form::InForm;
use super::source::{Source, boxed};
use super::wire::Wire;

impl Source<'_> {
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
        self.begin_always(field);
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
        self.resize(to, counts)
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
        self.begin_always(field);
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
        self.resize(to, counts)
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
        self.resize(to, counts)
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
        self.resize(to, counts)
    }

    /// Resizes an array that was not sent to its count.
    fn resize<T: Wire>(&self, to: &mut T, counts: &[ElementCount]) -> Result<(), Box<CodecError>> {
        if T::IS_COUNTED {
            to.resize_to(self.count(counts)?);
        }
        Ok(())
    }
}
