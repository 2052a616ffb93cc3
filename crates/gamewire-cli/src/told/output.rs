use std::fmt;
use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use super::{OutputEvent, json, text};
use crate::end::Failure;

/// The output of events.
#[derive(Debug)]
pub(crate) struct Output {
    json: bool,
    quiet: bool,
    began: Instant,
}

impl Output {
    /// Starts the time of events.
    pub(crate) fn begin(json: bool, quiet: bool) -> Self {
        Self { json, quiet, began: Instant::now() }
    }

    /// Writes an event immediately.
    pub(crate) fn emit(&self, told: &OutputEvent) -> Result<(), Failure> {
        let seconds = self.began.elapsed().as_secs_f64();
        let mut out = anstream::stdout().lock();
        if self.json {
            json::write(&mut out, seconds, told)?;
        } else {
            writeln!(out, "{}", text::line(seconds, told))?;
        }
        Ok(out.flush()?)
    }

    /// Returns the time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Writes the summary as text or JSON.
    pub(crate) fn print_summary(&self, json: impl fmt::Display, text: impl fmt::Display) -> io::Result<()> {
        if self.json {
            writeln!(anstream::stdout(), "{json}")?;
        } else if !self.quiet {
            anstream::eprintln!("{text}");
        }
        Ok(())
    }
}
