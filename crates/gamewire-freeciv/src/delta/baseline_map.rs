use std::collections::HashMap;
use std::collections::hash_map::Entry;

use gamewire_schema::ir::{Info, Protocol};

use super::error::DeltaErrorKind;
use super::packet_layout::{Key, MAX_KEYS, PacketLayout};
use super::value::Value;
use super::variants::Variants;

/// Limits of the baselines of one direction. Exceeding one ends the connection, because a missing baseline would be a
/// silent desync.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeltaLimits {
    /// Maximum number of baselines, over all types and keys.
    pub baselines: usize,
    /// Maximum approximate bytes of the baselines.
    pub bytes: usize,
}

impl DeltaLimits {
    /// 262,144 packets in 128 MiB: more than a game on the largest maps in use needs.
    pub const DEFAULT: Self = Self { baselines: 1 << 18, bytes: 128 << 20 };
}

/// The baselines of one direction: the last packet of each type and key.
#[derive(Clone, Debug)]
pub(super) struct BaselineMap {
    limits: DeltaLimits,
    /// Maps by key, in the order of the protocol's packets.
    slots: Vec<HashMap<Key, Baseline>>,
    baselines: usize,
    bytes: usize,
}

/// The packets that a decoder or encoder remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryUsage {
    /// Number of remembered packets.
    pub packets: usize,
    /// Their approximate bytes.
    pub bytes: usize,
}

/// The bytes counted for a baseline, before and after a packet.
#[derive(Clone, Copy)]
pub(super) struct WeightChange {
    before: usize,
    now: usize,
}

/// A baseline.
#[derive(Clone, Debug)]
pub(super) struct Baseline {
    pub(super) values: Vec<Value>,
    /// Bytes counted for it.
    weight: usize,
}

impl Baseline {
    /// Updates the counted bytes.
    pub(super) fn update_weight(&mut self) -> WeightChange {
        let fixed = size_of::<Value>().saturating_mul(self.values.len());
        let now = self.values.iter().fold(fixed, |sum, value| sum.saturating_add(value.heap()));
        WeightChange { before: core::mem::replace(&mut self.weight, now), now }
    }
}

impl BaselineMap {
    pub(super) fn new(limits: DeltaLimits) -> Self {
        Self { limits, slots: Vec::new(), baselines: 0, bytes: 0 }
    }

    /// Returns the memory that the baselines use.
    pub(super) const fn usage(&self) -> MemoryUsage {
        MemoryUsage { packets: self.baselines, bytes: self.bytes }
    }

    pub(super) fn get(&self, place: usize, key: &Key) -> Option<&Baseline> {
        self.slots.get(place)?.get(key)
    }

    /// Returns the baselines of the packet at this index.
    pub(super) fn of(&self, place: usize) -> impl Iterator<Item = (&Key, &Baseline)> {
        self.slots.get(place).into_iter().flatten()
    }

    /// Returns the baseline of a key and whether it existed before. A new baseline has default values.
    pub(super) fn entry(
        &mut self,
        variants: &Variants,
        plan: &PacketLayout,
        key: Key,
    ) -> Result<(&mut Baseline, bool), DeltaErrorKind> {
        if self.slots.len() < variants.len() {
            self.slots.resize_with(variants.len(), HashMap::new);
        }
        let Some(slot) = self.slots.get_mut(plan.packet) else { return Err(DeltaErrorKind::Unknown) };
        let vacant = match slot.entry(key) {
            Entry::Occupied(known) => return Ok((known.into_mut(), true)),
            Entry::Vacant(vacant) => vacant,
        };
        if self.baselines >= self.limits.baselines {
            return Err(DeltaErrorKind::Baselines { limit: self.limits.baselines });
        }
        let bytes = self.bytes.saturating_add(plan.weight);
        if bytes > self.limits.bytes {
            return Err(DeltaErrorKind::Memory { limit: self.limits.bytes });
        }
        self.bytes = bytes;
        self.baselines = self.baselines.saturating_add(1);
        Ok((vacant.insert(Baseline { values: plan.zero.clone(), weight: plan.weight }), false))
    }

    /// Updates the total number of bytes after a baseline's bytes changed.
    pub(super) fn count(&mut self, change: WeightChange) -> Result<(), DeltaErrorKind> {
        let WeightChange { before, now } = change;
        self.bytes = self.bytes.saturating_sub(before).saturating_add(now);
        if self.bytes > self.limits.bytes {
            return Err(DeltaErrorKind::Memory { limit: self.limits.bytes });
        }
        Ok(())
    }

    /// Removes the baselines that a packet cancels. Their key is `first`, the packet's first field, even if that is not
    /// a key field.
    pub(super) fn cancel(&mut self, variants: &Variants, place: usize, first: Option<i64>) {
        for &other in variants.cancelled(place) {
            let mut key = [0; MAX_KEYS];
            if variants.key_count(other) > 0
                && let (Some(part), Some(first)) = (key.first_mut(), first)
            {
                *part = first;
            }
            if let Some(removed) = self.slots.get_mut(other).and_then(|slot| slot.remove(&key)) {
                self.baselines = self.baselines.saturating_sub(1);
                self.bytes = self.bytes.saturating_sub(removed.weight);
            }
        }
    }

    /// Removes the baselines of all packets that describe the game.
    pub(super) fn forget_game_info(&mut self, protocol: &Protocol) {
        for (slot, packet) in self.slots.iter_mut().zip(&protocol.packets) {
            if packet.info == Info::GameInfo {
                self.baselines = self.baselines.saturating_sub(slot.len());
                for (_, baseline) in slot.drain() {
                    self.bytes = self.bytes.saturating_sub(baseline.weight);
                }
            }
        }
    }
}

/// The methods for variants and baselines, which decoder and encoder share.
macro_rules! baseline_methods {
    () => {
        /// Replaces the variants after the capabilities were negotiated. They must belong to the same protocol.
        pub fn set_variants(&mut self, variants: Arc<Variants>) {
            self.variants = variants;
        }

        /// Returns the variants in use.
        pub const fn variants(&self) -> &Arc<Variants> {
            &self.variants
        }

        /// Removes the baselines of all packets that describe the game. Call it when the connection gets another player
        /// or becomes an observer.
        pub fn forget_game_info(&mut self) {
            self.memory.forget_game_info(self.variants.protocol());
        }

        /// Returns the memory that the remembered packets use.
        pub const fn memory_usage(&self) -> crate::delta::MemoryUsage {
            self.memory.usage()
        }
    };
}

pub(super) use baseline_methods;
