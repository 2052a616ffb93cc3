use core::time::Duration;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::time::Instant as Monotonic;

use gamewire_machine::{Instant, StreamId};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use crate::Direction;
use crate::layer::Layer;
use crate::limits::{GATHERED_BYTES, MAX_STREAM_READ_BYTES};
use crate::observer::Observer;
use crate::socket::{StdStream, StreamSocket};

/// The addresses of a stream.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StreamAddresses {
    /// Address of the listener that accepted the stream, or of the socket that opened it.
    pub(crate) local: SocketAddr,
    pub(crate) peer: SocketAddr,
}

/// One stream of a driver.
pub(crate) struct StreamSlot<C> {
    pub(crate) id: StreamId,
    pub(crate) addresses: StreamAddresses,
    pub(crate) pipe: BufferedStream<C>,
    pub(crate) state: StreamState,
    /// True if the stream is queued to be read.
    pub(crate) is_ready: bool,
    /// True if the stream is queued to be written.
    pub(crate) is_dirty: bool,
}

/// The state of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StreamState {
    Open,
    /// The machine or the peer closed the stream. Unsent bytes are still written.
    Flushing,
    /// The sending direction is shut down, and the peer has not closed the stream yet. Bytes from the peer are
    /// dropped. Closing the stream immediately would reset it if the peer is sending, and a reset can overtake the
    /// last bytes.
    Lingering,
    /// The stream is removed next.
    Gone,
}

impl<C: StreamSocket> StreamSlot<C> {
    pub(crate) const fn new(id: StreamId, addresses: StreamAddresses, connection: C, layer: Layer) -> Self {
        Self {
            id,
            addresses,
            pipe: BufferedStream::new(connection, layer),
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
            observer.streamed(now, Direction::Incoming, (self.id, self.addresses), bytes);
        }
        read
    }

    /// Writes as much as possible.
    pub(crate) fn write(&mut self, now: Instant, observer: &mut Observer) -> WriteOutcome {
        let stream = (self.id, self.addresses);
        self.pipe.write(|bytes| observer.streamed(now, Direction::Outgoing, stream, bytes))
    }

    /// Returns whether bytes of the peer must be read.
    pub(crate) const fn wants_read(&self) -> bool {
        matches!(self.state, StreamState::Open | StreamState::Lingering)
    }
}

/// A stream's socket and its unsent bytes.
pub(crate) struct BufferedStream<C> {
    pub(crate) connection: C,
    pub(crate) layer: Layer,
    queue: Vec<u8>,
    /// Number of written bytes at the front of `queue`.
    start: usize,
    /// True if the send buffer of the system is full. Writing must wait until the socket is writable.
    pub(crate) is_blocked: bool,
    /// True if writing failed. There may still be bytes to read.
    pub(crate) is_broken: bool,
}

/// The outcome of a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReadOutcome {
    /// This many bytes were read.
    Bytes(usize),
    Nothing,
    /// The peer ended the stream in an orderly way.
    End,
    Failure,
}

/// The outcome of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WriteOutcome {
    All,
    /// The send buffer is full.
    Blocked,
    Failure,
}

impl<C: StreamSocket> BufferedStream<C> {
    pub(crate) const fn new(connection: C, layer: Layer) -> Self {
        Self { connection, layer, queue: Vec::new(), start: 0, is_blocked: false, is_broken: false }
    }

    /// Returns the number of unsent bytes.
    pub(crate) const fn waiting(&self) -> usize {
        self.queue.len().saturating_sub(self.start)
    }

    /// Returns the queue to which bytes to write are appended.
    pub(crate) fn queue(&mut self) -> &mut Vec<u8> {
        if self.start >= GATHERED_BYTES {
            self.queue.drain(..self.start);
            self.start = 0;
        }
        &mut self.queue
    }

    /// Reads once.
    pub(crate) fn read(&mut self, buffer: &mut [u8]) -> ReadOutcome {
        loop {
            let read = self.layer.read(&mut self.connection, buffer);
            self.flush();
            return match read {
                Ok(0) if self.is_broken => ReadOutcome::Failure,
                Ok(0) => ReadOutcome::End,
                Ok(count) => ReadOutcome::Bytes(count),
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) if error.kind() == ErrorKind::WouldBlock && !self.is_broken => {
                    ReadOutcome::Nothing
                }
                Err(_) => ReadOutcome::Failure,
            };
        }
    }

    /// Writes as many unsent bytes as the system accepts. Calls `written` with the bytes of each write.
    pub(crate) fn write(&mut self, mut written: impl FnMut(&[u8])) -> WriteOutcome {
        // The bytes wait for the end of the handshake, after which the stream is queued to be written.
        if self.layer.is_handshaking() && (self.flush() || !self.is_broken) {
            return WriteOutcome::Blocked;
        }
        while !self.is_blocked && !self.is_broken {
            let rest = self.queue.get(self.start..).unwrap_or_default();
            if rest.is_empty() {
                if self.flush() {
                    self.forget();
                    return WriteOutcome::All;
                }
                continue;
            }
            match self.layer.write(&mut self.connection, rest) {
                Ok(count) if count > 0 => {
                    written(rest.get(..count).unwrap_or(rest));
                    self.start = self.start.saturating_add(count);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => self.is_blocked = true,
                Ok(_) | Err(_) => self.give_up(),
            }
        }
        if self.is_broken {
            self.forget();
            return WriteOutcome::Failure;
        }
        WriteOutcome::Blocked
    }

    /// Writes the bytes of the layer. Returns whether all were written.
    fn flush(&mut self) -> bool {
        loop {
            match self.layer.flush(&mut self.connection) {
                Ok(()) => return true,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) if error.kind() == ErrorKind::WouldBlock => self.is_blocked = true,
                Err(_) => self.give_up(),
            }
            return false;
        }
    }

    /// Shuts down the sending direction.
    pub(crate) fn finish(&mut self) {
        self.layer.finish(&mut self.connection);
    }

    /// Stops writing and drops the unsent bytes.
    pub(crate) fn give_up(&mut self) {
        self.is_broken = true;
        self.forget();
    }

    /// Drops the unsent bytes, and shrinks the queue if it is large.
    pub(crate) fn forget(&mut self) {
        self.start = 0;
        self.queue.clear();
        self.queue.shrink_to(GATHERED_BYTES);
    }

    /// Returns the stream without its runtime, or `None` if the stream is broken or cannot leave its runtime.
    pub(crate) fn into_std(self) -> Option<BufferedStream<StdStream>> {
        let Self { connection, layer, queue, start, is_broken, .. } = self;
        let connection = connection.into_std().filter(|_| !is_broken && !layer.is_handshaking())?;
        Some(BufferedStream { connection, layer, queue, start, is_blocked: false, is_broken })
    }
}

/// Writes the unsent bytes of streams after their driver was dropped, for at most `timeout`. Closes the streams.
pub(crate) fn drain_on_drop(mut pipes: Vec<BufferedStream<StdStream>>, timeout: Duration) {
    let begin = Monotonic::now();
    loop {
        pipes.retain_mut(|pipe| match pipe.write(|_| {}) {
            WriteOutcome::Blocked => true,
            WriteOutcome::All => {
                close(pipe);
                false
            }
            WriteOutcome::Failure => false,
        });
        let left = timeout.saturating_sub(begin.elapsed());
        if pipes.is_empty() || left.is_zero() || wait(&pipes, left).is_err() {
            return;
        }
        for pipe in &mut pipes {
            pipe.is_blocked = false;
        }
    }
}

/// Closes a stream. It first reads unread bytes, because they would make the system reset the stream, and a reset can
/// overtake the last bytes.
fn close(pipe: &mut BufferedStream<StdStream>) {
    pipe.finish();
    let mut nowhere = [0; 4 << 10];
    let mut read = 0_usize;
    while let ReadOutcome::Bytes(count) = pipe.read(&mut nowhere) {
        read = read.saturating_add(count);
        if read > MAX_STREAM_READ_BYTES {
            return;
        }
    }
}

fn wait(pipes: &[BufferedStream<StdStream>], timeout: Duration) -> io::Result<()> {
    let mut sockets: Vec<_> =
        pipes.iter().map(|pipe| PollFd::new(&pipe.connection.0, PollFlags::OUT)).collect();
    poll(&mut sockets, Timespec::try_from(timeout).ok().as_ref())?;
    Ok(())
}
