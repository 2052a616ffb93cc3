//! Inflates chunks.

use flate2::{Decompress, FlushDecompress, Status};

use super::error::FrameErrorKind;

/// Minimum bytes that a buffer grows by.
const STEP: usize = 4096;
/// Pieces of a chunk are collected up to this many bytes, because zlib copies its window for each piece.
const PIECE: usize = 32 * 1024;

/// Inflates one chunk after another and keeps its tables between them.
#[derive(Debug)]
pub(super) struct Inflater {
    zlib: Decompress,
    /// Bytes that are not inflated yet.
    waiting: Vec<u8>,
    /// Bytes of the chunk that have not come yet.
    left: usize,
    /// Maximum inflated bytes.
    limit: usize,
    /// True if the zlib stream has ended.
    ended: bool,
}

/// An inflated chunk.
#[derive(Debug, Default)]
pub(super) struct OpenChunk {
    pub(super) bytes: Vec<u8>,
    pub(super) at: usize,
}

impl Inflater {
    /// Creates an inflater for a chunk with `compressed` bytes of zlib.
    pub(super) fn new(compressed: usize, limit: usize) -> Self {
        let (zlib, waiting) = (Decompress::new(true), Vec::new());
        Self { zlib, waiting, left: compressed, limit, ended: false }
    }

    /// Starts the next chunk.
    fn restart(&mut self, compressed: usize, limit: usize) {
        self.zlib.reset(true);
        self.waiting.clear();
        (self.left, self.limit, self.ended) = (compressed, limit, false);
    }

    /// Returns the bytes of the chunk that have not come yet.
    pub(super) const fn left(&self) -> usize {
        self.left
    }

    /// Inflates a part of the chunk to the end of `to`, up to one byte over the limit. Returns whether the chunk is
    /// complete.
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
            let is_stuck = taken == 0 && to.len() == made;
            // With free capacity left, zlib has used up its input.
            if !self.ended && part.is_empty() && (is_stuck || to.len() < to.capacity()) {
                break;
            }
            if is_stuck && !self.ended {
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

    /// Reserves capacity for what `part` bytes may inflate to, at most one byte over the limit, which shows that it
    /// is exceeded.
    fn reserve(&self, part: usize, to: &mut Vec<u8>) -> Result<(), FrameErrorKind> {
        if to.len() < to.capacity() {
            return Ok(());
        }
        let max = self.limit.saturating_add(1).saturating_sub(to.len());
        let wish = to.len().max(part.saturating_mul(4)).max(STEP);
        if max == 0 {
            return Err(FrameErrorKind::Inflated { limit: self.limit });
        }
        to.reserve_exact(wish.min(max));
        Ok(())
    }
}

/// Starts a chunk with the inflater of the last one, or with a new one.
pub(super) fn start_chunk(inflater: &mut Option<Inflater>, compressed: usize, limit: usize) {
    match inflater {
        Some(inflater) => inflater.restart(compressed, limit),
        None => *inflater = Some(Inflater::new(compressed, limit)),
    }
}
