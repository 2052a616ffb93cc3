use gamewire_machine::Role;
use std::collections::HashMap;

use gamewire_wire::{Layer, Span};

use super::interned::Interned;
use super::totals::{
    CaptureStats, ConversationTotals, DialectTotals, FlowTotals, FrameTotals, NameTotals, ProblemCount,
    ProblemTotals, StreamStats, StreamTotals, add,
};
use crate::conversation::{Counter, FrameOutcome, PacketInfo, PacketMeta};

/// Maximum number of conversations that are counted separately.
pub(super) const MAX_CONVERSATIONS: usize = 65_536;
/// Maximum number of kinds of errors, and of warnings, that are counted separately.
const MAX_PROBLEMS: usize = 256;

/// A trace that counts. After each frame, [`CountingTrace::count_frame`] assigns the counts to a conversation.
pub struct CountingTrace {
    pub(super) names: Interned,
    /// The counts, indexed by the numbers of `names`.
    pub(super) counts: Vec<Count>,
    /// The conversations, in the order of their numbers.
    pub(super) conversations: Vec<CountedConversation>,
    pub(super) further: HashMap<&'static str, DialectTotals>,
    pub(super) frames: FrameTotals,
    /// The highest number among the conversations that are not counted separately.
    newest: u64,
    pub(super) further_conversations: u64,
    pub(super) errors: Vec<(Problem, u64)>,
    pub(super) warnings: Vec<(Problem, u64)>,
    pub(super) datagram: Datagram,
}

/// The counts of a conversation.
#[derive(Default)]
pub(super) struct CountedConversation {
    /// Number of the frame that showed its protocol.
    pub(super) recognized: u64,
    /// `None` if a filter excluded all of its datagrams.
    pub(super) totals: Option<ConversationTotals>,
}

/// The counts of the current datagram so far.
#[derive(Default)]
pub(super) struct Datagram {
    pub(super) open: Vec<Open>,
    /// Messages and items with their bytes, until their sender is known.
    pub(super) met: Vec<(usize, u64)>,
    pub(super) messages: u64,
    /// Number of messages in a group.
    pub(super) in_groups: u64,
    /// Indices in the list of errors.
    pub(super) errors: Vec<usize>,
    /// Indices in the list of warnings.
    pub(super) warnings: Vec<usize>,
}

/// A warning is its name; an error is its packet, field and expectation.
pub(super) type Problem = [&'static str; 3];

/// An open group or source of the current datagram.
pub(super) struct Open {
    /// The number of its name, if the name is counted.
    pub(super) number: Option<usize>,
    pub(super) span: Span,
    /// The group's kind; `None` for a source.
    pub(super) layer: Option<Layer>,
}

#[derive(Clone, Copy, Default)]
pub(super) struct Count {
    pub(super) protocol: &'static str,
    pub(super) client: u64,
    pub(super) server: u64,
    pub(super) bytes: u64,
}

impl Default for CountingTrace {
    fn default() -> Self {
        Self::new()
    }
}

impl CountingTrace {
    /// Returns a trace with all counts at 0.
    pub fn new() -> Self {
        Self {
            names: Interned::new(),
            counts: Vec::new(),
            conversations: Vec::new(),
            further: HashMap::new(),
            frames: FrameTotals::default(),
            newest: 0,
            further_conversations: 0,
            errors: Vec::new(),
            warnings: Vec::new(),
            datagram: Datagram::default(),
        }
    }

    /// Counts a frame and the content that was traced since the last call.
    pub fn count_frame(&mut self, outcome: &FrameOutcome) {
        self.frame(outcome);
        match outcome {
            FrameOutcome::Datagram(info) | FrameOutcome::Additional(info) | FrameOutcome::Deferred(info) => {
                self.datagram(info);
            }
            FrameOutcome::Unrecognized => add(&mut self.frames.unrecognized, 1),
            FrameOutcome::Skipped(_) => add(&mut self.frames.skipped, 1),
            FrameOutcome::Damaged(_) => add(&mut self.frames.damaged, 1),
            FrameOutcome::OtherShare | FrameOutcome::State(_) => {}
        }
    }

    /// Counts a frame that a filter excludes, and discards the content that was traced since the last call.
    pub fn filtered_out(&mut self, outcome: &FrameOutcome) {
        self.frame(outcome);
        outcome.packet().and_then(|info| self.conversation(info));
        self.datagram.clear();
    }

    fn frame(&mut self, outcome: &FrameOutcome) {
        match outcome {
            // The frame of the deferred datagram was already counted as unrecognized.
            FrameOutcome::Deferred(_) => {
                self.frames.unrecognized = self.frames.unrecognized.saturating_sub(1);
            }
            FrameOutcome::Additional(_) | FrameOutcome::OtherShare | FrameOutcome::State(_) => {}
            _ => add(&mut self.frames.total, 1),
        }
    }

    fn datagram(&mut self, info: &PacketInfo) {
        let bytes = u64::try_from(info.length).unwrap_or(u64::MAX);
        add(&mut self.frames.datagrams, 1);
        add(&mut self.frames.bytes, bytes);
        let datagram = &self.datagram;
        let flow =
            FlowTotals { datagrams: 1, bytes, messages: datagram.messages, in_groups: datagram.in_groups };
        let problems =
            ProblemCount { errors: length(&datagram.errors), warnings: length(&datagram.warnings) };
        self.take_datagram(info.protocol, info.sender);
        match self.conversation(info) {
            Some(conversation) => conversation
                .totals
                .get_or_insert_with(|| ConversationTotals::new(info))
                .add(info, flow, problems),
            None => {
                let name = info.dialect.unwrap_or(info.protocol);
                let further = self.further.entry(name).or_default();
                if info.conversation > self.newest {
                    self.newest = info.conversation;
                    add(&mut self.further_conversations, 1);
                    add(&mut further.conversations, 1);
                }
                further.add(flow, problems);
            }
        }
    }

    /// Returns the counts of a name by its number.
    pub(super) fn named(&mut self, number: usize) -> Option<&mut Count> {
        if number >= self.counts.len() {
            self.counts.resize_with(number.saturating_add(1), Count::default);
        }
        self.counts.get_mut(number)
    }

    /// Counts the names and problems of the current datagram, and clears it.
    pub(super) fn take_datagram(&mut self, protocol: &'static str, sender: Role) {
        let datagram = &mut self.datagram;
        for (number, bytes) in &datagram.met {
            let Some(count) = self.counts.get_mut(*number) else { continue };
            count.protocol = protocol;
            add(if sender == Role::Client { &mut count.client } else { &mut count.server }, 1);
            add(&mut count.bytes, *bytes);
        }
        for (problems, met) in
            [(&mut self.errors, &datagram.errors), (&mut self.warnings, &datagram.warnings)]
        {
            for number in met {
                if let Some((_, count)) = problems.get_mut(*number) {
                    add(count, 1);
                }
            }
        }
        datagram.clear();
    }

    /// Returns the counts of a conversation by its number, which starts at 1.
    fn conversation(&mut self, info: &PacketInfo) -> Option<&mut CountedConversation> {
        let index = usize::try_from(info.conversation.checked_sub(1)?).ok()?;
        if index >= MAX_CONVERSATIONS {
            return None;
        }
        if index >= self.conversations.len() {
            self.conversations.resize_with(index.saturating_add(1), CountedConversation::default);
        }
        let conversation = self.conversations.get_mut(index)?;
        conversation.recognized = info.recognized;
        Some(conversation)
    }

    /// Adds the counters of followers to their conversations.
    pub fn take_counters(&mut self, counters: &[Counter]) {
        for Counter { conversation, name, count } in counters {
            let index = usize::try_from(conversation.saturating_sub(1)).unwrap_or(usize::MAX);
            let conversation = self.conversations.get_mut(index);
            if let Some(totals) = conversation.and_then(|conversation| conversation.totals.as_mut()) {
                totals.counters.insert(name, *count);
            }
        }
    }

    /// Returns the counts so far.
    pub fn totals(&self) -> CaptureStats {
        let mut totals = CaptureStats { frames: self.frames, ..CaptureStats::default() };
        for (count, number) in self.counts.iter().zip(0..) {
            let Some((layer, name)) = self.names.name(number) else { continue };
            let Count { protocol, client, server, bytes } = *count;
            let list = if layer == Layer::Message { &mut totals.messages } else { &mut totals.items };
            if client > 0 || server > 0 {
                list.push(NameTotals { name: format!("{protocol}.{name}"), client, server, bytes });
            }
        }
        for list in [&mut totals.messages, &mut totals.items] {
            list.sort_by(|one, other| {
                let order = |of: &NameTotals| of.client.saturating_add(of.server);
                order(other).cmp(&order(one)).then_with(|| one.name.cmp(&other.name))
            });
        }
        totals.conversations =
            self.conversations.iter().filter_map(|counted| counted.totals.clone()).collect();
        totals.further_conversations = self.further_conversations;
        totals.dialects = self.dialects(&totals.conversations);
        totals.errors = problems(&self.errors);
        totals.warnings = problems(&self.warnings);
        totals
    }

    /// Counts a packet of a stream and the content that was traced since the last call.
    pub fn packet(&mut self, packet: &PacketMeta<'_>) {
        self.take_datagram(packet.protocol, packet.sender);
    }

    /// Discards the content that was traced since the last call, because a filter excludes it.
    pub fn forget(&mut self) {
        self.datagram.clear();
    }

    /// Returns the counts of a stream so far.
    pub fn stream_totals(&self, stream: StreamStats) -> StreamTotals {
        let totals = self.totals();
        let (messages, errors, warnings) = (totals.messages, totals.errors, totals.warnings);
        StreamTotals { stream, messages, errors, warnings }
    }

    fn dialects(&self, conversations: &[ConversationTotals]) -> Vec<DialectTotals> {
        let mut dialects = self.further.clone();
        for conversation in conversations {
            dialects.entry(conversation.name()).or_default().add_conversation(conversation);
        }
        let named =
            dialects.into_iter().map(|(name, totals)| DialectTotals { dialect: name.to_owned(), ..totals });
        let mut named: Vec<_> = named.collect();
        named.sort_by(|one, other| {
            other.flow.datagrams.cmp(&one.flow.datagrams).then_with(|| one.dialect.cmp(&other.dialect))
        });
        named
    }
}

impl Datagram {
    pub(super) fn clear(&mut self) {
        self.open.clear();
        self.met.clear();
        self.messages = 0;
        self.in_groups = 0;
        self.errors.clear();
        self.warnings.clear();
    }
}

fn length<T>(list: &[T]) -> u64 {
    u64::try_from(list.len()).unwrap_or(u64::MAX)
}

/// Returns the index of `problem` in `known`. The last index is for all problems that do not fit.
#[cold]
pub(super) fn intern_problem(known: &mut Vec<(Problem, u64)>, problem: Problem) -> usize {
    if let Some(index) = known.iter().position(|(other, _)| *other == problem) {
        return index;
    }
    if known.len() < MAX_PROBLEMS {
        let is_last = known.len().saturating_add(1) == MAX_PROBLEMS;
        known.push((if is_last { ["others", "", ""] } else { problem }, 0));
    }
    known.len().saturating_sub(1)
}

fn problems(known: &[(Problem, u64)]) -> Vec<ProblemTotals> {
    let happened = known.iter().filter(|(_, count)| *count > 0);
    let mut totals: Vec<_> = happened
        .map(|([packet, field, expected], count)| {
            let name = match (*packet, *field, *expected) {
                (name, "", "") => name.to_owned(),
                ("", "", expected) => format!("expected {expected}"),
                ("", name, expected) | (name, "", expected) => format!("{name}: expected {expected}"),
                (packet, field, expected) => format!("{packet}.{field}: expected {expected}"),
            };
            ProblemTotals { name, count: *count }
        })
        .collect();
    totals.sort_by(|one, other| other.count.cmp(&one.count).then_with(|| one.name.cmp(&other.name)));
    totals
}
