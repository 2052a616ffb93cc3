//! Timeouts, and work that blocks.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::error::value_error;

/// Maximum time between two checks for a signal such as Ctrl-C.
pub(crate) const CHECK_INTERVAL: Duration = Duration::from_millis(50);

/// The end of a wait; without one, the wait is unlimited.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Deadline(Option<Instant>);

impl Deadline {
    /// Creates a deadline from a timeout in seconds.
    ///
    /// # Errors
    /// `ValueError` if the timeout is negative or not a number.
    pub(crate) fn after(seconds: Option<f64>) -> PyResult<Self> {
        // A timeout beyond the range of the clock is unlimited.
        Ok(Self(seconds.map(duration).transpose()?.and_then(|timeout| Instant::now().checked_add(timeout))))
    }

    /// Returns the time until the deadline, but at most that until the next check for a signal.
    pub(crate) fn slice(self) -> Duration {
        self.0.map_or(CHECK_INTERVAL, |at| at.saturating_duration_since(Instant::now()).min(CHECK_INTERVAL))
    }

    /// Returns whether the deadline has passed.
    pub(crate) fn has_passed(self) -> bool {
        self.0.is_some_and(|at| at <= Instant::now())
    }
}

/// Returns a number of seconds as a duration.
///
/// # Errors
/// `ValueError` if it is negative or not a number.
pub(crate) fn duration(seconds: f64) -> PyResult<Duration> {
    if seconds.is_nan() || seconds < 0.0 {
        return Err(value_error(format!(
            "invalid timeout {seconds}: expected a number of seconds of at least 0"
        )));
    }
    Ok(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}

/// Runs work that blocks on a thread of its own, while other threads of Python run and signals are handled. If a signal
/// ends the wait, the result is dropped once it is there.
///
/// # Errors
/// The exception of a handler of a signal, such as `KeyboardInterrupt`.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, mut results) = channel();
    thread::spawn(move || sender.send(work()));
    loop {
        let result;
        (results, result) = py.detach(move || {
            let result = results.recv_timeout(CHECK_INTERVAL);
            (results, result)
        });
        crate::log::deliver(py)?;
        match result {
            Ok(value) => return Ok(value),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => return Err(PyRuntimeError::new_err("the work panicked")),
        }
    }
}
