//! The last packet of each type and key.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use gamewire_schema::ir::{Info, Protocol};

use super::error::DeltaErrorKind;
use super::limits::DeltaLimits;
use super::plan::{Key, MAX_KEYS, PacketLayout};
use super::value::Value;
use super::variants::Variants;

/// What one direction remembers.
#[derive(Clone, Debug)]
pub(super) struct BaselineMap {
    limits: DeltaLimits,
    /// In the order of the protocol.
    slots: Vec<HashMap<Key, Baseline>>,
    baselines: usize,
    bytes: usize,
}

/// A remembered packet.
#[derive(Clone, Debug)]
pub(super) struct Baseline {
    pub(super) values: Vec<Value>,
    /// What it was counted as.
    weight: usize,
}

impl Baseline {
    /// What it was counted as, and is from now on.
    pub(super) fn weigh(&mut self) -> (usize, usize) {
        let fixed = size_of::<Value>().saturating_mul(self.values.len());
        let now = self.values.iter().fold(fixed, |sum, value| sum.saturating_add(value.heap()));
        (core::mem::replace(&mut self.weight, now), now)
    }
}

impl BaselineMap {
    pub(super) fn new(limits: DeltaLimits) -> Self {
        Self { limits, slots: Vec::new(), baselines: 0, bytes: 0 }
    }

    pub(super) const fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) const fn baselines(&self) -> usize {
        self.baselines
    }

    pub(super) fn get(&self, place: usize, key: &Key) -> Option<&Baseline> {
        self.slots.get(place)?.get(key)
    }

    /// The packet remembered for a key, all zero if there was none; and whether there was one.
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

    /// Counts what a remembered packet has become: what it was counted as before, and is now.
    pub(super) fn count(&mut self, (before, now): (usize, usize)) -> Result<(), DeltaErrorKind> {
        self.bytes = self.bytes.saturating_sub(before).saturating_add(now);
        if self.bytes > self.limits.bytes {
            return Err(DeltaErrorKind::Memory { limit: self.limits.bytes });
        }
        Ok(())
    }

    /// Forgets what a packet cancels. The key is its first field, whether that is a key or not.
    pub(super) fn cancel(&mut self, variants: &Variants, place: usize, first: Option<i64>) {
        for &other in variants.cancelled(place) {
            let mut key = [0; MAX_KEYS];
            if variants.key_count(other) > 0
                && let (Some(part), Some(first)) = (key.first_mut(), first)
            {
                *part = first;
            }
            if let Some(gone) = self.slots.get_mut(other).and_then(|slot| slot.remove(&key)) {
                self.count_out(&gone);
            }
        }
    }

    /// Forgets all packets of the types that tell of the game.
    pub(super) fn forget_game_info(&mut self, protocol: &Protocol) {
        let (mut baselines, mut bytes) = (0_usize, 0_usize);
        for (slot, packet) in self.slots.iter_mut().zip(&protocol.packets) {
            if packet.info == Info::GameInfo {
                baselines = baselines.saturating_add(slot.len());
                bytes = slot.values().fold(bytes, |sum, gone| sum.saturating_add(gone.weight));
                slot.clear();
            }
        }
        self.baselines = self.baselines.saturating_sub(baselines);
        self.bytes = self.bytes.saturating_sub(bytes);
    }

    fn count_out(&mut self, gone: &Baseline) {
        self.baselines = self.baselines.saturating_sub(1);
        self.bytes = self.bytes.saturating_sub(gone.weight);
    }
}
