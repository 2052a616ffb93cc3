//! Standard output of a server: a thread of its own writes it, so that a reader who is slow holds up no player.

use std::io::{self, Write as _};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Maximum bytes that wait for the reader.
const MAX_WAITING: usize = 4 << 20;
/// Time in which the reader can take the rest at the end.
const FAREWELL: Duration = Duration::from_secs(1);

/// A thread that writes to standard output. Dropping it waits for what is not yet written, but not for long.
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
        let mut state = self.0.lock();
        if let Some(error) = &state.failed {
            return Err(error.kind().into());
        }
        if state.waiting.len().saturating_add(line.len()) > MAX_WAITING {
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
        let is_busy =
            |state: &mut State| state.failed.is_none() && (state.is_writing || !state.waiting.is_empty());
        let waited = self.0.changed.wait_timeout_while(self.0.lock(), FAREWELL, is_busy);
        drop(waited);
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
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
            let written = out.write_all(&text).and_then(|()| out.flush());
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
