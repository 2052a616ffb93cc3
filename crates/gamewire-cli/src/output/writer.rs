use std::fmt;
use std::io::{self, Write as _};
use std::time::Instant;

use gamewire_inspect::render::Palette;
use serde_json::{Value as Json, json};

use super::OutputEvent;
use super::event::{event, line, rounded, write_event};
use crate::exit_status::{Failure, print_error};
use crate::prompt;

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

    pub(crate) const fn is_json(&self) -> bool {
        self.json
    }

    /// Reports a line of standard input that was not executed: as an event of JSON, or on standard error.
    pub(crate) fn command_error(&self, line: &str, error: String) -> Result<(), Failure> {
        if self.json {
            return self.emit(&event!("command_error", line: line.to_owned(), error: error));
        }
        print_error(error);
        Ok(())
    }

    /// Writes an event immediately.
    pub(crate) fn emit(&self, event: &OutputEvent) -> Result<(), Failure> {
        let seconds = self.began.elapsed().as_secs_f64();
        prompt::above(|| {
            let mut out = anstream::stdout().lock();
            if self.json {
                write_event(&mut out, seconds, event)?;
            } else {
                writeln!(out, "{}", line(seconds, event))?;
            }
            Ok(out.flush()?)
        })
    }

    /// Writes the summary as text or JSON, with the time since the start. `fields` is an object.
    pub(crate) fn print_summary(&self, fields: Json, text: impl fmt::Display) -> io::Result<()> {
        let seconds = self.began.elapsed().as_secs_f64();
        if self.json {
            let mut summary = json!({ "event": "summary", "seconds": rounded(seconds) });
            if let (Some(summary), Json::Object(fields)) = (summary.as_object_mut(), fields) {
                summary.extend(fields);
            }
            writeln!(anstream::stdout(), "{summary}")?;
        } else if !self.quiet {
            anstream::eprintln!("{seconds:.1} s: {text}");
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
