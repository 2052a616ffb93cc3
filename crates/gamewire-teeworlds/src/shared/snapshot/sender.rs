use std::sync::Arc;

use gamewire_wire::{CodecError, Writer};

use super::{Delta, MAX_PARTS, PART_BYTES, Sizes, Snapshot, Storage};
use crate::shared::version::SnapshotMessage;

/// How long a snapshot that was sent is kept to build on, in ticks: three seconds.
const KEPT_TICKS: i32 = 150;
/// The most bytes that all parts of a snapshot hold.
const MAX_PACKED: usize = MAX_PARTS as usize * PART_BYTES;

/// How often a client is sent a snapshot, as the games do it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SnapRate {
    /// The client has not acknowledged any: every tenth tick.
    #[default]
    Init,
    /// What the client acknowledged is not kept any more: once a second, for each is a whole one.
    Recover,
    /// Every tick.
    Full,
}

impl SnapRate {
    /// Whether a snapshot is to be sent at `tick`.
    #[must_use]
    pub const fn is_due(self, tick: i32) -> bool {
        match self {
            Self::Init => tick.rem_euclid(10) == 0,
            Self::Recover => tick.rem_euclid(50) == 0,
            Self::Full => true,
        }
    }
}

/// Sends snapshots to one client: builds each on the last one that the client acknowledged, and
/// splits what does not fit one message.
///
/// What it keeps is bounded: the snapshots of three seconds or 4 MiB. Those that do not differ
/// share their memory.
#[derive(Debug)]
pub struct Sender {
    sent: Storage,
    rate: SnapRate,
    acked: i32,
    empty: Arc<Snapshot>,
}

/// Where deltas are built and packed; one does for all clients of a server.
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

impl Default for Sender {
    fn default() -> Self {
        Self { sent: Storage::default(), rate: SnapRate::default(), acked: -1, empty: Arc::default() }
    }
}

impl Sender {
    /// Forgets what was sent and acknowledged, as when a map begins.
    pub fn reset(&mut self) {
        self.sent.clear();
        (self.rate, self.acked) = (SnapRate::Init, -1);
    }

    /// How often the client is sent a snapshot now.
    #[must_use]
    pub const fn rate(&self) -> SnapRate {
        self.rate
    }

    /// Takes the tick that the client acknowledges with an input; -1 asks for a whole snapshot.
    ///
    /// One that is not kept, or older than one before, changes nothing: the first is nothing to
    /// build on, and the second the client keeps no longer.
    pub fn acknowledge(&mut self, tick: i32) {
        if tick < 0 {
            self.acked = -1;
        } else if tick > self.acked && self.sent.get(tick).is_some() {
            (self.acked, self.rate) = (tick, SnapRate::Full);
        }
    }

    /// Keeps `snapshot` as that of `tick`, and gives the messages that send it, in order. Whether
    /// one is due says [`Sender::rate`].
    ///
    /// # Errors
    /// When the delta is larger than 64 parts hold; nothing is kept or sent then.
    pub fn send<'a>(
        &mut self,
        tick: i32,
        snapshot: &Snapshot,
        sizes: Sizes,
        workbench: &'a mut DeltaScratch,
    ) -> Result<Messages<'a>, CodecError> {
        self.sent.purge_before(tick.saturating_sub(KEPT_TICKS));
        let DeltaScratch { delta, packed } = workbench;
        let (mut base_tick, mut base) = match self.sent.get(self.acked) {
            Some(base) => (self.acked, Arc::clone(base)),
            None => {
                if self.rate == SnapRate::Full {
                    self.rate = SnapRate::Recover;
                }
                (-1, Arc::clone(&self.empty))
            }
        };
        if delta.build(&base, snapshot).is_err() {
            // An item changed its size, which no delta can say.
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

    /// How much memory is held, in bytes.
    #[must_use]
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
            // What `fresh` gives is held by nobody else.
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
    /// What is not given yet.
    data: &'a [u8],
    num_parts: i32,
    part: i32,
}

impl<'a> Messages<'a> {
    fn new(tick: i32, delta: i32, crc: i32, data: &'a [u8]) -> Self {
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
            0 => SnapshotMessage::Empty { tick, delta },
            1 => SnapshotMessage::Single { tick, delta, crc, data: first },
            _ => SnapshotMessage::Part { tick, delta, num_parts, part, crc, data: first },
        })
    }
}
