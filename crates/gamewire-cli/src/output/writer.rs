use std::fmt;
use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use gamewire_inspect::render::Palette;

use super::{OutputEvent, render};
use crate::exit_status::Failure;

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
    pub(crate) fn emit(&self, event: &OutputEvent) -> Result<(), Failure> {
        let seconds = self.began.elapsed().as_secs_f64();
        let mut out = anstream::stdout().lock();
        if self.json {
            render::write_event(&mut out, seconds, event)?;
        } else {
            writeln!(out, "{}", render::line(seconds, event))?;
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

/// Returns the palette for standard output. It depends on `--color`, NO_COLOR, CLICOLOR, CLICOLOR_FORCE and
/// on whether standard output is a terminal.
pub(crate) fn palette() -> Palette {
    match anstream::AutoStream::choice(&io::stdout()) {
        anstream::ColorChoice::Never => Palette::plain(),
        _ => Palette::colored(),
    }
}
