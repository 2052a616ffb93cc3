use std::io::ErrorKind;

use crate::limits::GATHERED_BYTES;
use crate::socket::StdStream;
use crate::socket::StreamSocket;

/// A stream's socket and its unsent bytes.
pub(crate) struct BufferedStream<C> {
    pub(crate) connection: C,
    queue: Vec<u8>,
    /// Number of bytes at the front of `queue` that are written.
    start: usize,
    /// The send buffer of the system is full: wait until the socket is writable.
    pub(crate) is_blocked: bool,
    /// Writing failed. There may still be bytes to read.
    pub(crate) is_broken: bool,
}

/// The outcome of a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReadOutcome {
    /// This many bytes.
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
    pub(crate) const fn new(connection: C) -> Self {
        Self { connection, queue: Vec::new(), start: 0, is_blocked: false, is_broken: false }
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
            return match self.connection.read(buffer) {
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

    /// Writes as many unsent bytes as the system takes, and passes those to `written`.
    pub(crate) fn write(&mut self, mut written: impl FnMut(&[u8])) -> WriteOutcome {
        while !self.is_blocked && !self.is_broken {
            let rest = self.queue.get(self.start..).unwrap_or_default();
            if rest.is_empty() {
                self.forget();
                return WriteOutcome::All;
            }
            match self.connection.write(rest) {
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

    /// Returns the stream without its runtime, or `None` if it is lost or broken.
    pub(crate) fn into_std(self) -> Option<BufferedStream<StdStream>> {
        let Self { connection, queue, start, is_broken, .. } = self;
        let connection = connection.into_std().filter(|_| !is_broken)?;
        Some(BufferedStream { connection, queue, start, is_blocked: false, is_broken })
    }
}
