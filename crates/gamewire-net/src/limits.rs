//! Every bound of a driver, in one place.

use core::time::Duration;

/// Number of received datagrams after which an update sends output before it reads more. The last read of the socket
/// may exceed this number.
pub const RECEIVED_PER_TURN: usize = 1_024;

/// Time after which an update stops reading, so that a flood of datagrams cannot block it. An update reads at least
/// once.
pub const RECEIVE_TIME: Duration = Duration::from_millis(50);

/// Time after which an unfired timer is overdue, because the program did not run. The driver then reads the sockets before
/// it fires the timer: the waiting data may contain the heartbeats of peers that would otherwise time out.
pub const OVERDUE: Duration = Duration::from_millis(100);

/// Maximum number of bytes that wait while the socket's send buffer is full.
pub const MAX_QUEUED_BYTES: usize = 1 << 20;

/// Maximum number of datagrams that wait while the socket's send buffer is full.
pub const MAX_QUEUED_DATAGRAMS: usize = 16_384;

/// Number of queued bytes at which a driver passes them to the socket without waiting for the end of the turn.
pub const GATHERED_BYTES: usize = 64 << 10;

/// Delay before sending is tried again after the send buffer was full.
pub const RETRY_AFTER: Duration = Duration::from_millis(1);

/// Maximum bytes of each datagram in a batch. A longer one might exceed the MTU of a link, and then the system rejects
/// the whole batch.
pub const MAX_SEGMENT_BYTES: usize = 1_400;

/// Minimum number of datagrams of equal length that are passed to the system as one, by segmentation offload. A capture
/// on the sending machine shows them as one frame. Games do not send that many datagrams to a peer at a time. A program
/// that does so gains more from the offload than it loses.
pub const MIN_SEGMENTS: usize = 16;

/// Maximum bytes of payload of a batch.
pub const MAX_BATCH_BYTES: usize = 60_000;

/// Number of consecutive failures to receive after which the socket counts as broken.
pub const FAILURES_IN_A_ROW: u32 = 32;

/// Requested bytes of the receive buffer. The system may grant less.
pub const RECEIVE_BUFFER: usize = 4 << 20;

/// Maximum bytes of a received datagram: the maximum of UDP.
pub const MAX_DATAGRAM_BYTES: usize = 65_535;

/// Delay before a TCP stream without a route is opened again.
pub const UNREACHABLE_RETRY: Duration = Duration::from_millis(250);

/// Maximum time of one wait, because not every system can wait longer.
pub const MAX_WAIT: Duration = Duration::from_secs(24 * 60 * 60);

/// Maximum number of streams, including those that are closing.
pub const MAX_STREAMS: usize = 4_096;

/// Maximum number of streams that are accepted before the machine is pumped.
pub const MAX_ACCEPTED_PER_TURN: usize = 32;

/// Delay before accepting is tried again after a failure.
pub const ACCEPT_BACKOFF: Duration = Duration::from_millis(100);

/// Requested length of the system's queue of unaccepted streams. The system may grant less.
pub const BACKLOG: i32 = 1_024;

/// Maximum number of bytes that are read from a stream before the next stream is read.
pub const MAX_STREAM_READ_BYTES: usize = 16 << 10;

/// Maximum number of streams that are read before the machine is pumped.
pub const MAX_STREAMS_READ_PER_TURN: usize = 32;

/// Number of stream bytes that count as one datagram towards [`RECEIVED_PER_TURN`].
pub const BYTES_PER_DATAGRAM: usize = 1_024;

/// Maximum time of the handshake of TLS.
#[cfg(feature = "tls")]
pub const TLS_HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(10);

/// Maximum number of reads from the socket of a stream with TLS before the next stream is read. Each takes at most 16 KiB.
#[cfg(feature = "tls")]
pub const MAX_TLS_READS: usize = 4;

/// Maximum number of unsent bytes of a stream. A slower reader is disconnected.
pub const MAX_STREAM_QUEUED_BYTES: usize = 1 << 20;

/// Number of unsent bytes of all streams together, above which each stream may have at most [`GATHERED_BYTES`].
pub const STREAMS_QUEUED_BYTES: usize = 64 << 20;

/// Maximum time from closing a stream until it is removed. In this time its unsent bytes are delivered and the peer
/// can close it as well.
pub const CLOSING: Duration = Duration::from_secs(3);

/// Maximum time that a dropped blocking driver waits for peers to read.
pub const DRAIN_TIMEOUT: Duration = Duration::from_millis(100);

/// Interval at which a busy driver, which never waits, polls its streams.
pub const POLL_INTERVAL: Duration = Duration::from_millis(1);
