use std::net::SocketAddr;

use gamewire_machine::{Instant, StreamId};

use crate::Direction;
use crate::buffered_stream::{BufferedStream, ReadOutcome, WriteOutcome};
use crate::observer::Observer;
use crate::socket::StreamSocket;

/// One stream of many.
pub(crate) struct StreamSlot<C> {
    pub(crate) id: StreamId,
    pub(crate) peer: SocketAddr,
    pub(crate) pipe: BufferedStream<C>,
    pub(crate) state: StreamState,
    /// Whether it waits for its turn to be read.
    pub(crate) is_ready: bool,
    /// Whether it waits for its turn to be written.
    pub(crate) is_dirty: bool,
}

/// The state of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StreamState {
    Open,
    /// The machine closed it; unsent bytes are still written.
    Flushing,
    /// The sending direction is shut down, and the peer has not closed yet. Its bytes are dropped. Closing immediately would
    /// reset the stream if the peer is sending, and a reset can overtake the last bytes.
    Lingering,
    /// It is removed next.
    Gone,
}

impl<C: StreamSocket> StreamSlot<C> {
    pub(crate) const fn new(id: StreamId, peer: SocketAddr, connection: C) -> Self {
        Self {
            id,
            peer,
            pipe: BufferedStream::new(connection),
            state: StreamState::Open,
            is_ready: false,
            is_dirty: false,
        }
    }

    /// Reads once.
    pub(crate) fn read(&mut self, now: Instant, buffer: &mut [u8], observer: &mut Observer) -> ReadOutcome {
        let read = self.pipe.read(buffer);
        if let ReadOutcome::Bytes(count) = read {
            let bytes = buffer.get(..count).unwrap_or_default();
            observer.streamed(now, Direction::Incoming, (self.id, self.peer), bytes);
        }
        read
    }

    /// Writes as much as possible.
    pub(crate) fn write(&mut self, now: Instant, observer: &mut Observer) -> WriteOutcome {
        let stream = (self.id, self.peer);
        self.pipe.write(|bytes| observer.streamed(now, Direction::Outgoing, stream, bytes))
    }

    /// Returns whether the peer's bytes are read.
    pub(crate) const fn wants_read(&self) -> bool {
        matches!(self.state, StreamState::Open | StreamState::Lingering)
    }
}
