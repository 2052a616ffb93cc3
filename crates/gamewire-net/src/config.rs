use core::fmt;

use crate::{Conditions, Direction, Tap};

/// What a host is reached by.
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

/// What a driver is to do beside driving. The default: nothing.
#[derive(Default)]
pub struct DriverConfig {
    pub(crate) tap: Option<Box<dyn Tap + Send>>,
    pub(crate) incoming: Option<Conditions>,
    pub(crate) outgoing: Option<Conditions>,
    pub(crate) seed: u64,
    pub(crate) receive_buffer: Option<usize>,
    pub(crate) send_buffer: Option<usize>,
    pub(crate) most_streams: Option<usize>,
    pub(crate) stream_queue: Option<usize>,
}

impl DriverConfig {
    /// Shows every datagram that crosses the socket, and every run of bytes of streams, to `tap`.
    #[must_use]
    pub fn tap(mut self, tap: impl Tap + Send + 'static) -> Self {
        self.tap = Some(Box::new(tap));
        self
    }

    /// Makes the link bad for datagrams in one direction.
    #[must_use]
    pub const fn conditions(mut self, direction: Direction, conditions: Conditions) -> Self {
        match direction {
            Direction::Incoming => self.incoming = Some(conditions),
            Direction::Outgoing => self.outgoing = Some(conditions),
        }
        self
    }

    /// What the chances of bad conditions are drawn from. Equal seeds draw equally.
    #[must_use]
    pub const fn seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Asks the system for a receive buffer for datagrams of so many bytes, instead of
    /// [`RECEIVE_BUFFER`](crate::limits::RECEIVE_BUFFER). It may grant less.
    #[must_use]
    pub const fn receive_buffer(mut self, bytes: usize) -> Self {
        self.receive_buffer = Some(bytes);
        self
    }

    /// Asks the system for a send buffer for datagrams of so many bytes. It may grant less.
    #[must_use]
    pub const fn send_buffer(mut self, bytes: usize) -> Self {
        self.send_buffer = Some(bytes);
        self
    }

    /// Has so many streams at once at most, instead of
    /// [`STREAMS`](crate::limits::STREAMS). Those beyond wait with the system until others end.
    #[must_use]
    pub const fn max_streams(mut self, count: usize) -> Self {
        self.most_streams = Some(count);
        self
    }

    /// Lets so many bytes wait for a stream's peer to read, instead of
    /// [`STREAM_QUEUED_BYTES`](crate::limits::STREAM_QUEUED_BYTES). Beyond that the stream ends.
    #[must_use]
    pub const fn stream_send_buffer(mut self, bytes: usize) -> Self {
        self.stream_queue = Some(bytes);
        self
    }
}

impl fmt::Debug for DriverConfig {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { tap, incoming, outgoing, seed, receive_buffer, send_buffer, most_streams, stream_queue } =
            self;
        formatter
            .debug_struct("Settings")
            .field("tap", &tap.is_some())
            .field("incoming", incoming)
            .field("outgoing", outgoing)
            .field("seed", seed)
            .field("receive_buffer", receive_buffer)
            .field("send_buffer", send_buffer)
            .field("most_streams", most_streams)
            .field("stream_queue", stream_queue)
            .finish()
    }
}
