use gamewire_wire::Found;

use super::block::Block;
use super::body::Bits;
use super::source::Source;

/// Reads without a look back: a body that it refuses is read again from a
/// [`CheckedSource`](super::CheckedSource).
#[derive(Clone, Copy, Debug)]
pub struct FastSource<'a, B> {
    rest: &'a [u8],
    /// What `rest` was at the start.
    whole: &'a [u8],
    bits: B,
    /// Whether the packet before is another one, so that what is not sent is zero.
    pub(super) is_first: bool,
}

/// Something is wrong, whatever it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FastPathError;

impl<'a, B: Bits> FastSource<'a, B> {
    /// At the start of what follows the bitvector.
    #[inline(always)]
    pub const fn new(rest: &'a [u8], bits: B) -> Self {
        Self { rest, whole: rest, bits, is_first: false }
    }
}

impl<B: Bits> Source for FastSource<'_, B> {
    type Error = FastPathError;

    #[inline(always)]
    fn begin(&mut self, _: usize, bit: Option<usize>) -> bool {
        bit.is_none_or(|bit| self.bit(bit))
    }

    #[inline(always)]
    fn is_first(&self) -> bool {
        self.is_first
    }

    #[inline(always)]
    fn bit(&self, bit: usize) -> bool {
        self.bits.is_set(bit)
    }

    #[inline(always)]
    fn array<const N: usize>(&mut self, _: &'static str) -> Result<[u8; N], FastPathError> {
        let (bytes, rest) = self.rest.split_first_chunk::<N>().ok_or(FastPathError)?;
        self.rest = rest;
        Ok(*bytes)
    }

    #[inline(always)]
    fn take(&mut self, count: usize, _: &'static str) -> Result<&[u8], FastPathError> {
        let (bytes, rest) = self.rest.split_at_checked(count).ok_or(FastPathError)?;
        self.rest = rest;
        Ok(bytes)
    }

    #[inline(always)]
    fn remaining(&self) -> &[u8] {
        self.rest
    }

    #[inline(always)]
    fn block(&self) -> Block {
        Block::at_start(self.rest, self.whole)
    }

    #[inline(always)]
    fn error(&self, _: usize, _: &'static str, _: Found) -> FastPathError {
        FastPathError
    }
}
