use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::Shutdown;

use gamewire_machine::Instant;
use mio::net::TcpStream;

use super::config::STREAM_WAITING;
use super::sockets;
use crate::Side;

/// The two streams of a client.
pub(super) struct Streams {
    pub(super) client: StreamEnd,
    pub(super) server: StreamEnd,
    /// When the first of both ended.
    pub(super) ended: Option<(Side, Instant)>,
}

/// A stream and what waits for it.
pub(super) struct StreamEnd {
    pub(super) stream: TcpStream,
    /// Bytes to write, from `written` on.
    waiting: Vec<u8>,
    written: usize,
    /// False during a connection attempt.
    is_connected: bool,
    /// The peer has ended its direction.
    pub(super) has_ended: bool,
    /// Our direction is ended, or cannot be used any more.
    is_finished: bool,
}

/// The outcome of a read.
pub(super) enum ReadOutcome {
    Bytes(usize),
    /// There is nothing to read now.
    Nothing,
    End,
}

impl Streams {
    pub(super) const fn end(&mut self, side: Side) -> &mut StreamEnd {
        match side {
            Side::Client => &mut self.client,
            Side::Server => &mut self.server,
        }
    }

    /// Notes that the stream of `side` has ended.
    pub(super) fn note_end(&mut self, now: Instant, side: Side) {
        self.end(side).has_ended = true;
        self.ended.get_or_insert((side, now));
    }

    /// Ends our directions whose source has ended, once everything is written. Returns whether both streams are done.
    pub(super) fn pass_on_ends(&mut self) -> bool {
        for side in Side::BOTH {
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

    /// Returns whether more may be written: otherwise the other side is not read.
    pub(super) const fn has_room(&self) -> bool {
        self.waiting.len().saturating_sub(self.written) < STREAM_WAITING
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        if !self.is_finished {
            self.waiting.extend_from_slice(bytes);
        }
    }

    /// Writes what waits, as far as the system takes it.
    ///
    /// # Errors
    /// The connection attempt failed.
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
                // The peer is gone, which reading will show.
                Err(_) => {
                    self.is_finished = true;
                    self.written = self.waiting.len();
                }
            }
        }
        if self.written >= self.waiting.len() {
            self.waiting.clear();
            self.written = 0;
        } else if self.written > STREAM_WAITING {
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
                    // A peer with Nagle's algorithm waits for the ack. It matters only for delays.
                    let _ = rustix::net::sockopt::set_tcp_quickack(&self.stream, true);
                    ReadOutcome::Bytes(count)
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) if error.kind() == ErrorKind::WouldBlock => ReadOutcome::Nothing,
                Err(_) => ReadOutcome::End,
            };
        }
    }

    /// Ends our direction if nothing waits.
    fn finish(&mut self) {
        if !self.is_finished && self.is_connected && self.waiting.is_empty() {
            self.is_finished = true;
            // A failure means that the peer is gone.
            let _ = self.stream.shutdown(Shutdown::Write);
        }
    }
}
