use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::Shutdown;

use gamewire_machine::{Instant, Role};
use mio::net::TcpStream;

use super::config::MAX_STREAM_WAITING;
use super::sockets;

/// The two streams of a client.
pub(super) struct Streams {
    pub(super) client: StreamEnd,
    pub(super) server: StreamEnd,
    /// The side that ended its stream first, and the time.
    pub(super) ended: Option<(Role, Instant)>,
}

/// A stream and its queued bytes.
pub(super) struct StreamEnd {
    pub(super) stream: TcpStream,
    /// Bytes to write. The first `written` bytes are already written.
    waiting: Vec<u8>,
    written: usize,
    /// False until the connection attempt has succeeded.
    is_connected: bool,
    /// True if the peer has closed its direction.
    pub(super) has_ended: bool,
    /// True if the proxy has closed its direction, or can no longer write.
    is_finished: bool,
}

/// The outcome of a read.
pub(super) enum ReadOutcome {
    Bytes(usize),
    /// No data is available now.
    Nothing,
    End,
}

impl Streams {
    pub(super) const fn end(&mut self, side: Role) -> &mut StreamEnd {
        match side {
            Role::Client => &mut self.client,
            Role::Server => &mut self.server,
        }
    }

    /// Records the end of the stream of `side`.
    pub(super) fn note_end(&mut self, now: Instant, side: Role) {
        self.end(side).has_ended = true;
        self.ended.get_or_insert((side, now));
    }

    /// If the source of a stream has ended, closes the proxy's direction of the stream when the queued bytes are written. Returns
    /// whether both streams are done.
    pub(super) fn pass_on_ends(&mut self) -> bool {
        for side in Role::BOTH {
            if self.end(side).has_ended {
                self.end(side.other()).finish();
            }
        }
        let is_done = |end: &StreamEnd| end.has_ended && end.is_finished;
        is_done(&self.client) && is_done(&self.server)
    }
}

impl StreamEnd {
    pub(super) const fn new(stream: TcpStream, is_connected: bool) -> Self {
        Self { stream, waiting: Vec::new(), written: 0, is_connected, has_ended: false, is_finished: false }
    }

    /// Returns whether the queue has space. Without space, the proxy does not read the other stream.
    pub(super) const fn has_room(&self) -> bool {
        self.waiting.len().saturating_sub(self.written) < MAX_STREAM_WAITING
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        if !self.is_finished {
            self.waiting.extend_from_slice(bytes);
        }
    }

    /// Writes as many queued bytes as the system accepts.
    ///
    /// # Errors
    /// The error of the connection attempt if it failed.
    pub(super) fn write(&mut self) -> io::Result<()> {
        if !self.is_connected {
            self.is_connected = sockets::connected(&self.stream)?;
        }
        while self.is_connected && self.written < self.waiting.len() {
            let rest = self.waiting.get(self.written..).unwrap_or_default();
            match self.stream.write(rest) {
                Ok(count) => self.written = self.written.saturating_add(count),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => break,
                // The peer has closed the connection. The next read reports this.
                Err(_) => {
                    self.is_finished = true;
                    self.written = self.waiting.len();
                }
            }
        }
        if self.written >= self.waiting.len() {
            self.waiting.clear();
            self.written = 0;
        } else if self.written > MAX_STREAM_WAITING {
            self.waiting.drain(..self.written);
            self.written = 0;
        }
        Ok(())
    }

    pub(super) fn read(&mut self, buffer: &mut [u8]) -> ReadOutcome {
        if self.has_ended || !self.is_connected {
            return ReadOutcome::Nothing;
        }
        loop {
            return match self.stream.read(buffer) {
                Ok(0) => ReadOutcome::End,
                Ok(count) => {
                    #[cfg(target_os = "linux")]
                    // A peer that uses Nagle's algorithm waits for the ack. A failure only adds delay.
                    let _ = rustix::net::sockopt::set_tcp_quickack(&self.stream, true);
                    ReadOutcome::Bytes(count)
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) if error.kind() == ErrorKind::WouldBlock => ReadOutcome::Nothing,
                Err(_) => ReadOutcome::End,
            };
        }
    }

    /// Closes the proxy's direction if no bytes are queued.
    fn finish(&mut self) {
        if !self.is_finished && self.is_connected && self.waiting.is_empty() {
            self.is_finished = true;
            // A failure means that the peer has already closed the connection.
            let _ = self.stream.shutdown(Shutdown::Write);
        }
    }
}
