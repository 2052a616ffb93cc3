use super::header::QUEUE_LIMIT;

/// What a peer's stream may cost; over any of these it is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FrameLimits {
    /// Bytes of a plain packet, its header included. The format itself ends at 16,384.
    pub packet: usize,
    /// Bytes of a chunk on the wire, its header included. No server sends more than about
    /// 262,250.
    pub chunk: usize,
    /// Bytes that a chunk may inflate to, those of chunks within it included.
    pub inflated: usize,
    /// How many times its size a chunk may inflate to, beyond the 262,144 bytes that may wait at
    /// its sender. Freeciv itself gives up at 400.
    pub ratio: usize,
    /// How deep chunks may be nested: 1 is a chunk that holds packets, 2 one that holds chunks.
    /// No server nests them.
    pub depth: usize,
}

impl FrameLimits {
    /// No chunk in a chunk, 4 MiB of packets in a chunk of 1 MiB.
    pub const DEFAULT: Self =
        Self { packet: 16_384, chunk: 1 << 20, inflated: 4 << 20, ratio: 400, depth: 1 };

    /// What a chunk of so many bytes of zlib may inflate to.
    pub(super) fn inflated_from(&self, compressed: usize) -> usize {
        self.inflated.min(self.ratio.saturating_mul(compressed).max(QUEUE_LIMIT))
    }
}

impl Default for FrameLimits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
