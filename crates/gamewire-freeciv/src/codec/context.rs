use gamewire_schema::ir::CapabilityMask;

use super::baselines::{Baselines, Key};
use super::definition::PacketDefinition;
use super::packet::{AnyPacket, PacketType};
use super::version::ProtocolVersion;
use crate::delta::{DeltaError, DeltaErrorKind, Direction, FieldCursor, MAX_KEYS, PacketLayout};

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
