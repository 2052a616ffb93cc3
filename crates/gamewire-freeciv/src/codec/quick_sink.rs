use gamewire_wire::Found;

use super::body::Bits;
use super::quick_source::Failed;
use super::sink::Sink;
use super::wire::WrongCount;

/// Writes without a look back: what it refuses is written again to a
/// [`CarefulSink`](super::CarefulSink).
#[derive(Debug)]
pub struct QuickSink<'a, B> {
    out: &'a mut Vec<u8>,
    kept: &'a [u8],
    bits: B,
    is_news: bool,
    is_even: bool,
}

/// What came of writing.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome<B> {
    pub(super) bits: B,
    /// Whether any field differs.
    pub(super) is_news: bool,
    /// Whether all arrays that were not written have as many elements as their counts say.
    pub(super) is_even: bool,
}

impl<'a, B: Bits> QuickSink<'a, B> {
    /// At the end of `out`; `kept` are the bits of float fields that are taken from elsewhere.
    #[inline(always)]
    pub const fn new(out: &'a mut Vec<u8>, kept: &'a [u8]) -> Self {
        Self { out, kept, bits: B::NONE, is_news: false, is_even: true }
    }

    #[inline(always)]
    pub(super) const fn end(self) -> Outcome<B> {
        Outcome { bits: self.bits, is_news: self.is_news, is_even: self.is_even }
    }
}

impl<B: Bits> Sink for QuickSink<'_, B> {
    type Error = Failed;

    #[inline(always)]
    fn begin(&mut self, _: usize, bit: Option<usize>, differs: bool) -> bool {
        let Some(bit) = bit else { return true };
        if differs {
            self.bits.set(bit);
            self.is_news = true;
        }
        differs
    }

    #[inline(always)]
    fn folded(&mut self, bit: usize, old: bool, new: bool) {
        if new {
            self.bits.set(bit);
        }
        self.is_news |= old != new;
    }

    #[inline(always)]
    fn skip(&mut self, _: usize, _: usize, fits: Result<bool, WrongCount>) -> Result<(), Failed> {
        self.is_even &= fits.map_err(|_| Failed)?;
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
    fn error(&self, _: &'static str, _: Found) -> Failed {
        Failed
    }
}
