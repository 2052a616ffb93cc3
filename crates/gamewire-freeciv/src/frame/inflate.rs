//! One chunk through zlib, as it comes.

use flate2::{Decompress, FlushDecompress, Status};

use super::error::FrameErrorKind;

/// What a buffer begins with, and grows by at least.
const STEP: usize = 4096;
/// Smaller pieces of a chunk wait until they are so many bytes together: zlib copies its window for
/// each piece.
const PIECE: usize = 32 * 1024;

/// Inflates one chunk after the other; its tables are kept between them.
#[derive(Debug)]
pub(super) struct Inflater {
    zlib: Decompress,
    /// What waits to be inflated.
    waiting: Vec<u8>,
    /// Bytes of zlib that the chunk still has.
    left: usize,
    /// What it may inflate to.
    limit: usize,
    /// Whether the zlib stream has come to its end.
    ended: bool,
}

impl Inflater {
    /// At the start of a chunk with so many bytes of zlib.
    pub(super) fn new(compressed: usize, limit: usize) -> Self {
        let (zlib, waiting) = (Decompress::new(true), Vec::new());
        Self { zlib, waiting, left: compressed, limit, ended: false }
    }

    /// The same for the next chunk.
    pub(super) fn restart(&mut self, compressed: usize, limit: usize) {
        self.zlib.reset(true);
        self.waiting.clear();
        (self.left, self.limit, self.ended) = (compressed, limit, false);
    }

    /// Bytes of zlib that have not come yet.
    pub(super) const fn left(&self) -> usize {
        self.left
    }

    /// Inflates a part of the chunk to the end of `to`, which it grows no further than the limit.
    /// Whether the chunk is complete.
    pub(super) fn feed(&mut self, part: &[u8], to: &mut Vec<u8>) -> Result<bool, FrameErrorKind> {
        self.left = self.left.saturating_sub(part.len());
        if self.left > 0 && self.waiting.len().saturating_add(part.len()) < PIECE {
            self.waiting.extend_from_slice(part);
            return Ok(false);
        }
        if self.waiting.is_empty() {
            return self.inflate(part, to);
        }
        let mut waiting = core::mem::take(&mut self.waiting);
        waiting.extend_from_slice(part);
        let is_complete = self.inflate(&waiting, to);
        waiting.clear();
        self.waiting = waiting;
        is_complete
    }

    fn inflate(&mut self, mut part: &[u8], to: &mut Vec<u8>) -> Result<bool, FrameErrorKind> {
        let is_last = self.left == 0;
        while !self.ended {
            self.reserve(part.len(), to)?;
            let (taken, made) = (self.zlib.total_in(), to.len());
            let status = self
                .zlib
                .decompress_vec(part, to, FlushDecompress::Finish)
                .map_err(|_| FrameErrorKind::Corrupt)?;
            let taken = usize::try_from(self.zlib.total_in().saturating_sub(taken)).unwrap_or(usize::MAX);
            part = part.get(taken..).unwrap_or_default();
            self.ended = matches!(status, Status::StreamEnd);
            if to.len() > self.limit {
                return Err(FrameErrorKind::Inflated { limit: self.limit });
            }
            let stuck = taken == 0 && to.len() == made;
            // With room left, zlib has nothing more to say about what it got.
            if !self.ended && part.is_empty() && (stuck || to.len() < to.capacity()) {
                break;
            }
            if stuck && !self.ended {
                return Err(FrameErrorKind::Corrupt);
            }
        }
        match (self.ended, is_last) {
            (true, _) if !part.is_empty() || !is_last => {
                Err(FrameErrorKind::Trailing { bytes: part.len().saturating_add(self.left) })
            }
            (false, true) => Err(FrameErrorKind::Truncated),
            (_, is_last) => Ok(is_last),
        }
    }

    /// Room for what `part` bytes may become, and for one byte over the limit, which shows that
    /// it is exceeded.
    fn reserve(&self, part: usize, to: &mut Vec<u8>) -> Result<(), FrameErrorKind> {
        if to.len() < to.capacity() {
            return Ok(());
        }
        let most = self.limit.saturating_add(1).saturating_sub(to.len());
        let wish = to.len().max(part.saturating_mul(4)).max(STEP);
        if most == 0 {
            return Err(FrameErrorKind::Inflated { limit: self.limit });
        }
        to.reserve_exact(wish.min(most));
        Ok(())
    }
}
