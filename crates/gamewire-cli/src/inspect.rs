//! `gamewire inspect`: decodes a capture, or one direction of a connection in a file.

mod dump;
mod extract;
mod input;
mod live;
mod options;
mod output;
mod page;
mod parallel;
mod save;
mod status;
mod stream;
mod table;
mod tables;
mod totals;
mod view;

use std::io::{self, BufWriter, IsTerminal, Read, Write};
use std::sync::Arc;

use gamewire_inspect::capture::{Damage, Reader};
use gamewire_inspect::conversation::{
    ConversationLimits, FrameOutcome, Inspector, PacketInfo, PacketSplitter,
};
use gamewire_inspect::protocol::Protocol;
use gamewire_machine::Record;

use self::dump::Dump;
use self::extract::Extract;
use self::input::{Input, capture_error, open_capture};
use self::options::Statistic;
use self::output::{Clock, Output, OutputFormat};
use self::parallel::Renderers;
use self::save::Save;
use self::status::{Plural, StatusOutput};
use self::tables::Tables;
use self::totals::Totals;
use self::view::{ShownCounts, View, add};
use crate::exit_status::{ExitStatus, Failure};
use crate::output::palette;
use crate::protocols::{catalog, parse_filter, protocols};

pub(crate) use self::options::Inspect;
pub(crate) use self::stream::is_capture;

/// Number of frames between two progress updates.
const PROGRESS_INTERVAL: u64 = 4096;

impl Inspect {
    pub(crate) fn run(mut self) -> Result<ExitStatus, Failure> {
        let statistic = self.take_statistic()?;
        let settings =
            protocols(self.messages.as_deref(), self.definition.as_deref(), self.constants.as_deref())?;
        let catalog = catalog(&settings);
        if self.fields {
            output::list_fields(&catalog)?;
            return Ok(ExitStatus::Success);
        }
        let filter = self.filter.as_ref().map(|text| parse_filter(text, &catalog)).transpose()?;
        let file = self.file.as_ref().or(self.read.as_ref());
        if let Some(local) = self.page {
            return self.show_page(local, settings, filter);
        }
        let form = OutputFormat::of(&self, statistic, &catalog)?;
        let input = match (file, &self.interface) {
            (Some(path), _) => Input::open(path)?,
            (None, Some(interface)) => Input::live(interface, self.capture_filter.as_deref())?,
            (None, None) if self.sample => Input::sample(),
            (None, None) => {
                let advice = if self.stream {
                    "name a stream file, or - for standard input"
                } else {
                    "name a capture file or - for standard input, or use --sample"
                };
                return Err(Failure::Usage(format!("missing file: {advice}")));
            }
        };
        let save = self.write.as_deref();
        let save =
            save.map(|path| Save::create(path, file.map(AsRef::as_ref), filter.is_none())).transpose()?;
        let out = io::stdout();
        let output = Output {
            to: BufWriter::with_capacity(1 << 16, out.lock()),
            form,
            palette: palette(),
            clock: Clock::new(self.time),
            is_live: self.line_buffered || out.is_terminal() || input.is_live,
        };
        let has_totals = statistic == Some(Statistic::Totals);
        let is_long = has_totals || !out.is_terminal();
        let status = StatusOutput::new(&input.name, input.size, is_long, self.quiet);
        let left = self.count.unwrap_or(u64::MAX);
        let dump = self.dump_errors.clone().map(Dump::new);
        if self.stream {
            if let Some(Statistic::Follow(_)) = statistic {
                return Err(Failure::Usage("a stream is one conversation: remove -z follow".into()));
            }
            let pass = stream::StreamPass { filter, output, status, left, dump };
            return pass.run(&self, has_totals, input, &settings);
        }
        if has_totals {
            let totals = Totals { settings, filter: filter.map(Arc::new), dump, limit: left };
            return totals.run(input, file.map(AsRef::as_ref), output, status);
        }
        let inspector = Inspector::with_config(ConversationLimits::default(), settings);
        let view = View {
            filter: filter.map(Arc::new),
            followed: match statistic {
                Some(Statistic::Follow(number)) => Some(number),
                _ => None,
            },
            splitter: PacketSplitter::default(),
            output,
            counts: ShownCounts::default(),
            left,
        };
        let is_parallel =
            dump.is_none() && save.is_none() && self.extract.is_none() && self.parquet.is_none();
        CapturePass {
            renderers: if is_parallel { Renderers::start(&view) } else { None },
            view,
            reader: open_capture(input)?,
            inspector: if self.state { inspector.with_state() } else { inspector },
            shows_state: self.state,
            record: Record::new(),
            dump,
            save,
            tables: self.parquet.map(|folder| Tables::create(folder, catalog)).transpose()?,
            extract: self.extract.as_deref().map(Extract::new).transpose()?,
            status,
        }
        .run()
    }
}

/// Returns the exit status after a capture.
fn exit_status(has_errors: bool, status: &StatusOutput) -> ExitStatus {
    if has_errors || status.damages() > 0 { ExitStatus::DamagedInput } else { ExitStatus::Success }
}

/// One pass over a capture.
struct CapturePass<W> {
    reader: Reader<Box<dyn Read>>,
    inspector: Inspector<Protocol>,
    /// Shows the packets of state instead of the others.
    shows_state: bool,
    /// The content of the current datagram.
    record: Record,
    dump: Option<Dump>,
    save: Option<Save>,
    extract: Option<Extract>,
    /// Receives the datagrams instead of the output.
    tables: Option<Tables>,
    view: View<W>,
    /// Shows the datagrams on other threads.
    renderers: Option<Renderers>,
    status: StatusOutput,
}

impl<W: Write> CapturePass<W> {
    /// Shows every datagram that matches the filter.
    fn run(mut self) -> Result<ExitStatus, Failure> {
        self.view.output.begin()?;
        while self.view.left > 0 {
            let frame = match self.reader.next() {
                None => break,
                Some(Ok(frame)) => frame,
                Some(Err(error)) => {
                    if matches!(error.damage, Damage::Io(_)) {
                        self.finish_threads()?;
                    }
                    capture_error(error, Some(&mut self.status))?;
                    continue;
                }
            };
            let number = frame.number;
            if let Some(save) = &mut self.save {
                save.begin(&frame)?;
            }
            self.record.clear();
            let outcome = self.inspector.frame(&frame, &mut self.record);
            let is_recognized = outcome != FrameOutcome::Unrecognized;
            self.outcomes(Some(outcome), number)?;
            if let Some(save) = self.save.as_mut().filter(|_| !is_recognized) {
                save.keep();
            }
            if number.is_multiple_of(PROGRESS_INTERVAL) {
                self.status.at(self.reader.position());
            }
        }
        self.inspector.finish();
        let outcome = self.next_outcome();
        self.outcomes(outcome, 0)?;
        self.finish_threads()?;
        if let Some(extract) = &self.extract {
            extract.list(&mut self.view.output.to)?;
        }
        self.view.output.to.flush()?;
        self.status.finish();
        if let Some(number) = self.view.followed.filter(|number| *number > self.view.counts.conversations) {
            let found = Plural(self.view.counts.conversations, "conversation");
            return Err(Failure::Failed(format!("conversation {number} not found: the capture has {found}")));
        }
        let is_filtered = self.view.filter.is_some() || self.view.followed.is_some();
        let mut summary = self.view.counts.summary(is_filtered);
        if let Some(save) = self.save.take() {
            summary += &format!("; {} written", Plural(save.finish()?, "frame"));
        }
        if let Some(tables) = self.tables.take() {
            summary += &format!("; {}", tables.finish()?);
        }
        self.status.summary(summary);
        Ok(exit_status(self.view.counts.errors > 0, &self.status))
    }

    /// Writes the datagrams that other threads are still formatting.
    fn finish_threads(&mut self) -> Result<(), Failure> {
        match &mut self.renderers {
            Some(renderers) => renderers.finish(&mut self.view),
            None => Ok(()),
        }
    }

    /// Decodes the next additional outcome of the last frame.
    fn next_outcome(&mut self) -> Option<FrameOutcome> {
        self.record.clear();
        self.inspector.next_outcome(&mut self.record)
    }

    /// Shows the outcome of a frame, and its additional outcomes.
    fn outcomes(&mut self, mut next: Option<FrameOutcome>, number: u64) -> Result<(), Failure> {
        while let Some(outcome) = next.take_if(|_| self.view.left > 0) {
            if let FrameOutcome::Damaged(error) = &outcome {
                self.status.report_damage(format_args!("frame {number}: {error}"));
            }
            let packet = if self.shows_state { outcome.state() } else { outcome.packet() };
            if let Some(info) = packet {
                Dump::look(self.dump.as_mut(), info.into(), &self.record)?;
                if let Some(extract) = &mut self.extract {
                    extract.look(info, &self.record)?;
                }
            }
            self.view.counts.outcome(&outcome);
            match packet {
                Some(info) if self.tables.is_some() => self.tabulate(info)?,
                Some(info) => match &mut self.renderers {
                    Some(renderers) => renderers.datagram(info, &mut self.record, &mut self.view)?,
                    None => self.view.show(info, &self.record, self.save.as_mut())?,
                },
                None => {}
            }
            next = self.next_outcome();
        }
        Ok(())
    }

    /// Adds the record to the tables if it matches.
    fn tabulate(&mut self, info: &PacketInfo) -> Result<(), Failure> {
        self.view.counts.packet(info, &self.record);
        let is_wanted = self.view.matches(info, &self.record);
        let Some(tables) = &mut self.tables else { return Ok(()) };
        if !is_wanted {
            tables.skip(info, &self.record);
            return Ok(());
        }
        self.view.left = self.view.left.saturating_sub(1);
        add(&mut self.view.counts.shown, 1);
        tables.datagram(info, &self.record)
    }
}
