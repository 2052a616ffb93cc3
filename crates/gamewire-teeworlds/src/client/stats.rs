use super::TimingStats;
use crate::link::LinkStats;
use crate::shared::snapshot::SnapshotStats;

/// Counters of a client over all its connections.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClientStats {
    /// Counters of the current connection, or of the last one.
    pub link: LinkStats,
    /// Counters of received snapshots.
    pub snapshots: SnapshotStats,
    /// The timing of inputs.
    pub timing: TimingStats,
    /// Inputs sent.
    pub inputs: u64,
    /// Messages that could not be decoded.
    pub undecodable: u64,
    /// Messages that are not valid in the state of the session, or that were not sent as vital although they must be.
    pub unexpected: u64,
    /// Map chunks that were not requested or are out of order.
    pub stray_map_chunks: u64,
    /// Messages of the login and automatic replies that the connection did not accept.
    pub send_failures: u64,
    /// Events lost because the application did not poll them in time.
    pub dropped_events: u64,
    /// Datagrams lost because the driver did not poll them in time.
    pub dropped_datagrams: u64,
}
