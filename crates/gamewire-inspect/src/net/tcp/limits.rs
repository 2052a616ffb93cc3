//! How much a reassembler keeps.

/// The limits of a [`Reassembler`](super::Reassembler). All sizes are in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReassemblyLimits {
    /// How many connections are followed at once. At least 1.
    pub connections: usize,
    /// How much one direction of a connection may buffer behind a hole, each segment counted with
    /// [`Limits::SEGMENT_OVERHEAD`].
    pub per_direction: usize,
    /// How much all of them may buffer together.
    pub total: usize,
    /// How long a hole may stop a direction, in nanoseconds of capture time. It is noticed with the next
    /// segment of that direction.
    pub gap_timeout_ns: u64,
}

impl ReassemblyLimits {
    /// What a buffered segment counts beside its bytes: its place in the tables.
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
