use std::sync::Arc;

use gamewire_wire::{CodecError, Found, Layer, Reader, Span, Trace};

use super::{Delta, Part, Parts, Sizes, Snapshot, Storage};
use crate::shared::pack::FifthByte;
use crate::shared::version::SnapshotMessage;
use crate::shared::warning;

/// After more than this many bad snapshots a client asks for a whole one, as the games do.
const MAX_BAD: u32 = 10;

/// Receives the snapshots that one server sends to one client: puts parts together, finds the
/// base, applies the delta, checks the sum.
///
/// What it keeps is bounded: the snapshots of three seconds or 4 MiB, and one snapshot in parts.
#[derive(Debug)]
pub struct Receiver {
    storage: Storage,
    parts: Parts,
    delta: Delta,
    empty: Arc<Snapshot>,
    newest: Option<i32>,
    ack: i32,
    /// Bad snapshots, less the good ones that came after them.
    bad: u32,
    counts: SnapshotStats,
}

/// How the snapshots fared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SnapshotStats {
    /// With the right sum.
    pub good: u64,
    /// Without a change, hence without a sum.
    pub empty: u64,
    /// With a wrong sum, or undecodable.
    pub bad: u64,
    /// Whose base was not there.
    pub missing_base: u64,
}

/// What a snapshot message came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnapshotOutcome<'a> {
    /// A snapshot newer than all before it. Its tick is what a client acknowledges.
    Complete {
        /// The tick that it shows.
        tick: i32,
        /// What it shows.
        snapshot: &'a Snapshot,
    },
    /// A snapshot that is right, but not newer than one that came before it.
    Late,
    /// Parts of the snapshot are missing.
    Incomplete,
    /// The snapshot that it builds on is not there: the client acknowledges -1, and the server
    /// sends a whole one.
    WithoutBase,
    /// It cannot be read, or its sum is wrong. After more than ten of them the client acknowledges
    /// -1.
    Bad(CodecError),
}

/// What a snapshot holds, for one who watches it being received.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Built<'a> {
    /// What changed and what came of it; the sum is not checked yet.
    Whole { delta: &'a Delta, snapshot: &'a Snapshot, span: Span },
    /// What changed against a base that is not there.
    WithoutBase { delta: &'a Delta },
}

/// A snapshot that came as a delta.
struct DeltaInput {
    tick: i32,
    delta: i32,
    crc: i32,
}

/// What a message came to, before it is said which tick is the newest.
enum BuildOutcome {
    Complete,
    Incomplete,
    WithoutBase,
    Bad(CodecError),
}

impl Default for Receiver {
    fn default() -> Self {
        Self {
            storage: Storage::default(),
            parts: Parts::default(),
            delta: Delta::default(),
            empty: Arc::default(),
            newest: None,
            ack: -1,
            bad: 0,
            counts: SnapshotStats::default(),
        }
    }
}

impl Receiver {
    /// Forgets all snapshots; what was counted stays. Ticks begin anew with a map, so a client does
    /// this when it is told of one, and again when it enters: until then snapshots of the map
    /// before may come late.
    pub fn reset(&mut self) {
        self.storage.clear();
        self.parts = Parts::default();
        (self.newest, self.ack, self.bad) = (None, -1, 0);
    }

    /// Takes a snapshot message.
    pub fn receive(
        &mut self,
        message: &SnapshotMessage<'_>,
        fifth_byte: FifthByte,
        sizes: Sizes,
    ) -> SnapshotOutcome<'_> {
        self.watch(message, &[], fifth_byte, sizes, &mut (), |_, (): &mut ()| {})
    }

    /// Takes a snapshot message and tells of it. Spans count in `source`, where the data of the
    /// message are; `tell` is given each snapshot once it is built.
    pub(crate) fn watch<T: Trace>(
        &mut self,
        message: &SnapshotMessage<'_>,
        source: &[u8],
        fifth_byte: FifthByte,
        sizes: Sizes,
        trace: &mut T,
        tell: impl FnOnce(Built<'_>, &mut T),
    ) -> SnapshotOutcome<'_> {
        let (tick, outcome) = match *message {
            SnapshotMessage::Empty { tick, delta } => (tick, self.repeat(tick, delta, trace)),
            SnapshotMessage::Single { tick, delta, crc, data } => {
                let arrival = DeltaInput { tick, delta, crc };
                let data = reader_of(data, source);
                (tick, self.arrive(&arrival, data, fifth_byte, sizes, trace, tell))
            }
            SnapshotMessage::Part { tick, delta, num_parts, part, crc, data } => {
                let mut parts = core::mem::take(&mut self.parts);
                let outcome = match parts.take(Part { tick, num_parts, part, data }) {
                    Ok(None) => BuildOutcome::Incomplete,
                    Ok(Some(whole)) => {
                        trace.enter_source("snapshot_parts", whole);
                        let arrival = DeltaInput { tick, delta, crc };
                        let outcome =
                            self.arrive(&arrival, Reader::new(whole), fifth_byte, sizes, trace, tell);
                        trace.exit();
                        outcome
                    }
                    Err(error) => {
                        trace.error(&error);
                        BuildOutcome::Bad(error)
                    }
                };
                self.parts = parts;
                (tick, outcome)
            }
        };
        self.finish(tick, outcome)
    }

    /// The tick to acknowledge with the next input: that of the newest snapshot, or -1 for a whole
    /// one.
    #[must_use]
    pub const fn ack(&self) -> i32 {
        self.ack
    }

    /// How the snapshots fared so far.
    #[must_use]
    pub const fn counts(&self) -> SnapshotStats {
        self.counts
    }

    /// How much memory is held, in bytes.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        self.storage
            .held_bytes()
            .saturating_add(self.parts.held_bytes())
            .saturating_add(self.delta.held_bytes())
    }

    fn finish(&mut self, tick: i32, outcome: BuildOutcome) -> SnapshotOutcome<'_> {
        match outcome {
            BuildOutcome::Incomplete => SnapshotOutcome::Incomplete,
            BuildOutcome::WithoutBase => {
                self.counts.missing_base = self.counts.missing_base.saturating_add(1);
                self.ack = -1;
                SnapshotOutcome::WithoutBase
            }
            BuildOutcome::Bad(error) => {
                self.counts.bad = self.counts.bad.saturating_add(1);
                self.bad = self.bad.saturating_add(1);
                if self.bad > MAX_BAD {
                    (self.bad, self.ack) = (0, -1);
                }
                SnapshotOutcome::Bad(error)
            }
            BuildOutcome::Complete => {
                self.bad = self.bad.saturating_sub(1);
                if self.newest.is_some_and(|newest| tick <= newest) {
                    return SnapshotOutcome::Late;
                }
                self.newest = Some(tick);
                self.ack = tick;
                match self.storage.get(tick) {
                    Some(snapshot) => SnapshotOutcome::Complete { tick, snapshot },
                    None => SnapshotOutcome::Late,
                }
            }
        }
    }

    fn base(&self, tick: i32, delta: i32) -> Option<Arc<Snapshot>> {
        match tick.wrapping_sub(delta) {
            -1 => Some(Arc::clone(&self.empty)),
            base => self.storage.get(base).map(Arc::clone),
        }
    }

    fn repeat<T: Trace>(&mut self, tick: i32, delta: i32, trace: &mut T) -> BuildOutcome {
        let Some(base) = self.base(tick, delta) else {
            trace.warning(Span::default(), &warning::MISSING_BASE);
            return BuildOutcome::WithoutBase;
        };
        self.counts.empty = self.counts.empty.saturating_add(1);
        self.storage.keep(tick, base);
        self.storage.purge_before(tick.wrapping_sub(delta));
        BuildOutcome::Complete
    }

    fn arrive<T: Trace>(
        &mut self,
        arrival: &DeltaInput,
        data: Reader<'_>,
        fifth_byte: FifthByte,
        sizes: Sizes,
        trace: &mut T,
        tell: impl FnOnce(Built<'_>, &mut T),
    ) -> BuildOutcome {
        let start = data.offset();
        let span = Span::bytes(start, start.saturating_add(data.remaining().len()));
        trace.enter(Layer::Group, "snapshot", span);
        let mut delta = core::mem::take(&mut self.delta);
        let outcome = match delta.read(data, fifth_byte, sizes, trace) {
            Ok(()) => self.build(arrival, &mut delta, span, trace, tell),
            Err(error) => BuildOutcome::Bad(error),
        };
        if let BuildOutcome::Bad(error) = &outcome {
            trace.error(error);
        }
        self.delta = delta;
        trace.exit();
        outcome
    }

    fn build<T: Trace>(
        &mut self,
        arrival: &DeltaInput,
        delta: &mut Delta,
        span: Span,
        trace: &mut T,
        tell: impl FnOnce(Built<'_>, &mut T),
    ) -> BuildOutcome {
        let Some(base) = self.base(arrival.tick, arrival.delta) else {
            trace.warning(span, &warning::MISSING_BASE);
            tell(Built::WithoutBase { delta }, trace);
            return BuildOutcome::WithoutBase;
        };
        let mut snapshot = self.storage.fresh();
        // What `fresh` gives is held by nobody else.
        let Some(whole) = Arc::get_mut(&mut snapshot) else { return BuildOutcome::Incomplete };
        if let Err(error) = delta.apply(&base, whole) {
            self.storage.recycle(snapshot);
            return BuildOutcome::Bad(error);
        }
        tell(Built::Whole { delta, snapshot: whole, span }, trace);
        let sum = whole.crc();
        if sum != arrival.crc {
            // Like the game's client: such a snapshot is no base for others.
            self.storage.recycle(snapshot);
            let at = span.byte_range().start;
            let error = CodecError::new(at, "items whose sum is the crc", Found::Value(sum.into()));
            return BuildOutcome::Bad(error.in_field("crc").in_packet("snapshot"));
        }
        self.counts.good = self.counts.good.saturating_add(1);
        self.storage.keep(arrival.tick, snapshot);
        self.storage.purge_before(arrival.tick.wrapping_sub(arrival.delta));
        BuildOutcome::Complete
    }
}

/// A reader of `part`, which may be a part of `source`, with offsets that then count in `source`.
fn reader_of<'a>(part: &'a [u8], source: &'a [u8]) -> Reader<'a> {
    let at = (part.as_ptr().addr()).wrapping_sub(source.as_ptr().addr());
    let mut reader = Reader::new(source);
    if at > source.len() {
        return Reader::new(part);
    }
    reader.advance(at);
    reader.sub(part.len(), "the data of a snapshot").unwrap_or_else(|_| Reader::new(part))
}
