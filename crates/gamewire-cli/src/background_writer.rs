//! Writes the standard output of a server on a separate thread, so that a slow reader does not delay the players.

use std::collections::VecDeque;
use std::io::{self, Write as _};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Maximum bytes that wait for the reader. A burst of packets as JSON fits, even if the reader shares a busy processor.
const MAX_WAITING: usize = 32 << 20;
/// Maximum bytes per write.
const MAX_PIECE: usize = 64 << 10;
/// Maximum time without progress of the reader when the writer is dropped. After it, the unwritten lines are lost.
const FAREWELL: Duration = Duration::from_secs(5);

/// A thread that writes to standard output. Dropping it waits as long as the reader keeps reading.
#[derive(Debug)]
pub(crate) struct BackgroundWriter(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    waiting: VecDeque<Piece>,
    /// Bytes that are not written yet, including the piece that is being written.
    bytes: usize,
    /// Number of lines in the piece that is being written; `None` between two pieces.
    writing: Option<u64>,
    /// Number of lines that were dropped since the last line that was queued.
    unreported: u64,
    /// Number of lines that were dropped since the start.
    lost: u64,
    /// Number of completed writes, modulo 2^64.
    pieces: u64,
    /// The error that ended the thread.
    failed: Option<io::Error>,
}

/// Lines that are queued together.
#[derive(Debug, Default)]
struct Piece {
    bytes: Vec<u8>,
    lines: u64,
}

impl BackgroundWriter {
    pub(crate) fn start() -> Self {
        let shared = Arc::new(Shared::default());
        let writer = Arc::clone(&shared);
        thread::spawn(move || writer.write_all());
        Self(shared)
    }

    /// Queues a line for the thread. Returns false if there was no room and the line was dropped. Before the next line
    /// that is queued, the thread writes the result of `report`, which receives the number of dropped lines.
    ///
    /// # Errors
    /// The error of an earlier write.
    pub(crate) fn write(
        &self,
        line: &[u8],
        report: impl FnOnce(u64) -> io::Result<Vec<u8>>,
    ) -> io::Result<bool> {
        self.push(line, MAX_WAITING, report)
    }

    /// Queues the last line even if there is no room, and waits for the reader. Returns the number of lines that were
    /// not written.
    ///
    /// # Errors
    /// The error of this or an earlier write.
    pub(crate) fn write_last(
        &self,
        line: &[u8],
        report: impl FnOnce(u64) -> io::Result<Vec<u8>>,
    ) -> io::Result<u64> {
        self.push(line, usize::MAX, report)?;
        let mut state = self.0.wait_for_reader();
        state.failed.take().map_or_else(|| Ok(state.lines()), Err)
    }

    /// Returns the number of lines that were dropped because there was no room.
    pub(crate) fn lost(&self) -> u64 {
        self.0.lock().lost
    }

    fn push(
        &self,
        line: &[u8],
        max_bytes: usize,
        report: impl FnOnce(u64) -> io::Result<Vec<u8>>,
    ) -> io::Result<bool> {
        let mut state = self.0.lock();
        if let Some(error) = &state.failed {
            return Err(error.kind().into());
        }
        if state.bytes.saturating_add(line.len()) > max_bytes {
            state.unreported = state.unreported.saturating_add(1);
            state.lost = state.lost.saturating_add(1);
            return Ok(false);
        }
        if state.unreported > 0 {
            let text = report(core::mem::take(&mut state.unreported))?;
            state.add(&text);
        }
        state.add(line);
        drop(state);
        self.0.changed.notify_all();
        Ok(true)
    }
}

impl Drop for BackgroundWriter {
    fn drop(&mut self) {
        drop(self.0.wait_for_reader());
    }
}

impl State {
    fn is_busy(&self) -> bool {
        self.failed.is_none() && (self.writing.is_some() || !self.waiting.is_empty())
    }

    fn add(&mut self, line: &[u8]) {
        if line.is_empty() {
            return;
        }
        self.bytes = self.bytes.saturating_add(line.len());
        if self.waiting.back().is_none_or(|last| last.bytes.len() >= MAX_PIECE) {
            self.waiting.push_back(Piece::default());
        }
        if let Some(last) = self.waiting.back_mut() {
            last.bytes.extend_from_slice(line);
            last.lines = last.lines.saturating_add(1);
        }
    }

    /// Returns the number of lines that are not written yet.
    fn lines(&self) -> u64 {
        self.waiting.iter().fold(self.writing.unwrap_or(0), |sum, piece| sum.saturating_add(piece.lines))
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until everything is written, or until no write completes within [`FAREWELL`].
    fn wait_for_reader(&self) -> MutexGuard<'_, State> {
        let mut state = self.lock();
        loop {
            let pieces = state.pieces;
            let is_same = |state: &mut State| state.is_busy() && state.pieces == pieces;
            let waited = self.changed.wait_timeout_while(state, FAREWELL, is_same);
            (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
            if !state.is_busy() || state.pieces == pieces {
                return state;
            }
        }
    }

    /// Writes queued lines until a write fails.
    fn write_all(&self) {
        let mut out = anstream::AutoStream::auto(io::stdout());
        loop {
            let is_idle = |state: &mut State| state.waiting.is_empty();
            let waited = self.changed.wait_while(self.lock(), is_idle);
            let mut state = waited.unwrap_or_else(PoisonError::into_inner);
            let Piece { bytes, lines } = state.waiting.pop_front().unwrap_or_default();
            state.writing = Some(lines);
            drop(state);
            // Write a long line in parts, so that each part counts as progress of a slow reader.
            let written = bytes.chunks(MAX_PIECE).try_for_each(|part| {
                out.write_all(part)?;
                out.flush()?;
                let mut state = self.lock();
                state.pieces = state.pieces.wrapping_add(1);
                self.changed.notify_all();
                Ok(())
            });
            let mut state = self.lock();
            state.writing = None;
            state.bytes = state.bytes.saturating_sub(bytes.len());
            state.failed = written.err();
            let has_failed = state.failed.is_some();
            drop(state);
            self.changed.notify_all();
            if has_failed {
                return;
            }
        }
    }
}
