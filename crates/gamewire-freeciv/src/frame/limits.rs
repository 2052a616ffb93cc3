use super::header::QUEUE_LIMIT;

/// Limits of a peer's stream. Exceeding one is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameLimits {
    /// Maximum bytes of a plain packet, header included. The format allows 16,384.
    pub packet: usize,
    /// Maximum bytes of a chunk on the wire, header included. No server sends more than about 262,250.
    pub chunk: usize,
    /// Maximum bytes that a chunk inflates to, nested chunks included.
    pub inflated: usize,
    /// Maximum factor by which a chunk inflates, beyond the 262,144 bytes that a sender collects. Freeciv gives up at
    /// 400.
    pub ratio: usize,
    /// Maximum depth of chunks: 1 is a chunk that holds packets, 2 one that holds chunks. No server nests them.
    pub depth: usize,
}

impl FrameLimits {
    /// No nested chunks, and chunks of at most 1 MiB that inflate to at most 4 MiB.
    pub const DEFAULT: Self =
        Self { packet: 16_384, chunk: 1 << 20, inflated: 4 << 20, ratio: 400, depth: 1 };

    /// Returns the bytes to which a chunk with `compressed` bytes of zlib may inflate.
    pub(super) fn inflated_from(&self, compressed: usize) -> usize {
        self.inflated.min(self.ratio.saturating_mul(compressed).max(QUEUE_LIMIT))
    }
}

impl Default for FrameLimits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
