use std::io::Write;
use std::sync::Arc;

use gamewire_inspect::conversation::{FrameOutcome, PacketInfo, PacketMeta, PacketSplitter};
use gamewire_inspect::filter::Filter;
use gamewire_machine::Record;

use super::output::Output;
use super::save::Save;
use super::status::Plural;
use crate::exit_status::Failure;

/// A view of the packets that match.
pub(super) struct View<W> {
    pub(super) filter: Option<Arc<Filter>>,
    /// If set, only this conversation is shown.
    pub(super) followed: Option<u64>,
    pub(super) splitter: PacketSplitter,
    pub(super) output: Output<W>,
    pub(super) counts: ShownCounts,
    /// Remaining number of datagrams to show or count.
    pub(super) left: u64,
}

/// The counts of shown datagrams.
#[derive(Default)]
pub(super) struct ShownCounts {
    pub(super) datagrams: u64,
    /// Packets of streams that are shown packet by packet.
    pub(super) packets: u64,
    pub(super) shown: u64,
    pub(super) other: u64,
    pub(super) errors: u64,
    pub(super) warnings: u64,
    pub(super) conversations: u64,
    pub(super) damaged: u64,
}

impl<W> View<W> {
    /// Returns whether a whole datagram matches the filter.
    pub(super) fn matches(&self, info: &PacketInfo, record: &Record) -> bool {
        self.filter.as_ref().is_none_or(|filter| filter.holds(info, record))
    }

    /// Returns a view of the same datagrams for another thread. Returns `None` if one thread must show all datagrams:
    /// if their number is limited, or if [`Output::with_writer`] returns `None`.
    pub(super) fn with_writer<V>(&self, to: V) -> Option<View<V>> {
        (self.left == u64::MAX).then_some(())?;
        Some(View {
            filter: self.filter.clone(),
            followed: self.followed,
            splitter: PacketSplitter::default(),
            output: self.output.with_writer(to)?,
            counts: ShownCounts::default(),
            left: u64::MAX,
        })
    }
}

impl<W: Write> View<W> {
    /// Shows the packets of a datagram that match.
    pub(super) fn show(
        &mut self,
        info: &PacketInfo,
        record: &Record,
        mut save: Option<&mut Save>,
    ) -> Result<(), Failure> {
        let Self { splitter, counts, filter, followed, left, output } = self;
        let is_followed = followed.is_none_or(|number| number == info.conversation);
        splitter.split(info, record, |meta, record| {
            counts.packet(info, record);
            let is_wanted =
                *left > 0 && is_followed && filter.as_ref().is_none_or(|filter| filter.holds(meta, record));
            let time = output.clock.time(info, is_wanted);
            if !is_wanted {
                return Ok(());
            }
            *left = left.saturating_sub(1);
            add(&mut counts.shown, 1);
            if let Some(save) = &mut save {
                save.want(info.frame)?;
            }
            Ok(output.datagram(PacketMeta { time, ..meta }, record)?)
        })
    }
}

impl ShownCounts {
    pub(super) fn outcome(&mut self, outcome: &FrameOutcome) {
        match outcome {
            FrameOutcome::Unrecognized | FrameOutcome::Skipped(_) => add(&mut self.other, 1),
            FrameOutcome::Damaged(_) => add(&mut self.damaged, 1),
            // The frame was first counted as other traffic.
            FrameOutcome::Deferred(_) => self.other = self.other.saturating_sub(1),
            FrameOutcome::Datagram(_)
            | FrameOutcome::Additional(_)
            | FrameOutcome::OtherShare
            | FrameOutcome::State(_) => {}
        }
    }

    pub(super) fn packet(&mut self, info: &PacketInfo, record: &Record) {
        let is_split = record.nodes().next().is_some_and(|root| root.name() == "packet");
        add(if is_split { &mut self.packets } else { &mut self.datagrams }, 1);
        add(&mut self.errors, record.errors().into());
        add(&mut self.warnings, record.warnings().into());
        self.conversations = self.conversations.max(info.conversation);
    }

    /// Adds the counts of another thread.
    pub(super) fn add(&mut self, other: Self) {
        let Self { datagrams, packets, shown, other: others, errors, warnings, conversations, damaged } =
            other;
        let totals = [
            (&mut self.datagrams, datagrams),
            (&mut self.packets, packets),
            (&mut self.shown, shown),
            (&mut self.other, others),
            (&mut self.errors, errors),
            (&mut self.warnings, warnings),
            (&mut self.damaged, damaged),
        ];
        totals.into_iter().for_each(|(total, more)| add(total, more));
        self.conversations = self.conversations.max(conversations);
    }

    pub(super) fn summary(&self, is_filtered: bool) -> String {
        let mut summary = match (self.datagrams, self.packets) {
            (datagrams, 0) => Plural(datagrams, "datagram").to_string(),
            (0, packets) => Plural(packets, "packet").to_string(),
            (datagrams, packets) => {
                format!("{} and {}", Plural(datagrams, "datagram"), Plural(packets, "packet"))
            }
        };
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

pub(super) fn add(total: &mut u64, more: u64) {
    *total = total.saturating_add(more);
}
