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
pub const MAX_WAIT: Duration = Duration::from_secs(24 * 60 * 60);

/// How many streams a driver has at once at most, those that are being closed included.
pub const STREAMS: usize = 4_096;

/// How many streams are accepted before the machine is turned.
pub const ACCEPTED_PER_TURN: usize = 32;

/// When accepting is tried again after the system failed to.
pub const ACCEPT_BACKOFF: Duration = Duration::from_millis(100);

/// So many streams that are not accepted yet wait with the system; it may grant less.
pub const BACKLOG: i32 = 1_024;

/// How many bytes are read from a stream before it is another's turn.
pub const STREAM_READ_BYTES: usize = 16 << 10;

/// How many streams are read before the machine is turned.
pub const STREAMS_READ_PER_TURN: usize = 32;

/// So many bytes of streams count as one datagram towards [`RECEIVED_PER_UPDATE`].
pub const BYTES_PER_DATAGRAM: usize = 1_024;

/// How many bytes wait for the peer of a stream to read at most; over it the stream ends.
pub const STREAM_QUEUED_BYTES: usize = 1 << 20;

/// Once so many bytes wait for all streams together, a stream may not have more than
/// [`GATHERED_BYTES`] waiting.
pub const STREAMS_QUEUED_BYTES: usize = 64 << 20;

/// So long a stream that was closed may take to take what was written before, and its peer to
/// close it as well.
pub const CLOSING: Duration = Duration::from_secs(3);

/// So long a blocking driver that is dropped waits at most for peers to take what was written.
pub const DRAIN_TIMEOUT: Duration = Duration::from_millis(100);

/// After so long without a wait a busy host looks for streams that have something to say.
pub const POLL_INTERVAL: Duration = Duration::from_millis(1);
