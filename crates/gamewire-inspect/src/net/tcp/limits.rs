//! Limits of TCP reassembly.

/// The limits of a [`Reassembler`](super::Reassembler). All sizes are in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReassemblyLimits {
    /// Maximum number of followed connections. At least 1.
    pub connections: usize,
    /// Maximum bytes that one direction of a connection buffers after missing bytes; each segment counts
    /// [`ReassemblyLimits::SEGMENT_OVERHEAD`] in addition.
    pub per_direction: usize,
    /// Maximum bytes that all connections buffer together.
    pub total: usize,
    /// Maximum time that a direction waits for missing bytes, in nanoseconds of capture time. It is checked at the
    /// next segment of that direction.
    pub gap_timeout_ns: u64,
}

impl ReassemblyLimits {
    /// Bytes that a buffered segment counts in addition to its data, for its table entries.
    pub const SEGMENT_OVERHEAD: usize = 64;
}

impl Default for ReassemblyLimits {
    /// 4096 connections, 1 MiB per direction, 64 MiB together, 10 seconds.
    fn default() -> Self {
        Self {
            connections: 4096,
            per_direction: 1024 * 1024,
            total: 64 * 1024 * 1024,
            gap_timeout_ns: 10_000_000_000,
        }
    }
}
