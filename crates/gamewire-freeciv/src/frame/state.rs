//! Where a splitter stands.

use super::error::FrameError;

#[derive(Clone, Copy, Debug)]
pub(super) enum SplitterState {
    /// Within the header of a frame, or before it.
    Header,
    /// Within a packet of so many bytes.
    Packet(usize),
    /// Behind a packet that was lent from `part`.
    Lent,
    /// Within a chunk.
    Chunk,
    /// Behind an error.
    Failed(FrameError),
}

/// What a chunk inflated to, and how much of that is used.
#[derive(Debug, Default)]
pub(super) struct OpenChunk {
    pub(super) bytes: Vec<u8>,
    pub(super) at: usize,
}

/// Where the bytes of the next packet are.
pub(super) enum PacketSource<'d> {
    /// In what was read.
    Read(&'d [u8]),
    /// In `part`.
    Part,
    /// In the innermost chunk, from one byte up to another.
    Chunk(usize, usize),
}
