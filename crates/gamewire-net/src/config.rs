use core::fmt;

use crate::{Conditions, Direction, Tap};

/// The transports of a listening driver.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Transports {
    /// Datagrams only.
    Udp,
    /// Streams only.
    Tcp,
    /// Both, on the same port.
    #[default]
    UdpAndTcp,
}

/// Configuration of a driver. The default has no tap, no impairment and the default limits.
#[derive(Debug, Default)]
pub struct DriverConfig {
    pub(crate) tap: Option<Box<dyn Tap + Send>>,
    pub(crate) incoming: Option<Conditions>,
    pub(crate) outgoing: Option<Conditions>,
    pub(crate) seed: u64,
    pub(crate) receive_buffer: Option<usize>,
    pub(crate) send_buffer: Option<usize>,
    pub(crate) max_streams: Option<usize>,
    pub(crate) stream_send_buffer: Option<usize>,
}

impl DriverConfig {
    /// Shows every datagram that crosses the socket, and every run of bytes of streams, to `tap`.
    #[must_use]
    pub fn tap(mut self, tap: impl Tap + Send + 'static) -> Self {
        self.tap = Some(Box::new(tap));
        self
    }

    /// Sets the link conditions for datagrams in one direction.
    #[must_use]
    pub const fn conditions(mut self, direction: Direction, conditions: Conditions) -> Self {
        match direction {
            Direction::Incoming => self.incoming = Some(conditions),
            Direction::Outgoing => self.outgoing = Some(conditions),
        }
        self
    }

    /// Sets the link conditions for datagrams in both directions.
    #[must_use]
    pub const fn impair(self, conditions: Conditions) -> Self {
        self.conditions(Direction::Incoming, conditions).conditions(Direction::Outgoing, conditions)
    }

    /// Sets the seed of the link conditions. Equal seeds give equal losses and delays.
    #[must_use]
    pub const fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Requests a receive buffer for datagrams of `bytes` bytes, instead of
    /// [`RECEIVE_BUFFER`](crate::limits::RECEIVE_BUFFER). It may grant less.
    #[must_use]
    pub const fn receive_buffer(mut self, bytes: usize) -> Self {
        self.receive_buffer = Some(bytes);
        self
    }

    /// Requests a send buffer for datagrams of `bytes` bytes. The system may grant less.
    #[must_use]
    pub const fn send_buffer(mut self, bytes: usize) -> Self {
        self.send_buffer = Some(bytes);
        self
    }

    /// Sets the maximum number of open streams, instead of
    /// [`STREAMS`](crate::limits::STREAMS). Those beyond wait with the system until others end.
    #[must_use]
    pub const fn max_streams(mut self, count: usize) -> Self {
        self.max_streams = Some(count);
        self
    }

    /// Sets the maximum number of unsent bytes of a stream, instead of
    /// [`STREAM_QUEUED_BYTES`](crate::limits::STREAM_QUEUED_BYTES). Beyond that the stream ends.
    #[must_use]
    pub const fn stream_send_buffer(mut self, bytes: usize) -> Self {
        self.stream_send_buffer = Some(bytes);
        self
    }
}

impl fmt::Debug for dyn Tap + Send {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Tap")
    }
}
