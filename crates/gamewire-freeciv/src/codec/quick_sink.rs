use gamewire_wire::Found;

use super::body::Bits;
use super::quick_source::FastPathError;
use super::sink::Sink;
use super::wire::WrongCount;

/// Writes without a look back: what it refuses is written again to a
/// [`CheckedSink`](super::CheckedSink).
#[derive(Debug)]
pub struct FastSink<'a, B> {
    out: &'a mut Vec<u8>,
    kept: &'a [u8],
    bits: B,
    has_changes: bool,
    counts_match: bool,
}

/// What came of writing.
#[derive(Clone, Copy, Debug)]
pub(super) struct WriteResult<B> {
    pub(super) bits: B,
    /// Whether any field differs.
    pub(super) is_news: bool,
    /// Whether all arrays that were not written have as many elements as their counts say.
    pub(super) is_even: bool,
}

impl<'a, B: Bits> FastSink<'a, B> {
    /// At the end of `out`; `kept` are the bits of float fields that are taken from elsewhere.
    #[inline(always)]
    pub const fn new(out: &'a mut Vec<u8>, kept: &'a [u8]) -> Self {
        Self { out, kept, bits: B::NONE, has_changes: false, counts_match: true }
    }

    #[inline(always)]
    pub(super) const fn end(self) -> WriteResult<B> {
        WriteResult { bits: self.bits, is_news: self.has_changes, is_even: self.counts_match }
    }
}

impl<B: Bits> Sink for FastSink<'_, B> {
    type Error = FastPathError;

    #[inline(always)]
    fn begin(&mut self, _: usize, bit: Option<usize>, differs: bool) -> bool {
        let Some(bit) = bit else { return true };
        if differs {
            self.bits.set(bit);
            self.has_changes = true;
        }
        differs
    }

    #[inline(always)]
    fn folded(&mut self, bit: usize, old: bool, new: bool) {
        if new {
            self.bits.set(bit);
        }
        self.has_changes |= old != new;
    }

    #[inline(always)]
    fn skip(&mut self, _: usize, _: usize, fits: Result<bool, WrongCount>) -> Result<(), FastPathError> {
        self.counts_match &= fits.map_err(|_| FastPathError)?;
        Ok(())
    }

    #[inline(always)]
    fn is_kept(&self, bit: usize) -> bool {
        self.kept.get(bit / 8).is_some_and(|byte| byte >> (bit % 8) & 1 != 0)
    }

    #[inline(always)]
    fn bytes<const N: usize>(&mut self, bytes: [u8; N]) {
        self.out.extend_from_slice(&bytes);
    }

    #[inline(always)]
    fn slice(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    #[inline(always)]
    fn start_of<const N: usize>(&mut self, bytes: &[u8; N], count: usize) {
        // So many bytes at once are quicker than some.
        let length = self.out.len().saturating_add(count);
        self.out.extend_from_slice(bytes);
        self.out.truncate(length);
    }

    #[inline(always)]
    fn error(&self, _: &'static str, _: Found) -> FastPathError {
        FastPathError
    }
}
