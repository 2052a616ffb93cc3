use std::sync::Arc;

use gamewire_wire::{Result, Writer};

use super::{Delta, MAX_PARTS, PART_BYTES, Sizes, Snapshot, Storage};
use crate::shared::data::SizedData;
use crate::shared::system::{Snap, SnapEmpty, SnapSingle};
use crate::shared::version::SnapshotMessage;

/// Maximum age of a stored base in ticks: three seconds.
pub(crate) const MAX_AGE_TICKS: i32 = 150;
/// Maximum bytes of all parts of a snapshot.
pub(crate) const MAX_PACKED: usize = MAX_PARTS as usize * PART_BYTES;

/// The rate at which a server sends snapshots to a client, as in the games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SnapRate {
    /// Every tenth tick, until the client acknowledges a snapshot.
    #[default]
    Init,
    /// Once a second. The acknowledged snapshot is no longer stored, so each snapshot is a full one.
    Recover,
    /// Every tick.
    Full,
}

impl SnapRate {
    /// Returns whether a snapshot is due at `tick`.
    #[must_use]
    pub const fn is_due(self, tick: i32) -> bool {
        match self {
            Self::Init => tick.rem_euclid(10) == 0,
            Self::Recover => tick.rem_euclid(50) == 0,
            Self::Full => true,
        }
    }
}

/// The acknowledgement of a client, and the resulting rate of its snapshots.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AckState {
    pub(crate) rate: SnapRate,
    /// The tick of the base of the next delta; -1 for none.
    pub(crate) acked: i32,
}

impl Default for AckState {
    fn default() -> Self {
        Self { rate: SnapRate::Init, acked: -1 }
    }
}

impl AckState {
    /// Handles the tick that the client acknowledges; see [`Sender::acknowledge`].
    pub(crate) fn acknowledge(&mut self, tick: i32, is_stored: impl FnOnce(i32) -> bool) {
        if tick < 0 {
            self.acked = -1;
        } else if tick > self.acked && is_stored(tick) {
            (self.acked, self.rate) = (tick, SnapRate::Full);
        }
    }

    /// Lowers the rate, because the acknowledged snapshot is not stored.
    pub(crate) fn on_missing_base(&mut self) {
        if self.rate == SnapRate::Full {
            self.rate = SnapRate::Recover;
        }
    }
}

/// The sender of snapshots to one client. It builds each snapshot as a delta to the last acknowledged one, and splits a
/// delta that does not fit one message.
///
/// Its memory is bounded: it stores the snapshots of three seconds or 4 MiB. Equal snapshots share their memory.
#[derive(Debug, Default)]
pub struct Sender {
    sent: Storage,
    acks: AckState,
    empty: Arc<Snapshot>,
}

/// Buffers for building and packing deltas. All clients of a server can share one.
#[derive(Debug)]
pub struct DeltaScratch {
    delta: Delta,
    packed: Vec<u8>,
}

impl Default for DeltaScratch {
    fn default() -> Self {
        Self { delta: Delta::default(), packed: vec![0; MAX_PACKED] }
    }
}

impl Sender {
    /// Removes the sent snapshots and the acknowledgement, for a new map.
    pub fn reset(&mut self) {
        self.sent.clear();
        self.acks = AckState::default();
    }

    /// Returns the current rate.
    pub const fn rate(&self) -> SnapRate {
        self.acks.rate
    }

    /// Handles the tick that the client acknowledges with an input. -1 requests a full snapshot.
    ///
    /// A tick that is not stored is ignored, because it is not available as a base. A tick that is older than the last
    /// one is ignored, because the client may have dropped its snapshot.
    pub fn acknowledge(&mut self, tick: i32) {
        let Self { sent, acks, .. } = self;
        acks.acknowledge(tick, |tick| sent.get(tick).is_some());
    }

    /// Stores `snapshot` as the snapshot of `tick`, and returns the messages that send it, in order. Call this if a
    /// snapshot is due at the [`Sender::rate`].
    ///
    /// # Errors
    /// [`CodecError`](gamewire_wire::CodecError) if the delta does not fit 64 parts. Nothing is stored or sent.
    pub fn send<'a>(
        &mut self,
        tick: i32,
        snapshot: &Snapshot,
        sizes: Sizes,
        scratch: &'a mut DeltaScratch,
    ) -> Result<Messages<'a>> {
        self.sent.purge_before(tick.saturating_sub(MAX_AGE_TICKS));
        let DeltaScratch { delta, packed } = scratch;
        let (mut base_tick, mut base) = match self.sent.get(self.acks.acked) {
            Some(base) => (self.acks.acked, Arc::clone(base)),
            None => {
                self.acks.on_missing_base();
                (-1, Arc::clone(&self.empty))
            }
        };
        if delta.build(&base, snapshot).is_err() {
            // An item changed its size. A delta cannot express this.
            (base_tick, base) = (-1, Arc::clone(&self.empty));
            delta.build(&base, snapshot)?;
        }
        let is_same = delta.deleted().is_empty() && delta.updates().is_empty();
        let mut length = 0;
        if !is_same {
            let mut to = Writer::new(packed);
            delta.write(sizes, &mut to)?;
            length = to.len();
            base = self.copy(snapshot);
        }
        self.sent.keep(tick, base);
        let data = packed.get(..length).unwrap_or_default();
        Ok(Messages::new(tick, tick.wrapping_sub(base_tick), snapshot.crc(), data))
    }

    /// Returns the allocated memory in bytes.
    pub const fn held_bytes(&self) -> usize {
        self.sent.held_bytes()
    }

    fn copy(&mut self, snapshot: &Snapshot) -> Arc<Snapshot> {
        let mut copy = self.sent.fresh();
        match Arc::get_mut(&mut copy) {
            Some(place) => {
                place.copy_without(snapshot, &[]);
                copy
            }
            // A snapshot of `fresh` has no other owner.
            None => Arc::new(snapshot.clone()),
        }
    }
}

/// The messages of one snapshot.
#[derive(Clone, Debug)]
pub struct Messages<'a> {
    tick: i32,
    delta: i32,
    crc: i32,
    /// Unsent bytes.
    data: &'a [u8],
    num_parts: i32,
    part: i32,
}

impl<'a> Messages<'a> {
    pub(crate) fn new(tick: i32, delta: i32, crc: i32, data: &'a [u8]) -> Self {
        let num_parts = i32::try_from(data.len().div_ceil(PART_BYTES)).unwrap_or(i32::MAX);
        Self { tick, delta, crc, data, num_parts, part: 0 }
    }
}

impl<'a> Iterator for Messages<'a> {
    type Item = SnapshotMessage<'a>;

    fn next(&mut self) -> Option<SnapshotMessage<'a>> {
        let Self { tick, delta, crc, data, num_parts, part } = *self;
        if part >= num_parts.max(1) {
            return None;
        }
        let (first, rest) = data.split_at(data.len().min(PART_BYTES));
        (self.data, self.part) = (rest, part.saturating_add(1));
        Some(match num_parts {
            0 => SnapshotMessage::Empty(SnapEmpty { tick, delta }),
            1 => SnapshotMessage::Single(SnapSingle { tick, delta, crc, data: SizedData(first) }),
            _ => SnapshotMessage::Part(Snap { tick, delta, num_parts, part, crc, data: SizedData(first) }),
        })
    }
}
