use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};

use gamewire_schema::ir::Info;

use super::packet::AnyPacket;
use crate::delta::{DeltaErrorKind, DeltaLimits, MAX_KEYS, MemoryUsage};

/// The last packet of each type and key, for one direction of one connection.
#[derive(Clone, Debug)]
pub(super) struct Baselines {
    limits: DeltaLimits,
    packets: HashMap<Key, Baseline>,
    /// Approximate bytes of all packets.
    bytes: usize,
}

/// The type of a packet and the values of its keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) number: u16,
    pub(super) parts: [i64; MAX_KEYS],
}

/// A remembered packet.
#[derive(Clone, Debug)]
struct Baseline {
    packet: Box<dyn AnyPacket>,
    /// Bytes counted for the packet.
    bytes: usize,
}

/// A remembered packet that the caller reads or writes over.
pub(super) struct Slot<'a> {
    pub(super) packet: &'a mut dyn AnyPacket,
    /// True if the packet was remembered before this call.
    pub(super) is_known: bool,
    counted: &'a mut usize,
    total: &'a mut usize,
    limit: usize,
}

impl Baselines {
    pub(super) fn new(limits: DeltaLimits) -> Self {
        Self { limits, packets: HashMap::new(), bytes: 0 }
    }

    /// Returns the memory that the packets use.
    pub(super) fn memory_usage(&self) -> MemoryUsage {
        MemoryUsage { packets: self.packets.len(), bytes: self.bytes }
    }

    /// Returns the packet with a key.
    pub(super) fn get(&self, key: &Key) -> Option<&dyn AnyPacket> {
        self.packets.get(key).map(|baseline| &*baseline.packet)
    }

    /// Returns the slot of the packet with a key, if it is remembered.
    pub(super) fn slot(&mut self, key: &Key) -> Option<Slot<'_>> {
        let Baseline { packet, bytes } = self.packets.get_mut(key)?;
        let (total, limit) = (&mut self.bytes, self.limits.bytes);
        Some(Slot { packet: &mut **packet, is_known: true, counted: bytes, total, limit })
    }

    /// Returns the slot of a key. If no packet is remembered, inserts a new one. Its bytes are not counted yet.
    pub(super) fn slot_or_insert(
        &mut self,
        key: Key,
        new: impl FnOnce() -> Box<dyn AnyPacket>,
    ) -> Result<Slot<'_>, DeltaErrorKind> {
        let count = self.packets.len();
        let (total, limit) = (&mut self.bytes, self.limits.bytes);
        let (baseline, is_known) = match self.packets.entry(key) {
            Entry::Occupied(known) => (known.into_mut(), true),
            Entry::Vacant(_) if count >= self.limits.baselines => {
                return Err(DeltaErrorKind::Baselines { limit: self.limits.baselines });
            }
            Entry::Vacant(vacant) => (vacant.insert(Baseline { packet: new(), bytes: 0 }), false),
        };
        let Baseline { packet, bytes } = baseline;
        Ok(Slot { packet: &mut **packet, is_known, counted: bytes, total, limit })
    }

    /// Removes a packet and returns it.
    pub(super) fn remove(&mut self, key: &Key) -> Option<Box<dyn AnyPacket>> {
        let baseline = self.packets.remove(key)?;
        self.bytes = self.bytes.saturating_sub(baseline.bytes);
        Some(baseline.packet)
    }

    /// Removes all packets that describe the game.
    pub(super) fn forget_game_info(&mut self) {
        let bytes = &mut self.bytes;
        self.packets.retain(|_, baseline| {
            let is_kept = baseline.packet.definition().info != Info::GameInfo;
            if !is_kept {
                *bytes = bytes.saturating_sub(baseline.bytes);
            }
            is_kept
        });
    }
}

impl Slot<'_> {
    /// Updates the bytes counted for the packet.
    pub(super) fn count(&mut self) -> Result<(), DeltaErrorKind> {
        let now = self.packet.bytes().saturating_add(size_of::<(Key, Baseline)>());
        let before = core::mem::replace(self.counted, now);
        *self.total = self.total.saturating_sub(before).saturating_add(now);
        if *self.total > self.limit {
            return Err(DeltaErrorKind::Memory { limit: self.limit });
        }
        Ok(())
    }
}

/// Hashes only the first key, because a packet of Freeciv has at most one.
impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [first, others @ ..] = self.parts;
        state.write_i64(first ^ i64::from(self.number) << 40);
        others.iter().filter(|part| **part != 0).for_each(|part| state.write_i64(*part));
    }
}
