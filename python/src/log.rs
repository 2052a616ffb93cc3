//! The log of the drivers, as records of Python's logger `gamewire`.
//!
//! A line is queued where it occurs and passed to Python when the call ends, so that a handler of Python never runs while
//! a driver is locked.

use std::collections::VecDeque;
use std::fmt::{self, Write as _};
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

/// Maximum number of queued lines. A further one displaces the oldest.
const MAX_LINES: usize = 1024;

/// Lines with their levels in Python's module `logging`.
static LINES: Mutex<VecDeque<(u8, String)>> = Mutex::new(VecDeque::new());

struct Queue;

impl Subscriber for Queue {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "gamewire" && *metadata.level() <= Level::DEBUG
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        // There is a line for each packet above it.
        Some(LevelFilter::DEBUG)
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        let mut line = Line(String::new());
        event.record(&mut line);
        let mut lines = LINES.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() >= MAX_LINES {
            lines.pop_front();
        }
        lines.push_back((level(*event.metadata().level()), line.0));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// The text of an event.
struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "message" {
            // Writing to a `String` cannot fail.
            let _ = write!(self.0, "{value:?}");
        }
    }
}

const fn level(level: Level) -> u8 {
    match level {
        Level::ERROR => 40,
        Level::WARN => 30,
        Level::INFO => 20,
        Level::DEBUG | Level::TRACE => 10,
    }
}

/// Collects the log of this process from now on.
pub(crate) fn install() {
    // It fails if the module was initialized before, which then collects it already.
    let _ = tracing::subscriber::set_global_default(Queue);
}

/// Passes the queued lines to Python.
///
/// # Errors
/// The exception of a logger's handler.
pub(crate) fn deliver(py: Python<'_>) -> PyResult<()> {
    let lines = core::mem::take(&mut *LINES.lock().unwrap_or_else(PoisonError::into_inner));
    if lines.is_empty() {
        return Ok(());
    }
    let logger = py.import("logging")?.call_method1("getLogger", ("gamewire",))?;
    for (level, line) in lines {
        logger.call_method1("log", (level, "%s", line))?;
    }
    Ok(())
}
