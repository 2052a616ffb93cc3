use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};

use gamewire_schema::ir::{CapabilityMask, Info};

use super::definition::PacketDefinition;
use super::packet::{AnyPacket, PacketType};
use crate::delta::{DeltaError, DeltaErrorKind, DeltaLimits, Direction, FieldCursor, MAX_KEYS, PacketLayout};

/// The state of a decoder or an encoder: one direction of one connection.
#[derive(Clone, Debug)]
pub(super) struct State {
    direction: Direction,
    limits: DeltaLimits,
    /// The types of the protocol.
    pub(super) find: fn(u16) -> Option<&'static PacketType>,
    /// The capabilities of the connection; `None` before they are agreed on.
    active: Option<Vec<String>>,
    /// The last packet of each type and key.
    baselines: HashMap<Key, Baseline>,
    /// Approximate bytes of the baselines.
    bytes: usize,
    /// The packet before.
    previous: Option<&'static str>,
    /// The error that ended the stream.
    pub(super) failed: Option<Box<DeltaError>>,
}

/// The type of a packet and the values of its keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) number: u16,
    pub(super) parts: [i64; MAX_KEYS],
}

/// A remembered packet.
#[derive(Clone, Debug)]
pub(super) struct Baseline {
    pub(super) packet: Box<dyn AnyPacket>,
    /// Bytes that it is counted as.
    bytes: usize,
}

impl State {
    pub(super) fn new(
        direction: Direction,
        limits: DeltaLimits,
        find: fn(u16) -> Option<&'static PacketType>,
    ) -> Self {
        let baselines = HashMap::new();
        Self { direction, limits, find, active: None, baselines, bytes: 0, previous: None, failed: None }
    }

    pub(super) fn set_capabilities(&mut self, active: &[&str]) {
        self.active = Some(active.iter().map(|name| (*name).to_owned()).collect());
    }

    /// Returns the number of remembered packets and approximately their bytes.
    pub(super) fn remembered(&self) -> (usize, usize) {
        (self.baselines.len(), self.bytes)
    }

    /// Returns which of the packet's capabilities are active, if the packet may be sent now.
    pub(super) fn mask(&self, definition: &PacketDefinition) -> Result<CapabilityMask, DeltaErrorKind> {
        let is_allowed = match self.direction {
            Direction::ToClient => definition.directions.to_client,
            Direction::ToServer => definition.directions.to_server,
        };
        if !is_allowed {
            return Err(DeltaErrorKind::Direction);
        }
        let mut mask = CapabilityMask::NONE;
        if !definition.capabilities.is_empty() {
            let active = self.active.as_deref().ok_or(DeltaErrorKind::Variant)?;
            for (index, name) in definition.capabilities.iter().enumerate() {
                if active.iter().any(|active| active == name) {
                    mask = mask.with(index);
                }
            }
        }
        Ok(mask)
    }

    /// Returns the remembered packet with a key.
    pub(super) fn get(&self, key: &Key) -> Option<&dyn AnyPacket> {
        self.baselines.get(key).map(|baseline| &*baseline.packet)
    }

    /// Returns the baseline with a key, and whether there was one. Otherwise it is `new`.
    pub(super) fn entry(
        &mut self,
        key: Key,
        new: impl FnOnce() -> Box<dyn AnyPacket>,
    ) -> Result<(&mut Baseline, bool), DeltaErrorKind> {
        let count = self.baselines.len();
        let vacant = match self.baselines.entry(key) {
            Entry::Occupied(known) => return Ok((known.into_mut(), true)),
            Entry::Vacant(vacant) => vacant,
        };
        if count >= self.limits.baselines {
            return Err(DeltaErrorKind::Baselines { limit: self.limits.baselines });
        }
        let mut baseline = Baseline { packet: new(), bytes: 0 };
        let (_, bytes) = baseline.update_bytes();
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > self.limits.bytes {
            return Err(DeltaErrorKind::Memory { limit: self.limits.bytes });
        }
        Ok((vacant.insert(baseline), false))
    }

    /// Returns the baseline with a key, to change it.
    pub(super) fn get_mut(&mut self, key: &Key) -> Option<&mut Baseline> {
        self.baselines.get_mut(key)
    }

    /// Counts bytes that a baseline took before and takes now.
    pub(super) fn count(&mut self, before: usize, now: usize) -> Result<(), DeltaErrorKind> {
        self.bytes = self.bytes.saturating_sub(before).saturating_add(now);
        if self.bytes > self.limits.bytes {
            return Err(DeltaErrorKind::Memory { limit: self.limits.bytes });
        }
        Ok(())
    }

    /// Forgets a packet, and returns it.
    pub(super) fn remove(&mut self, key: &Key) -> Option<Box<dyn AnyPacket>> {
        let baseline = self.baselines.remove(key)?;
        self.bytes = self.bytes.saturating_sub(baseline.bytes);
        Some(baseline.packet)
    }

    /// Forgets the packets whose key is `first`, the value of the first field of a packet that cancels them.
    /// Returns the packet itself if it is one of them.
    pub(super) fn cancel(
        &mut self,
        definition: &PacketDefinition,
        first: Option<i64>,
    ) -> Option<Box<dyn AnyPacket>> {
        let mut own = None;
        for number in definition.cancels {
            let Some(other) = (self.find)(*number).map(|kind| kind.definition) else { continue };
            let mut key = Key { number: *number, parts: [0; MAX_KEYS] };
            let has_keys = self.mask(other).is_ok_and(|mask| other.keys(mask).next().is_some());
            if let (true, [part, ..], Some(first)) = (has_keys, &mut key.parts, first) {
                *part = first;
            }
            let gone = self.remove(&key);
            if *number == definition.number {
                own = gone;
            }
        }
        own
    }

    /// Forgets all packets that describe the game.
    pub(super) fn forget_game_info(&mut self) {
        let bytes = &mut self.bytes;
        self.baselines.retain(|_, baseline| {
            let is_kept = baseline.packet.definition().info != Info::GameInfo;
            if !is_kept {
                *bytes = bytes.saturating_sub(baseline.bytes);
            }
            is_kept
        });
    }

    /// Notes that a packet was decoded or encoded.
    pub(super) const fn passed(&mut self, definition: &PacketDefinition) {
        self.previous = Some(definition.name);
    }

    /// The error of a packet that the protocol does not have.
    #[cold]
    pub(super) fn unknown(&self, number: u16) -> Box<DeltaError> {
        Box::new(DeltaError::of_packet(number, None, DeltaErrorKind::Unknown, self.previous))
    }

    /// The error of a packet with these bits, where `cursor` is.
    #[cold]
    pub(super) fn error(
        &self,
        definition: &PacketDefinition,
        cursor: &FieldCursor,
        bits: &[u8],
        kind: DeltaErrorKind,
    ) -> Box<DeltaError> {
        let packet = definition.packet();
        let layout = self.mask(definition).ok().and_then(|mask| PacketLayout::new(&packet, 0, mask).ok());
        match layout {
            Some(layout) => cursor.error((&packet, &layout), bits, kind, self.previous),
            None => {
                let name = Some(definition.name);
                Box::new(DeltaError::of_packet(definition.number, name, kind, self.previous))
            }
        }
    }
}

impl Baseline {
    /// Returns the bytes that it was counted as, and those that it takes now.
    pub(super) fn update_bytes(&mut self) -> (usize, usize) {
        let now = self.packet.bytes().saturating_add(size_of::<(Key, Self)>());
        (core::mem::replace(&mut self.bytes, now), now)
    }
}

/// Hashes one number: a packet of Freeciv has at most one key.
impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let [first, others @ ..] = self.parts;
        state.write_i64(first ^ i64::from(self.number) << 40);
        others.iter().filter(|part| **part != 0).for_each(|part| state.write_i64(*part));
    }
}

/// Returns the value of a packet's field as a number.
pub(super) fn number(packet: &dyn AnyPacket, field: usize) -> Option<i64> {
    packet.field(field)?.value().as_int()
}
