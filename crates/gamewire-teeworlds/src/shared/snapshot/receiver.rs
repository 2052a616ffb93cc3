use std::sync::Arc;

use gamewire_wire::{CodecError, Found, Layer, Reader, Span, Trace, Writer};

use super::sender::{MAX_PACKED, Messages};
use super::{Delta, Parts, Sizes, Snapshot, Storage};
use crate::shared::pack::FifthByte;
use crate::shared::system::{Snap, SnapEmpty, SnapSingle};
use crate::shared::version::SnapshotMessage;
use crate::shared::warning;

/// Number of bad snapshots after which a client requests a full one, as in the games.
const MAX_BAD: u32 = 10;

/// The receiver of the snapshots from one server to one client. It joins parts, finds the base, applies the delta and
/// checks the checksum.
///
/// Its memory is bounded: it stores the snapshots of three seconds or 4 MiB, and one incomplete snapshot.
#[derive(Debug)]
pub struct Receiver {
    storage: Storage,
    parts: Parts,
    delta: Delta,
    empty: Arc<Snapshot>,
    newest: Option<i32>,
    ack: i32,
    /// Number of bad snapshots minus the number of good snapshots after them.
    bad: u32,
    counts: SnapshotStats,
}

/// Counters of received snapshots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SnapshotStats {
    /// Snapshots with the right checksum.
    pub good: u64,
    /// Snapshots without a change. They have no checksum.
    pub empty: u64,
    /// Snapshots with a wrong checksum, or that could not be decoded.
    pub bad: u64,
    /// Snapshots with a base that is not stored.
    pub missing_base: u64,
}

/// The result of handling a snapshot message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnapshotOutcome<'a> {
    /// A snapshot newer than all before it. A client acknowledges its tick.
    Complete {
        /// Tick of the snapshot.
        tick: i32,
        /// Items of the snapshot.
        snapshot: &'a Snapshot,
    },
    /// A valid snapshot that is not newer than an earlier one.
    Late,
    /// Parts of the snapshot are missing.
    Incomplete,
    /// The base is not stored. The client acknowledges -1, so that the server sends a full snapshot.
    WithoutBase,
    /// The snapshot cannot be decoded, or its checksum is wrong. After more than ten of them the client
    /// acknowledges -1.
    Bad(CodecError),
}

/// The content of a snapshot, for a follower.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Built<'a> {
    /// The delta and its result. The checksum is not checked yet.
    Whole { delta: &'a Delta, snapshot: &'a Snapshot, span: Span },
    /// The delta to a base that is not stored.
    WithoutBase { delta: &'a Delta },
}

/// The result of handling a message, before the comparison with the newest tick.
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
    /// Removes all snapshots and keeps the counters. The ticks restart with each map. A client therefore calls this at
    /// a map change, and again when it enters the game, because late snapshots of the previous map may arrive until
    /// then.
    pub fn reset(&mut self) {
        self.storage.clear();
        self.parts = Parts::default();
        (self.newest, self.ack, self.bad) = (None, -1, 0);
    }

    /// Handles a snapshot message.
    pub fn receive(
        &mut self,
        message: &SnapshotMessage<'_>,
        fifth_byte: FifthByte,
        sizes: Sizes,
    ) -> SnapshotOutcome<'_> {
        self.watch(message, &[], fifth_byte, sizes, &mut (), |_, (): &mut ()| {})
    }

    /// Handles a snapshot message and reports it. Spans are positions in `source`, which contains the data of the
    /// message. Calls `on_built` with each snapshot.
    pub(crate) fn watch<T: Trace>(
        &mut self,
        message: &SnapshotMessage<'_>,
        source: &[u8],
        fifth_byte: FifthByte,
        sizes: Sizes,
        trace: &mut T,
        on_built: impl FnOnce(Built<'_>, &mut T),
    ) -> SnapshotOutcome<'_> {
        let (tick, outcome) = match *message {
            SnapshotMessage::Empty(SnapEmpty { tick, delta }) => (tick, self.repeat(tick, delta, trace)),
            SnapshotMessage::Single(SnapSingle { tick, delta, crc, data }) => {
                let data = reader_of(data.0, source);
                (
                    tick,
                    self.on_delta(
                        DeltaHeader { tick, distance: delta, crc },
                        data,
                        fifth_byte,
                        sizes,
                        trace,
                        on_built,
                    ),
                )
            }
            SnapshotMessage::Part(message @ Snap { tick, delta, crc, .. }) => {
                let mut parts = core::mem::take(&mut self.parts);
                let outcome = match parts.take(&message) {
                    Ok(None) => BuildOutcome::Incomplete,
                    Ok(Some(whole)) => {
                        trace.enter_source("snapshot_parts", whole);
                        let data = Reader::new(whole);
                        let outcome = self.on_delta(
                            DeltaHeader { tick, distance: delta, crc },
                            data,
                            fifth_byte,
                            sizes,
                            trace,
                            on_built,
                        );
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

    /// Passes to `send` messages that give another receiver the stored snapshots and the parts of an incomplete one.
    pub(crate) fn resume(&self, sizes: Sizes, send: &mut dyn FnMut(SnapshotMessage<'_>)) {
        let (mut delta, mut packed) = (Delta::default(), vec![0; MAX_PACKED]);
        let first = self.storage.iter().next();
        for (tick, snapshot) in self.storage.iter() {
            // A delta to the oldest snapshot is shorter, and does not purge any of them.
            let base = first.filter(|(oldest, base)| *oldest != tick && delta.build(base, snapshot).is_ok());
            let base_tick = base.map_or(-1, |(oldest, _)| oldest);
            if base.is_none() && delta.build(&self.empty, snapshot).is_err() {
                continue;
            }
            let mut to = Writer::new(&mut packed);
            if !(delta.deleted().is_empty() && delta.updates().is_empty())
                && delta.write(sizes, &mut to).is_err()
            {
                continue;
            }
            let distance = tick.wrapping_sub(base_tick);
            Messages::new(tick, distance, snapshot.crc(), to.written()).for_each(&mut *send);
        }
        self.parts.incomplete().for_each(|part| send(SnapshotMessage::Part(part)));
    }

    /// Returns the newest snapshot.
    pub fn latest(&self) -> Option<&Snapshot> {
        self.storage.get(self.newest?).map(|snapshot| &**snapshot)
    }

    /// Returns the tick to acknowledge with the next input: the tick of the newest snapshot, or -1 to request a full
    /// one.
    pub const fn ack(&self) -> i32 {
        self.ack
    }

    /// Returns the counters.
    pub const fn counts(&self) -> SnapshotStats {
        self.counts
    }

    /// Returns the allocated memory in bytes.
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

    /// Handles a complete delta.
    fn on_delta<T: Trace>(
        &mut self,
        header: DeltaHeader,
        data: Reader<'_>,
        fifth_byte: FifthByte,
        sizes: Sizes,
        trace: &mut T,
        on_built: impl FnOnce(Built<'_>, &mut T),
    ) -> BuildOutcome {
        let start = data.offset();
        let span = Span::bytes(start, start.saturating_add(data.remaining().len()));
        trace.enter(Layer::Group, "snapshot", span);
        let mut delta = core::mem::take(&mut self.delta);
        let outcome = match delta.read(data, fifth_byte, sizes, trace) {
            Ok(()) => self.build(header, &mut delta, span, trace, on_built),
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
        header: DeltaHeader,
        delta: &mut Delta,
        span: Span,
        trace: &mut T,
        on_built: impl FnOnce(Built<'_>, &mut T),
    ) -> BuildOutcome {
        let DeltaHeader { tick, distance, crc } = header;
        let Some(base) = self.base(tick, distance) else {
            trace.warning(span, &warning::MISSING_BASE);
            on_built(Built::WithoutBase { delta }, trace);
            return BuildOutcome::WithoutBase;
        };
        let mut snapshot = self.storage.fresh();
        // A snapshot of `fresh` has no other owner.
        let Some(whole) = Arc::get_mut(&mut snapshot) else { return BuildOutcome::Incomplete };
        if let Err(error) = delta.apply(&base, whole) {
            self.storage.recycle(snapshot);
            return BuildOutcome::Bad(error);
        }
        on_built(Built::Whole { delta, snapshot: whole, span }, trace);
        let sum = whole.crc();
        if sum != crc {
            // As in the games' client, a snapshot with a wrong checksum is not a base of later ones.
            self.storage.recycle(snapshot);
            let at = span.byte_range().start;
            let error = CodecError::new(at, "items that match the checksum", Found::Value(sum.into()));
            return BuildOutcome::Bad(error.in_field("crc").in_packet("snapshot"));
        }
        self.counts.good = self.counts.good.saturating_add(1);
        self.storage.keep(tick, snapshot);
        self.storage.purge_before(tick.wrapping_sub(distance));
        BuildOutcome::Complete
    }
}

/// The numbers of a delta.
#[derive(Clone, Copy)]
struct DeltaHeader {
    tick: i32,
    /// Ticks from the base to `tick`.
    distance: i32,
    /// Checksum of the snapshot.
    crc: i32,
}

/// Returns a reader of `part`. If `part` is a subslice of `source`, its offsets are positions in `source`.
fn reader_of<'a>(part: &'a [u8], source: &'a [u8]) -> Reader<'a> {
    let at = (part.as_ptr().addr()).wrapping_sub(source.as_ptr().addr());
    let mut reader = Reader::new(source);
    if at > source.len() {
        return Reader::new(part);
    }
    reader.advance(at);
    reader.sub(part.len(), "the data of a snapshot").unwrap_or_else(|_| Reader::new(part))
}
