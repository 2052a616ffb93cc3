use gamewire_wire::{CodecError, Found, Reader};

use super::explain::FieldCursor;
use super::source::Source;
use super::wire::{ElementCount, Wire};

/// Reads and keeps in mind where it is, for the error that comes.
#[derive(Debug)]
pub struct CheckedSource<'a> {
    reader: Reader<'a>,
    bits: &'a [u8],
    pub(super) progress: FieldCursor,
    /// The fields on the wire, if only these are asked for: nothing is read then.
    listed: Option<Vec<usize>>,
}

impl<'a> CheckedSource<'a> {
    /// At the start of what follows the bitvector.
    #[must_use]
    pub fn new(reader: Reader<'a>, bits: &'a [u8]) -> Self {
        Self { reader, bits, progress: FieldCursor::default(), listed: None }
    }

    /// Which fields of a packet with these bits are on the wire, in order, is what it is for.
    pub(super) const fn list(bits: &'a [u8]) -> Self {
        Self { reader: Reader::new(&[]), bits, progress: FieldCursor::NONE, listed: Some(Vec::new()) }
    }

    /// The fields on the wire.
    pub(super) fn listed(self) -> Vec<usize> {
        self.listed.unwrap_or_default()
    }

    /// Refuses what is left.
    pub(super) fn end(&self) -> Result<(), CodecError> {
        match self.reader.remaining().len() {
            0 => Ok(()),
            left => Err(self.error(0, "the end of the packet", Found::Bytes(left))),
        }
    }
}

impl Source for CheckedSource<'_> {
    type Error = CodecError;

    fn begin(&mut self, field: usize, bit: Option<usize>) -> bool {
        if bit.is_some_and(|bit| !self.bit(bit)) {
            return false;
        }
        if let Some(listed) = &mut self.listed {
            listed.push(field);
            return false;
        }
        self.progress.begin(field, bit, self.reader.offset());
        true
    }

    fn bit(&self, bit: usize) -> bool {
        self.bits.get(bit / 8).is_some_and(|byte| byte >> (bit % 8) & 1 != 0)
    }

    fn array<const N: usize>(&mut self, expected: &'static str) -> Result<[u8; N], CodecError> {
        self.reader.array(expected)
    }

    fn take(&mut self, count: usize, expected: &'static str) -> Result<&[u8], CodecError> {
        self.reader.take(count, expected)
    }

    fn remaining(&self) -> &[u8] {
        self.reader.remaining()
    }

    fn error(&self, back: usize, expected: &'static str, found: Found) -> CodecError {
        CodecError::new(self.reader.offset().saturating_sub(back), expected, found)
    }

    fn enter(&mut self) {
        self.progress.enter();
    }

    fn element(&mut self, index: usize) {
        self.progress.element(index);
    }

    fn leave(&mut self) {
        self.progress.leave();
    }

    // Where every packet has code of its own for this, it is not to be copied into that for each field.

    #[inline(never)]
    fn always<T: Wire>(
        &mut self,
        field: usize,
        to: &mut T,
        counts: &[ElementCount],
    ) -> Result<(), CodecError> {
        if self.begin(field, None) { to.read(self, counts) } else { Ok(()) }
    }

    #[inline(never)]
    fn field<T: Wire>(
        &mut self,
        field: usize,
        bit: usize,
        to: &mut T,
        counts: &[ElementCount],
    ) -> Result<(), CodecError> {
        if self.begin(field, Some(bit)) { to.read(self, counts) } else { Ok(()) }
    }

    #[inline(never)]
    fn counted<T: Wire>(
        &mut self,
        field: usize,
        bit: usize,
        to: &mut T,
        counts: &[ElementCount],
    ) -> Result<(), CodecError> {
        if self.begin(field, Some(bit)) { to.read(self, counts) } else { self.fit(to, counts) }
    }
}
