use super::TimingStats;
use crate::link::LinkStats;
use crate::shared::snapshot::SnapshotStats as SnapshotCounts;

/// What a client has counted so far, over all its connections.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ClientStats {
    /// The connection's own numbers: those of the present one, or of the last.
    pub link: LinkStats,
    /// How snapshots fared.
    pub snapshots: SnapshotCounts,
    /// How well inputs arrive.
    pub timing: TimingStats,
    /// Inputs that were sent.
    pub inputs: u64,
    /// Messages that cannot be read.
    pub undecodable: u64,
    /// Messages that do not belong where the session stands, or were not sent as they must be.
    pub unexpected: u64,
    /// Pieces of a map that nobody waits for: of another one, or out of turn.
    pub stray_map_chunks: u64,
    /// Messages of the login or answers that the connection did not take.
    pub send_failures: u64,
    /// Events that nobody polled in time.
    pub dropped_events: u64,
    /// Datagrams that nobody polled in time.
    pub dropped_datagrams: u64,
}
