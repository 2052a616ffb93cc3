//! The state of one direction of a connection.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};

use gamewire_schema::ir::{CapabilityMask, Info};

use super::definition::PacketDefinition;
use super::packet::{AnyPacket, PacketType};
use super::version::ProtocolVersion;
use crate::delta::{
    DeltaError, DeltaErrorKind, DeltaLimits, Direction, FieldCursor, MAX_KEYS, MemoryUsage, PacketLayout,
};

/// The state of one direction of one connection, except the remembered packets.
#[derive(Clone, Debug)]
pub(super) struct Context {
    direction: Direction,
    pub(super) version: ProtocolVersion,
    /// Looks up a packet type by number and version.
    find: fn(u16, ProtocolVersion) -> Option<&'static PacketType>,
    /// The capabilities of the connection; `None` before they are agreed on.
    active: Option<Vec<String>>,
    /// Name of the previous packet.
    previous: Option<&'static str>,
    /// The error that ended the stream.
    pub(super) failed: Option<Box<DeltaError>>,
}

impl Context {
    pub(super) const fn new(
        direction: Direction,
        find: fn(u16, ProtocolVersion) -> Option<&'static PacketType>,
    ) -> Self {
        let version = ProtocolVersion::V3_0;
        Self { direction, version, find, active: None, previous: None, failed: None }
    }

    /// Returns the type with a number.
    pub(super) fn find(&self, number: u16) -> Option<&'static PacketType> {
        (self.find)(number, self.version)
    }

    pub(super) fn set_capabilities(&mut self, active: &[&str]) {
        self.active = Some(active.iter().map(|name| (*name).to_owned()).collect());
    }

    /// Returns the active capabilities that the packet names. Fails if the packet cannot be sent in this direction, or
    /// needs capabilities that are not negotiated yet.
    pub(super) fn mask(&self, definition: &PacketDefinition) -> Result<CapabilityMask, DeltaErrorKind> {
        let is_allowed = match self.direction {
            Direction::ToClient => definition.directions.to_client,
            Direction::ToServer => definition.directions.to_server,
        };
        if !is_allowed {
            return Err(DeltaErrorKind::Direction);
        }
        let mut mask = CapabilityMask(self.version.bits());
        if definition.has_variants(self.version) {
            let active = self.active.as_deref().ok_or(DeltaErrorKind::Variant)?;
            for (index, name) in definition.capabilities.iter().enumerate() {
                if active.iter().any(|active| active == name) {
                    mask = mask.with(index);
                }
            }
        }
        Ok(mask)
    }

    /// Removes the remembered packets that a packet of this type cancels. Their key is `first`, the value of the first
    /// field of that packet. Returns the packet itself if it is one of them.
    pub(super) fn cancel(
        &self,
        baselines: &mut Baselines,
        definition: &PacketDefinition,
        first: Option<i64>,
    ) -> Option<Box<dyn AnyPacket>> {
        let mut own = None;
        for number in definition.cancels {
            let Some(other) = self.find(*number).map(|kind| kind.definition) else { continue };
            let mut key = Key { number: *number, parts: [0; MAX_KEYS] };
            let has_keys = self.mask(other).is_ok_and(|mask| other.keys(mask).next().is_some());
            if let (true, [part, ..], Some(first)) = (has_keys, &mut key.parts, first) {
                *part = first;
            }
            let gone = baselines.remove(&key);
            if *number == definition.number {
                own = gone;
            }
        }
        own
    }

    /// Records the name of a packet that was decoded or encoded, for the next error.
    pub(super) const fn passed(&mut self, definition: &PacketDefinition) {
        self.previous = Some(definition.name);
    }

    /// Creates the error for a packet number that the protocol does not have.
    #[cold]
    pub(super) fn unknown(&self, number: u16) -> Box<DeltaError> {
        Box::new(DeltaError::of_packet(number, None, DeltaErrorKind::Unknown, self.previous))
    }

    /// Creates the error for a packet with this bitvector. `cursor` is the position of the error.
    #[cold]
    pub(super) fn error(
        &self,
        definition: &PacketDefinition,
        cursor: &FieldCursor,
        bits: &[u8],
        kind: DeltaErrorKind,
    ) -> Box<DeltaError> {
        let packet = definition.all_forms();
        let layout = self.mask(definition).ok().and_then(|mask| PacketLayout::new(&packet, 0, mask).ok());
        match layout {
            Some(layout) => cursor.error(&packet, &layout, bits, kind, self.previous),
            None => {
                let name = Some(definition.name);
                Box::new(DeltaError::of_packet(definition.number, name, kind, self.previous))
            }
        }
    }
}

/// Returns the value of a packet's field as a number.
pub(super) fn number(packet: &dyn AnyPacket, field: usize) -> Option<i64> {
    packet.field(field)?.value().as_int()
}

/// Returns the key of the packets that a packet cancels: the value of its first field.
pub(super) fn first(packet: &dyn AnyPacket, mask: CapabilityMask) -> Option<i64> {
    let definition = packet.definition();
    if definition.cancels.is_empty() {
        return None;
    }
    definition.first(mask).and_then(|field| number(packet, field))
}

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
