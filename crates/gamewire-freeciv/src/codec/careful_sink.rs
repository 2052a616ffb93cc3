use gamewire_wire::{CodecError, Found};

use super::body::Bits;
use super::explain::FieldCursor;
use super::sink::Sink;
use super::wire::{ElementCount, Wire, WrongCount};

/// Writes and keeps in mind where it is, for the error that comes.
#[derive(Debug)]
pub struct CheckedSink<'a, B> {
    body: Vec<u8>,
    kept: &'a [u8],
    pub(super) bits: B,
    pub(super) progress: FieldCursor,
    /// Whether only the bits are worked out.
    pub(super) compares: bool,
}

impl<'a, B: Bits> CheckedSink<'a, B> {
    /// Behind a bitvector of so many bytes; `kept` are the bits of float fields that are taken from
    /// elsewhere.
    #[must_use]
    pub fn new(bytes: usize, kept: &'a [u8]) -> Self {
        Self { body: vec![0; bytes], kept, bits: B::NONE, progress: FieldCursor::NONE, compares: false }
    }
}

impl<B: Bits> Sink for CheckedSink<'_, B> {
    type Error = CodecError;

    fn begin(&mut self, field: usize, bit: Option<usize>, differs: bool) -> bool {
        if let Some(bit) = bit {
            if !differs {
                return false;
            }
            self.bits.set(bit);
        }
        if self.compares {
            return false;
        }
        self.progress.begin(field, bit, self.body.len());
        true
    }

    fn folded(&mut self, bit: usize, _: bool, new: bool) {
        if new {
            self.bits.set(bit);
        }
    }

    fn skip(&mut self, field: usize, bit: usize, fits: Result<bool, WrongCount>) -> Result<(), CodecError> {
        match fits {
            Err((expected, found)) if !self.compares => {
                self.progress.begin(field, Some(bit), self.body.len());
                Err(self.error(expected, found))
            }
            _ => Ok(()),
        }
    }

    fn is_kept(&self, bit: usize) -> bool {
        self.kept.get(bit / 8).is_some_and(|byte| byte >> (bit % 8) & 1 != 0)
    }

    fn bytes<const N: usize>(&mut self, bytes: [u8; N]) {
        self.body.extend_from_slice(&bytes);
    }

    fn slice(&mut self, bytes: &[u8]) {
        self.body.extend_from_slice(bytes);
    }

    fn error(&self, expected: &'static str, found: Found) -> CodecError {
        CodecError::new(self.body.len(), expected, found)
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
    fn always<T: Wire>(&mut self, field: usize, new: &T, counts: &[ElementCount]) -> Result<(), CodecError> {
        if self.begin(field, None, true) { new.write(self, counts) } else { Ok(()) }
    }

    #[inline(never)]
    fn field<T: Wire>(
        &mut self,
        field: usize,
        bit: usize,
        old: &T,
        new: &T,
        counts: &[ElementCount],
    ) -> Result<(), CodecError> {
        let differs = old != new || (T::IS_FLOAT && self.is_kept(bit));
        if self.begin(field, Some(bit), differs) {
            return new.write(self, counts);
        }
        self.skip(field, bit, new.matches_count(counts))
    }
}
