//! Standard output of a server: a thread of its own writes it, so that a reader who is slow holds up no player.

use std::io::{self, Write as _};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Maximum bytes that wait for the reader.
const MAX_WAITING: usize = 4 << 20;
/// Bytes that are written at once.
const PIECE: usize = 64 << 10;
/// Time in which the reader takes something at the end, or is given up.
const FAREWELL: Duration = Duration::from_secs(1);

/// A thread that writes to standard output. Dropping it waits for a reader who goes on reading.
#[derive(Debug)]
pub(crate) struct BackgroundWriter(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    waiting: Vec<u8>,
    /// Number of lines without room since the last one that had room.
    lost: u64,
    is_writing: bool,
    /// Number of pieces that were written.
    pieces: u64,
    /// The error that ended the thread.
    failed: Option<io::Error>,
}

impl BackgroundWriter {
    pub(crate) fn start() -> Self {
        let shared = Arc::new(Shared::default());
        let writer = Arc::clone(&shared);
        thread::spawn(move || writer.write_all());
        Self(shared)
    }

    /// Passes a line on to the thread. Without room it is lost; the next one that has room comes after `report` of the
    /// number of lines that were lost.
    ///
    /// # Errors
    /// The error of an earlier write.
    pub(crate) fn write(
        &self,
        line: &[u8],
        report: impl FnOnce(u64) -> io::Result<Vec<u8>>,
    ) -> io::Result<()> {
        self.push(line, MAX_WAITING, report)
    }

    /// Writes the last line whatever its room, and waits for the reader.
    ///
    /// # Errors
    /// The error of this or an earlier write.
    pub(crate) fn write_last(
        &self,
        line: &[u8],
        report: impl FnOnce(u64) -> io::Result<Vec<u8>>,
    ) -> io::Result<()> {
        self.push(line, usize::MAX, report)?;
        self.0.wait_for_reader().failed.take().map_or(Ok(()), Err)
    }

    fn push(
        &self,
        line: &[u8],
        most: usize,
        report: impl FnOnce(u64) -> io::Result<Vec<u8>>,
    ) -> io::Result<()> {
        let mut state = self.0.lock();
        if let Some(error) = &state.failed {
            return Err(error.kind().into());
        }
        if state.waiting.len().saturating_add(line.len()) > most {
            state.lost = state.lost.saturating_add(1);
            return Ok(());
        }
        if state.lost > 0 {
            let text = report(core::mem::take(&mut state.lost))?;
            state.waiting.extend(text);
        }
        state.waiting.extend_from_slice(line);
        drop(state);
        self.0.changed.notify_all();
        Ok(())
    }
}

impl Drop for BackgroundWriter {
    fn drop(&mut self) {
        drop(self.0.wait_for_reader());
    }
}

impl State {
    const fn is_busy(&self) -> bool {
        self.failed.is_none() && (self.is_writing || !self.waiting.is_empty())
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until all is written, or the reader takes nothing for some time.
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

    /// Writes what comes, until an error.
    fn write_all(&self) {
        let mut out = anstream::AutoStream::auto(io::stdout());
        loop {
            let is_idle = |state: &mut State| state.waiting.is_empty();
            let waited = self.changed.wait_while(self.lock(), is_idle);
            let mut state = waited.unwrap_or_else(PoisonError::into_inner);
            let text = core::mem::take(&mut state.waiting);
            state.is_writing = true;
            drop(state);
            let mut pieces = text.chunks(PIECE);
            let written = pieces.try_for_each(|piece| {
                out.write_all(piece)?;
                out.flush()?;
                let mut state = self.lock();
                state.pieces = state.pieces.wrapping_add(1);
                self.changed.notify_all();
                Ok(())
            });
            let mut state = self.lock();
            state.is_writing = false;
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
