//! Every bound of a driver, in one place.

use core::time::Duration;

/// After so many datagrams one call of `update` stops reading: the rest waits for the next one.
/// It may be overstepped by what one read of the socket brings.
pub const RECEIVED_PER_UPDATE: usize = 1_024;

/// How many bytes wait for the socket at most while its send buffer is full.
pub const QUEUED_BYTES: usize = 1 << 20;

/// How many datagrams wait for the socket at most.
pub const QUEUED_DATAGRAMS: usize = 16_384;

/// So many bytes to send are gathered before they are handed to the socket in between.
pub const GATHERED_BYTES: usize = 64 << 10;

/// When a full send buffer is tried again.
pub const RETRY_AFTER: Duration = Duration::from_millis(1);

/// The longest datagrams that are handed over as one run, in bytes. Longer ones might not fit a
/// link's MTU, and then a system refuses the whole run.
pub const SEGMENT_BYTES: usize = 1_400;

/// The longest run, in bytes of payload.
pub const RUN_BYTES: usize = 60_000;

/// So many failures in a row to receive, without a datagram or a quiet socket in between, are a
/// socket that no longer works.
pub const FAILURES_IN_A_ROW: u32 = 32;

/// The receive buffer that the system is asked for, in bytes; it may grant less.
pub const RECEIVE_BUFFER: usize = 2 << 20;

/// The longest datagram that is received, in bytes: the longest that UDP can carry.
pub const DATAGRAM_BYTES: usize = 65_535;

/// After so long a wait a driver looks at the time again: not every system can wait for longer.
pub const LONGEST_WAIT: Duration = Duration::from_secs(24 * 60 * 60);
