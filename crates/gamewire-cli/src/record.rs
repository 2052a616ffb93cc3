//! `--record`: what crosses a socket, into a pcapng file.

use std::fs::File;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use gamewire_inspect::recording::Recorder;
use gamewire_net::{Crossing, Settings};

use crate::end::{Failure, warn};

/// A recording that is going on, if one was asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Recording(Option<Arc<Mutex<State>>>);

#[derive(Debug)]
struct State {
    file: String,
    recorder: Recorder<File>,
    /// Why the recording ended early, until it is told.
    failure: Option<String>,
}

impl Recording {
    /// Begins to write `file` with what a driver of these settings sends and receives.
    pub(crate) fn begin(file: Option<&Path>, settings: Settings) -> Result<(Self, Settings), Failure> {
        let Some(path) = file else { return Ok((Self::default(), settings)) };
        let name = path.display().to_string();
        let recorder = Recorder::create(path)
            .map_err(|error| Failure::Failed(format!("cannot record to {name}: {error}")))?;
        let state = State { file: name, recorder, failure: None };
        let shared = Arc::new(Mutex::new(state));
        let tapped = Arc::clone(&shared);
        let settings = settings.tap(move |crossing: &Crossing<'_>| {
            tapped.lock().unwrap_or_else(PoisonError::into_inner).write(crossing);
        });
        Ok((Self(Some(shared)), settings))
    }

    /// Says once if the recording had to end; what was written until then is good.
    pub(crate) fn check(&self) {
        let Some(state) = &self.0 else { return };
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(failure) = state.failure.take() {
            warn(format_args!("the recording in {} ends here: {failure}", state.file));
        }
    }

    /// Writes what is left.
    pub(crate) fn finish(&self) {
        if let Some(state) = &self.0 {
            state.lock().unwrap_or_else(PoisonError::into_inner).flush();
        }
        self.check();
    }
}

impl State {
    fn write(&mut self, crossing: &Crossing<'_>) {
        let time = i64::try_from(crossing.unix_micros.saturating_mul(1000)).unwrap_or(i64::MAX);
        // It fails once; what comes later passes by.
        if let Err(error) = self.recorder.datagram(time, crossing.from(), crossing.to(), crossing.bytes) {
            self.failure = Some(error.to_string());
        }
    }

    fn flush(&mut self) {
        if let Err(error) = self.recorder.flush() {
            self.failure = Some(error.to_string());
        }
    }
}
