use std::io::{self, BufWriter, IsTerminal, Read, Write};
use std::sync::Arc;

use gamewire_freeciv::follow::{Definition, Definitions};
use gamewire_inspect::capture::{CaptureError, Damage, Frame, Reader};
use gamewire_inspect::conversation::{ConversationLimits, FrameOutcome, Inspector, PacketInfo};
use gamewire_inspect::filter::Filter;
use gamewire_inspect::protocol::{Catalog, Protocol, ProtocolConfig};
use gamewire_inspect::tally::{CountingTrace, Tee};
use gamewire_machine::Record;
use gamewire_riptide::layout::MessageLayouts;
use gamewire_wire::Trace;

use super::dump::Dump;
use super::input::{Input, not_a_capture};
use super::options::Inspect;
use super::output::{self, Output, OutputFormat};
use super::status::{Plural, StatusOutput};
use super::stream;
use crate::compile;
use crate::exit_status::{ExitStatus, Failure};
use crate::messages;
use crate::output::palette;

/// Number of frames between two progress updates.
const PROGRESS_INTERVAL: u64 = 4096;

impl Inspect {
    pub(crate) fn run(self) -> Result<ExitStatus, Failure> {
        let settings = settings(&self)?;
        let mut catalog = Catalog::with_all_protocols();
        catalog.add_riptide_messages(&settings.riptide_messages);
        catalog.add_freeciv_packets(&settings.freeciv);
        if self.fields {
            output::list_fields(&catalog)?;
            return Ok(ExitStatus::Success);
        }
        let filter = match &self.filter {
            Some(text) => Some(
                Filter::parse(text, &catalog)
                    .map_err(|error| Failure::Usage(format!("invalid filter: {error}")))?,
            ),
            None => None,
        };
        let input = match &self.file {
            Some(path) => Input::open(path)?,
            None if self.sample => Input::sample(),
            None if self.stream => {
                let message = "missing file: name a stream file, or - for standard input";
                return Err(Failure::Usage(message.into()));
            }
            None => {
                let message = "missing file: name a capture file or - for standard input, or use --sample";
                return Err(Failure::Usage(message.into()));
            }
        };
        let out = io::stdout();
        let is_shown_at_once = out.is_terminal() || input.is_live;
        let output = Output {
            to: BufWriter::with_capacity(1 << 16, out.lock()),
            form: OutputFormat::of(&self),
            palette: palette(),
            is_live: is_shown_at_once,
        };
        let is_long = self.totals || !out.is_terminal();
        let status = StatusOutput::new(&input.name, input.size, is_long, self.quiet);
        let left = self.count.unwrap_or(u64::MAX);
        let dump = self.dump_errors.clone().map(Dump::new);
        if self.stream {
            return stream::StreamPass { filter, output, status, left, dump }.run(&self, input, &settings);
        }
        let reader = Reader::new(input.bytes).map_err(|error| not_a_capture(&input.name, &error))?;
        let inspector = Inspector::with_config(ConversationLimits::default(), settings);
        let mut pass = CapturePass { reader, inspector, filter, output, status, left, dump };
        if self.totals { pass.count() } else { pass.show() }
    }
}

/// Returns the user's settings for protocols.
fn settings(options: &Inspect) -> Result<ProtocolConfig, Failure> {
    let layouts = match &options.messages {
        Some(path) => messages::load(path)?,
        None => MessageLayouts::default(),
    };
    let mut definitions = Definitions::shipped();
    if let Some(path) = &options.definition {
        let protocol = compile::load(path, options.constants.as_deref())?;
        let definition = Definition::new(protocol)
            .map_err(|error| Failure::Failed(format!("cannot use the definition: {error}")))?;
        definitions = definitions.with_definition(Arc::new(definition));
    }
    Ok(ProtocolConfig {
        riptide_messages: Arc::new(layouts),
        freeciv: Arc::new(definitions),
        ..ProtocolConfig::default()
    })
}

/// One pass over a capture.
struct CapturePass<W> {
    reader: Reader<Box<dyn Read>>,
    inspector: Inspector<Protocol>,
    filter: Option<Filter>,
    output: Output<W>,
    status: StatusOutput,
    /// Remaining number of datagrams to show or count.
    left: u64,
    dump: Option<Dump>,
}

/// The counts of shown datagrams.
#[derive(Default)]
struct ShownCounts {
    datagrams: u64,
    shown: u64,
    other: u64,
    errors: u64,
    warnings: u64,
    conversations: u64,
    damaged: u64,
}

impl<W: Write> CapturePass<W> {
    /// Shows every datagram that matches the filter.
    fn show(&mut self) -> Result<ExitStatus, Failure> {
        let mut record = Record::new();
        let mut counts = ShownCounts::default();
        while self.left > 0 {
            record.clear();
            let frame = match self.reader.next() {
                None => break,
                Some(Ok(frame)) => frame,
                Some(Err(error)) => {
                    damage(&mut self.status, &error)?;
                    continue;
                }
            };
            let number = frame.number;
            let outcome = self.inspector.frame(&frame, &mut record);
            self.show_all(outcome, number, &mut record, &mut counts)?;
            self.progress(number);
        }
        self.inspector.finish();
        record.clear();
        if let Some(outcome) = self.inspector.next_outcome(&mut record) {
            self.show_all(outcome, 0, &mut record, &mut counts)?;
        }
        self.output.to.flush()?;
        self.status.finish();
        self.status.summary(counts.summary(self.filter.is_some()));
        Ok(self.end(counts.errors > 0))
    }

    /// Shows the outcome of a frame, and additional outcomes.
    fn show_all(
        &mut self,
        outcome: FrameOutcome,
        number: u64,
        record: &mut Record,
        counts: &mut ShownCounts,
    ) -> Result<(), Failure> {
        let mut next = Some(outcome);
        while let Some(outcome) = next.take_if(|_| self.left > 0) {
            match &outcome {
                FrameOutcome::Datagram(packet_info)
                | FrameOutcome::Additional(packet_info)
                | FrameOutcome::Deferred(packet_info) => {
                    counts.datagram(packet_info, record);
                    Dump::look(self.dump.as_mut(), packet_info, record)?;
                    if matches!(outcome, FrameOutcome::Deferred(_)) {
                        counts.other = counts.other.saturating_sub(1);
                    }
                    if self.filter.as_ref().is_none_or(|filter| filter.holds(packet_info, record)) {
                        counts.shown = counts.shown.saturating_add(1);
                        self.left = self.left.saturating_sub(1);
                        self.output.datagram(packet_info, record)?;
                    }
                }
                FrameOutcome::Unrecognized | FrameOutcome::Skipped(_) => {
                    counts.other = counts.other.saturating_add(1)
                }
                FrameOutcome::Damaged(error) => {
                    counts.damaged = counts.damaged.saturating_add(1);
                    self.status.report_damage(format_args!("frame {number}: {error}"));
                }
            }
            record.clear();
            next = self.inspector.next_outcome(record);
        }
        Ok(())
    }

    /// Counts every datagram that matches the filter.
    fn count(&mut self) -> Result<ExitStatus, Failure> {
        let mut counting = Counting { tally: CountingTrace::new(), record: Record::new() };
        while self.left > 0 {
            let frame = match self.reader.next() {
                None => break,
                Some(Ok(frame)) => frame,
                Some(Err(error)) => {
                    damage(&mut self.status, &error)?;
                    continue;
                }
            };
            let number = frame.number;
            let wanted = Wanted { filter: self.filter.as_ref(), dump: self.dump.as_mut() };
            let looked = look(&mut self.inspector, Some(&frame), wanted, &mut counting)?;
            self.count_all(looked, number, &mut counting)?;
            self.progress(number);
        }
        self.inspector.finish();
        let wanted = Wanted { filter: self.filter.as_ref(), dump: self.dump.as_mut() };
        let looked = look(&mut self.inspector, None, wanted, &mut counting)?;
        self.count_all(looked, 0, &mut counting)?;
        self.status.finish();
        let Counting { mut tally, .. } = counting;
        tally.take_counters(&self.inspector.counters());
        let totals = tally.totals();
        self.output.totals(&totals)?;
        self.output.to.flush()?;
        Ok(self.end(totals.has_errors()))
    }

    /// Counts the outcome of a frame, and additional outcomes.
    fn count_all(
        &mut self,
        looked: Option<(FrameOutcome, bool)>,
        number: u64,
        counting: &mut Counting,
    ) -> Result<(), Failure> {
        let mut next = looked;
        while let Some((outcome, is_wanted)) = next.take_if(|_| self.left > 0) {
            if is_wanted {
                counting.tally.count_frame(&outcome);
            } else {
                counting.tally.filtered_out(&outcome);
            }
            if let FrameOutcome::Damaged(error) = &outcome {
                self.status.report_damage(format_args!("frame {number}: {error}"));
            } else if outcome.packet().is_some() && is_wanted {
                self.left = self.left.saturating_sub(1);
            }
            let wanted = Wanted { filter: self.filter.as_ref(), dump: self.dump.as_mut() };
            next = look(&mut self.inspector, None, wanted, counting)?;
        }
        Ok(())
    }

    fn progress(&self, frame: u64) {
        if frame.is_multiple_of(PROGRESS_INTERVAL) {
            self.status.at(self.reader.position());
        }
    }

    fn end(&self, has_errors: bool) -> ExitStatus {
        if has_errors || self.status.damages() > 0 { ExitStatus::DamagedInput } else { ExitStatus::Success }
    }
}

/// The trace that counts datagrams.
struct Counting {
    tally: CountingTrace,
    /// The record of the current datagram, for the filter.
    record: Record,
}

/// Follows a frame, or the next additional outcome of the last one; returns true if the filter matches.
fn look(
    inspector: &mut Inspector<Protocol>,
    frame: Option<&Frame<'_>>,
    Wanted { filter, dump }: Wanted<'_>,
    Counting { tally, record }: &mut Counting,
) -> Result<Option<(FrameOutcome, bool)>, Failure> {
    if filter.is_none() && dump.is_none() {
        return Ok(next_outcome(inspector, frame, tally).map(|outcome| (outcome, true)));
    }
    record.clear();
    let outcome = next_outcome(inspector, frame, &mut Tee(&mut *record, tally));
    let Some(outcome) = outcome else { return Ok(None) };
    let Some(packet_info) = outcome.packet() else { return Ok(Some((outcome, true))) };
    Dump::look(dump, packet_info, record)?;
    let is_wanted = filter.is_none_or(|filter| filter.holds(packet_info, record));
    Ok(Some((outcome, is_wanted)))
}

/// A trace that also receives datagrams before they are counted.
struct Wanted<'a> {
    filter: Option<&'a Filter>,
    dump: Option<&'a mut Dump>,
}

fn next_outcome<T: Trace>(
    inspector: &mut Inspector<Protocol>,
    frame: Option<&Frame<'_>>,
    trace: &mut T,
) -> Option<FrameOutcome> {
    match frame {
        Some(frame) => Some(inspector.frame(frame, trace)),
        None => inspector.next_outcome(trace),
    }
}

/// Reports and skips damage in the file; ends at an input error.
fn damage(status: &mut StatusOutput, error: &CaptureError) -> Result<(), Failure> {
    if let Damage::Io(cause) = &error.damage {
        status.finish();
        return Err(Failure::Failed(format!("cannot read the capture at byte {}: {cause}", error.offset)));
    }
    status.report_damage(error);
    Ok(())
}

impl ShownCounts {
    fn datagram(&mut self, packet_info: &PacketInfo, record: &Record) {
        self.datagrams = self.datagrams.saturating_add(1);
        self.errors = self.errors.saturating_add(record.errors().into());
        self.warnings = self.warnings.saturating_add(record.warnings().into());
        self.conversations = self.conversations.max(packet_info.conversation);
    }

    fn summary(&self, is_filtered: bool) -> String {
        let mut summary = Plural(self.datagrams, "datagram").to_string();
        if is_filtered {
            summary = format!("{} of {summary}", self.shown);
        }
        summary += &format!(
            " in {}: {}, {}",
            Plural(self.conversations, "conversation"),
            Plural(self.errors, "error"),
            Plural(self.warnings, "warning")
        );
        if self.damaged > 0 {
            summary += &format!("; {} with damaged headers", Plural(self.damaged, "frame"));
        }
        if self.other > 0 {
            summary += &format!("; {} of other traffic", Plural(self.other, "frame"));
        }
        summary
    }
}
