use std::sync::Arc;

use gamewire_schema::ir::{Directions, Packet, Protocol};
use gamewire_wire::Trace;

use super::error::{DeltaError, DeltaErrorKind};
use super::packet_layout::{PacketLayout, UnsupportedPacket};
use super::progress::FieldCursor;
use super::value::Value;

/// The direction of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From the server to the client.
    ToClient,
    /// From the client to the server.
    ToServer,
}

impl Direction {
    const fn allows(self, directions: Directions) -> bool {
        match self {
            Self::ToClient => directions.to_client,
            Self::ToServer => directions.to_server,
        }
    }
}

/// A protocol with the capabilities of one connection. The layout of each packet is computed only once.
#[derive(Debug)]
pub struct Variants {
    protocol: Arc<Protocol>,
    /// Index in `plans` for each packet number.
    places: Vec<Option<usize>>,
    /// Layouts in the order of the protocol; `None` if they depend on capabilities that are not negotiated yet.
    plans: Vec<Option<PacketLayout>>,
    /// For each layout, the indices of the layouts that it cancels. Their baselines are removed after the packet.
    cancels: Vec<Vec<usize>>,
}

impl Variants {
    /// Creates the variants before capabilities are negotiated. Packets that depend on capabilities are errors.
    ///
    /// # Errors
    /// [`UnsupportedPacket`] if the interpreter does not support a packet of the protocol.
    pub fn before_join(protocol: Arc<Protocol>) -> Result<Self, UnsupportedPacket> {
        Self::build(protocol, None)
    }

    /// Creates the variants for the capabilities that both sides have.
    ///
    /// # Errors
    /// [`UnsupportedPacket`] if the interpreter does not support a packet of the protocol.
    pub fn new(protocol: Arc<Protocol>, active: &[&str]) -> Result<Self, UnsupportedPacket> {
        Self::build(protocol, Some(active))
    }

    /// Creates variants without any packet.
    pub(crate) const fn empty(protocol: Arc<Protocol>) -> Self {
        Self { protocol, places: Vec::new(), plans: Vec::new(), cancels: Vec::new() }
    }

    fn build(protocol: Arc<Protocol>, active: Option<&[&str]>) -> Result<Self, UnsupportedPacket> {
        let mut places = Vec::new();
        let mut plans = Vec::new();
        for (at, packet) in protocol.packets.iter().enumerate() {
            let number = usize::from(packet.number);
            if places.len() <= number {
                places.resize(number.saturating_add(1), None);
            }
            if let Some(place) = places.get_mut(number) {
                *place = Some(at);
            }
            let plan = match active {
                None if !packet.capabilities.is_empty() => None,
                active => {
                    let mask = packet.mask(active.unwrap_or_default().iter().copied());
                    Some(PacketLayout::new(packet, at, mask)?)
                }
            };
            plans.push(plan);
        }
        let place = |number: &u16| places.get(usize::from(*number)).copied().flatten();
        let cancels =
            protocol.packets.iter().map(|packet| packet.cancels.iter().filter_map(place).collect()).collect();
        Ok(Self { protocol, places, plans, cancels })
    }

    /// Returns the definition.
    pub fn protocol(&self) -> &Arc<Protocol> {
        &self.protocol
    }

    /// Returns the packet with a number.
    pub fn packet(&self, number: u16) -> Option<&Packet> {
        self.protocol.packets.get(self.place(number)?)
    }

    fn place(&self, number: u16) -> Option<usize> {
        self.places.get(usize::from(number)).copied().flatten()
    }

    /// Returns the default values of a packet's fields. Returns `None` if there is no such packet in this direction, or
    /// its fields depend on capabilities that are not negotiated yet.
    pub fn default_values(&self, number: u16, direction: Direction) -> Option<&[Value]> {
        self.plan(number, direction).ok().map(|(_, plan)| plan.zero.as_slice())
    }

    pub(super) fn plan(
        &self,
        number: u16,
        direction: Direction,
    ) -> Result<(&Packet, &PacketLayout), DeltaErrorKind> {
        let place = self.place(number).ok_or(DeltaErrorKind::Unknown)?;
        let packet = self.protocol.packets.get(place).ok_or(DeltaErrorKind::Unknown)?;
        if !direction.allows(packet.directions) {
            return Err(DeltaErrorKind::Direction);
        }
        let plan = self.plans.get(place).and_then(Option::as_ref).ok_or(DeltaErrorKind::Variant)?;
        Ok((packet, plan))
    }

    /// Creates the error for a packet. `cursor` is the position of the error, and `previous` the number of the previous
    /// packet.
    #[cold]
    pub(super) fn error<T: Trace>(
        &self,
        number: u16,
        direction: Direction,
        cursor: &FieldCursor<T>,
        bits: &[u8],
        kind: DeltaErrorKind,
        previous: Option<u16>,
    ) -> Box<DeltaError> {
        let name = |number| self.packet(number).map(|packet| packet.name.as_str());
        let previous = previous.and_then(name);
        match self.plan(number, direction) {
            Ok((packet, plan)) => cursor.error(packet, plan, bits, kind, previous),
            Err(_) => Box::new(DeltaError::of_packet(number, name(number), kind, previous)),
        }
    }

    /// Returns the indices of the layouts that the packet at this index cancels.
    pub(super) fn cancelled(&self, place: usize) -> &[usize] {
        self.cancels.get(place).map_or(&[], Vec::as_slice)
    }

    /// Returns the number of keys of the packet at this index.
    pub(super) fn key_count(&self, place: usize) -> usize {
        self.plans.get(place).and_then(Option::as_ref).map_or(0, |plan| plan.keys.len())
    }

    pub(super) fn len(&self) -> usize {
        self.plans.len()
    }
}

/// Returns the capabilities that both sides have. `ours` and `theirs` are capability strings: words separated by
/// whitespace or commas. Mandatory capabilities start with a `+`.
///
/// `functional` are the capabilities that change packets in the definition. The running time is bounded by their number
/// and the length of the strings.
pub fn active_capabilities<'f>(functional: &'f [String], ours: &str, theirs: &str) -> Vec<&'f str> {
    functional
        .iter()
        .map(String::as_str)
        .filter(|name| has_capability(ours, name) && has_capability(theirs, name))
        .collect()
}

/// Returns whether a capability string contains a word, mandatory or not.
pub(crate) fn has_capability(list: &str, name: &str) -> bool {
    let mut words = list.split(is_separator).filter(|word| !word.is_empty());
    words.any(|word| word.strip_prefix('+').unwrap_or(word) == name)
}

/// Returns whether a character separates the words of a capability string.
pub(crate) const fn is_separator(c: char) -> bool {
    c == ',' || c.is_ascii_whitespace()
}
