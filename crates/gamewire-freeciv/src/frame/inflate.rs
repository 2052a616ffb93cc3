//! Decompression of chunks.

use flate2::{Decompress, FlushDecompress, Status};

use super::error::FrameErrorKind;

/// Minimum growth of a buffer in bytes.
const MIN_GROWTH: usize = 4096;

/// An inflated chunk.
#[derive(Debug, Default)]
pub(super) struct OpenChunk {
    pub(super) bytes: Vec<u8>,
    /// Offset of the next packet.
    pub(super) at: usize,
}

impl OpenChunk {
    /// Replaces this chunk with the inflated bytes of `chunk`, up to one byte over the limit. The tables of `zlib` are
    /// reused.
    pub(super) fn inflate(
        &mut self,
        zlib: &mut Option<Decompress>,
        chunk: &[u8],
        limit: usize,
    ) -> Result<(), FrameErrorKind> {
        self.at = 0;
        self.bytes.clear();
        let zlib = zlib.get_or_insert_with(|| Decompress::new(true));
        zlib.reset(true);
        inflate(zlib, chunk, limit, &mut self.bytes)
    }
}

fn inflate(
    zlib: &mut Decompress,
    mut chunk: &[u8],
    limit: usize,
    to: &mut Vec<u8>,
) -> Result<(), FrameErrorKind> {
    loop {
        reserve(chunk.len(), limit, to)?;
        let (taken, made) = (zlib.total_in(), to.len());
        let status =
            zlib.decompress_vec(chunk, to, FlushDecompress::Finish).map_err(|_| FrameErrorKind::Corrupt)?;
        let taken = usize::try_from(zlib.total_in().saturating_sub(taken)).unwrap_or(usize::MAX);
        chunk = chunk.get(taken..).unwrap_or_default();
        if to.len() > limit {
            return Err(FrameErrorKind::Inflated { limit });
        }
        let is_stuck = taken == 0 && to.len() == made;
        match status {
            Status::StreamEnd if chunk.is_empty() => return Ok(()),
            Status::StreamEnd => return Err(FrameErrorKind::Trailing { bytes: chunk.len() }),
            // If capacity is left, zlib has consumed all of its input.
            _ if chunk.is_empty() && (is_stuck || to.len() < to.capacity()) => {
                return Err(FrameErrorKind::Truncated);
            }
            _ if is_stuck => return Err(FrameErrorKind::Corrupt),
            _ => {}
        }
    }
}

/// Reserves capacity for the bytes that `chunk` bytes may inflate to, but at most one byte over the limit. That byte
/// shows that the limit is exceeded.
fn reserve(chunk: usize, limit: usize, to: &mut Vec<u8>) -> Result<(), FrameErrorKind> {
    if to.len() < to.capacity() {
        return Ok(());
    }
    let max = limit.saturating_add(1).saturating_sub(to.len());
    if max == 0 {
        return Err(FrameErrorKind::Inflated { limit });
    }
    let wish = to.len().max(chunk.saturating_mul(4)).max(MIN_GROWTH);
    to.reserve_exact(wish.min(max));
    Ok(())
}
