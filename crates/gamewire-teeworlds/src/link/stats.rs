use core::time::Duration;

/// Counters of a connection. Rejected datagrams are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LinkStats {
    /// Received datagrams.
    pub datagrams_in: u64,
    /// Sent datagrams.
    pub datagrams_out: u64,
    /// Bytes of received datagrams.
    pub bytes_in: u64,
    /// Bytes of sent datagrams.
    pub bytes_out: u64,
    /// New vital messages received.
    pub vital_in: u64,
    /// Vital messages sent, without resends.
    pub vital_out: u64,
    /// Vital messages received again.
    pub repeated: u64,
    /// Vital messages received while an earlier one was missing.
    pub gaps: u64,
    /// Vital messages resent.
    pub resent: u64,
    /// Resend requests received.
    pub resend_requests_in: u64,
    /// Resend requests sent.
    pub resend_requests_out: u64,
    /// Smoothed time from a vital message to its acknowledgement, after the first acknowledgement.
    pub round_trip: Option<Duration>,
}
