use std::io::{self, Write};

use gamewire_inspect::conversation::Circumstances;
use gamewire_inspect::render::{self, Palette};
use gamewire_inspect::tally::{StreamTotals, Totals};
use gamewire_machine::Record;

use super::options::Inspect;

/// How datagrams are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Line,
    Tree,
    Hex,
    Json { spans: bool },
}

impl Form {
    pub(super) const fn of(options: &Inspect) -> Self {
        match options {
            Inspect { json: true, verbose, .. } => Self::Json { spans: *verbose },
            Inspect { hex: true, .. } => Self::Hex,
            Inspect { verbose: true, .. } => Self::Tree,
            _ => Self::Line,
        }
    }
}

/// Standard output and how to write on it.
pub(super) struct Output<W> {
    pub(super) to: W,
    pub(super) form: Form,
    pub(super) palette: Palette,
    /// Whether every datagram is to be seen at once.
    pub(super) is_live: bool,
}

impl<W: Write> Output<W> {
    pub(super) fn datagram(&mut self, sighting: &impl Circumstances, record: &Record) -> io::Result<()> {
        let Self { to, form, palette, is_live } = self;
        match form {
            Form::Line => render::line(to, sighting, record, palette)?,
            Form::Tree => render::tree(to, sighting, record, palette)?,
            Form::Hex => render::hex(to, sighting, record, palette)?,
            Form::Json { spans } => render::json(to, sighting, record, *spans)?,
        }
        if *is_live { to.flush() } else { Ok(()) }
    }

    pub(super) fn stream_totals(&mut self, totals: &StreamTotals) -> io::Result<()> {
        match self.form {
            Form::Json { .. } => render::write_json(&mut self.to, totals),
            _ => render::stream_totals(&mut self.to, totals, &self.palette),
        }
    }

    pub(super) fn totals(&mut self, totals: &Totals) -> io::Result<()> {
        match self.form {
            Form::Json { .. } => render::write_json(&mut self.to, totals),
            _ => render::totals(&mut self.to, totals, &self.palette),
        }
    }
}
