//! Counts the datagrams of a capture, on a thread per processor.

use std::io::{Read, Write};
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::Path;
use std::sync::Arc;
use std::thread;

use gamewire_inspect::capture::{Frame, Reader};
use gamewire_inspect::conversation::{ConversationLimits, FrameOutcome, Inspector, Share};
use gamewire_inspect::filter::Filter;
use gamewire_inspect::protocol::{Protocol, ProtocolConfig};
use gamewire_inspect::stats::{CaptureStats, CountingTrace, Tee};
use gamewire_machine::Record;
use gamewire_wire::Trace;

use super::dump::Dump;
use super::input::{Input, capture_error, open_capture};
use super::output::Output;
use super::status::StatusOutput;
use super::{PROGRESS_INTERVAL, exit_status};
use crate::exit_status::{ExitStatus, Failure};

/// Maximum number of threads. Each of them reads the whole capture.
const MAX_THREADS: usize = 4;

/// Settings of a count of datagrams.
pub(super) struct Totals {
    pub(super) settings: ProtocolConfig,
    pub(super) filter: Option<Arc<Filter>>,
    pub(super) dump: Option<Dump>,
    /// Maximum number of datagrams.
    pub(super) limit: u64,
}

impl Totals {
    /// Writes the totals of the datagrams that match.
    pub(super) fn run(
        self,
        input: Input,
        path: Option<&Path>,
        mut output: Output<impl Write>,
        mut status: StatusOutput,
    ) -> Result<ExitStatus, Failure> {
        let totals = self.count(input, path, &mut status)?;
        status.finish();
        output.totals(&totals)?;
        output.to.flush()?;
        Ok(exit_status(totals.has_errors(), &status))
    }

    /// Counts the datagrams that match. If the input is a file, and there is no limit and no dump, several threads each
    /// read the whole file and follow a share of the conversations. Otherwise, one thread counts.
    fn count(
        self,
        input: Input,
        path: Option<&Path>,
        status: &mut StatusOutput,
    ) -> Result<CaptureStats, Failure> {
        let path = path.filter(|_| input.size.is_some() && self.dump.is_none() && self.limit == u64::MAX);
        let processors = thread::available_parallelism().map_or(1, NonZeroUsize::get).min(MAX_THREADS);
        let threads = if path.is_some() { u32::try_from(processors).unwrap_or(1) } else { 1 };
        let count = NonZeroU32::new(threads).unwrap_or(NonZeroU32::MIN);
        let Self { settings, filter, dump, limit } = self;
        let counter = |index, dump, limit| Counter {
            inspector: Inspector::with_config(ConversationLimits::default(), settings.clone())
                .with_share(Share { index, count }),
            record: Record::new(),
            counting: CountingTrace::new(),
            filter: filter.clone(),
            dump,
            left: limit,
        };
        thread::scope(|scope| {
            let others = path.into_iter().flat_map(|path| (1..threads).map(move |index| (path, index)));
            let others = others.map(|(path, index)| {
                let counter = counter(index, None, u64::MAX);
                scope.spawn(move || counter.count(open_capture(Input::open(path)?)?, None))
            });
            let others: Vec<_> = others.collect();
            let mut counting = counter(0, dump, limit).count(open_capture(input)?, Some(status))?;
            for other in others {
                let panicked = |_| Failure::Failed("a thread that counts datagrams panicked".into());
                counting.merge(other.join().map_err(panicked)??);
            }
            Ok(counting.totals())
        })
    }
}

/// A counter of the datagrams in a share of the conversations.
struct Counter {
    inspector: Inspector<Protocol>,
    /// The content of the current datagram, for a filter and a dump.
    record: Record,
    counting: CountingTrace,
    filter: Option<Arc<Filter>>,
    dump: Option<Dump>,
    /// Remaining number of datagrams to count.
    left: u64,
}

impl Counter {
    /// Counts the datagrams of a capture, and reports damage to `status`.
    fn count(
        mut self,
        mut reader: Reader<Box<dyn Read>>,
        mut status: Option<&mut StatusOutput>,
    ) -> Result<CountingTrace, Failure> {
        while self.left > 0 {
            let frame = match reader.next() {
                None => break,
                Some(Ok(frame)) => frame,
                Some(Err(error)) => {
                    capture_error(error, status.as_deref_mut())?;
                    continue;
                }
            };
            let (number, outcome) = (frame.number, self.frame(&frame));
            if let (FrameOutcome::Damaged(error), Some(status)) = (&outcome, &mut status) {
                status.report_damage(format_args!("frame {number}: {error}"));
            }
            self.outcomes(outcome)?;
            if let Some(status) = status.as_ref().filter(|_| number.is_multiple_of(PROGRESS_INTERVAL)) {
                status.at(reader.position());
            }
        }
        self.inspector.finish();
        if let Some(outcome) = self.next_outcome() {
            self.outcomes(outcome)?;
        }
        self.counting.take_counters(&self.inspector.counters());
        Ok(self.counting)
    }

    /// Decodes a frame.
    fn frame(&mut self, frame: &Frame<'_>) -> FrameOutcome {
        if self.filter.is_none() && self.dump.is_none() {
            return self.inspector.frame(frame, &mut self.counting);
        }
        self.record.clear();
        let trace: &mut dyn Trace = &mut Tee(&mut self.record, &mut self.counting);
        self.inspector.frame(frame, trace)
    }

    /// Decodes the next additional outcome of the last frame.
    fn next_outcome(&mut self) -> Option<FrameOutcome> {
        if self.filter.is_none() && self.dump.is_none() {
            return self.inspector.next_outcome(&mut self.counting);
        }
        self.record.clear();
        let trace: &mut dyn Trace = &mut Tee(&mut self.record, &mut self.counting);
        self.inspector.next_outcome(trace)
    }

    /// Counts the outcome of a frame, and its additional outcomes.
    fn outcomes(&mut self, outcome: FrameOutcome) -> Result<(), Failure> {
        let mut next = Some(outcome);
        while let Some(outcome) = next.take_if(|_| self.left > 0) {
            let is_wanted = match outcome.packet() {
                Some(info) => {
                    Dump::look(self.dump.as_mut(), info.into(), &self.record)?;
                    self.filter.as_ref().is_none_or(|filter| filter.holds(info, &self.record))
                }
                None => true,
            };
            if is_wanted {
                self.left = self.left.saturating_sub(outcome.packet().is_some().into());
                self.counting.count_frame(&outcome);
            } else {
                self.counting.filtered_out(&outcome);
            }
            next = self.next_outcome();
        }
        Ok(())
    }
}
