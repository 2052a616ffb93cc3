use gamewire_wire::Found;

use super::body::Bits;
use super::quick_source::Failed;
use super::sink::Sink;

/// Writes without a look back: what it refuses is written again to a
/// [`CarefulSink`](super::CarefulSink).
#[derive(Debug)]
pub struct QuickSink<'a, B> {
    out: &'a mut Vec<u8>,
    kept: &'a [u8],
    bits: B,
    is_news: bool,
}

impl<'a, B: Bits> QuickSink<'a, B> {
    /// At the end of `out`; `kept` are the bits of float fields that are taken from elsewhere.
    #[inline(always)]
    pub const fn new(out: &'a mut Vec<u8>, kept: &'a [u8]) -> Self {
        Self { out, kept, bits: B::NONE, is_news: false }
    }

    /// The bitvector, and whether any field differs.
    #[inline(always)]
    pub const fn end(self) -> (B, bool) {
        (self.bits, self.is_news)
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
