use core::time::Duration;

/// What a connection has counted so far; rejected datagrams are in none of these.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkStats {
    /// Datagrams that arrived.
    pub datagrams_in: u64,
    /// Datagrams that were sent.
    pub datagrams_out: u64,
    /// Bytes of those that arrived.
    pub bytes_in: u64,
    /// Bytes of those that were sent.
    pub bytes_out: u64,
    /// New vital messages that arrived.
    pub vital_in: u64,
    /// Vital messages that were sent, each counted once.
    pub vital_out: u64,
    /// Vital messages that arrived and were not new.
    pub repeated: u64,
    /// Vital messages that arrived before one that comes before them.
    pub gaps: u64,
    /// How often a vital message was sent again.
    pub resent: u64,
    /// Packets that asked us to send again.
    pub resend_requests_in: u64,
    /// Packets by which we asked the peer to send again.
    pub resend_requests_out: u64,
    /// The smoothed time between a vital message and its acknowledgement, once there was one.
    pub round_trip: Option<Duration>,
}
