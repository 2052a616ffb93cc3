use std::sync::Arc;

use gamewire_schema::ir::{Directions, Packet, Protocol};

use super::error::DeltaErrorKind;
use super::plan::{PacketLayout, UnsupportedPacket};
use super::value::Value;

/// Which way packets go.
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

/// A protocol with the capabilities of one connection: what is sent of each packet is worked out
/// here, once.
#[derive(Debug)]
pub struct Variants {
    protocol: Arc<Protocol>,
    /// The place in `plans` for each number.
    places: Vec<Option<usize>>,
    /// In the order of the protocol; `None` where it depends on capabilities not known yet.
    plans: Vec<Option<PacketLayout>>,
    /// For each plan the plans whose remembered packet it cancels.
    cancels: Vec<Vec<usize>>,
}

impl Variants {
    /// Before capabilities are agreed on: packets that depend on them are errors.
    ///
    /// # Errors
    /// When the protocol has a packet that the interpreter cannot handle.
    pub fn before_join(protocol: Arc<Protocol>) -> Result<Self, UnsupportedPacket> {
        Self::build(protocol, None)
    }

    /// With the capabilities that both sides have; others are left out.
    ///
    /// # Errors
    /// When the protocol has a packet that the interpreter cannot handle.
    pub fn new(protocol: Arc<Protocol>, active: &[&str]) -> Result<Self, UnsupportedPacket> {
        Self::build(protocol, Some(active))
    }

    /// A protocol of which nothing can be read.
    pub(crate) const fn of_nothing(protocol: Arc<Protocol>) -> Self {
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

    /// The definition.
    #[must_use]
    pub fn protocol(&self) -> &Arc<Protocol> {
        &self.protocol
    }

    /// The packet with a number.
    #[must_use]
    pub fn packet(&self, number: u16) -> Option<&Packet> {
        let place = self.places.get(usize::from(number)).copied().flatten()?;
        self.protocol.packets.get(place)
    }

    /// A value for each field of a packet that goes in a direction, all zero and empty; `None` if
    /// there is no such packet, or its fields depend on capabilities that are not known yet.
    #[must_use]
    pub fn default_values(&self, number: u16, direction: Direction) -> Option<&[Value]> {
        self.plan(number, direction).ok().map(|(_, plan)| plan.zero.as_slice())
    }

    pub(super) fn plan(
        &self,
        number: u16,
        direction: Direction,
    ) -> Result<(&Packet, &PacketLayout), DeltaErrorKind> {
        let place = self.places.get(usize::from(number)).copied().flatten().ok_or(DeltaErrorKind::Unknown)?;
        let packet = self.protocol.packets.get(place).ok_or(DeltaErrorKind::Unknown)?;
        if !direction.allows(packet.directions) {
            return Err(DeltaErrorKind::Direction);
        }
        let plan = self.plans.get(place).and_then(Option::as_ref).ok_or(DeltaErrorKind::Variant)?;
        Ok((packet, plan))
    }

    /// The plans whose remembered packet one of this place cancels.
    pub(super) fn cancelled(&self, place: usize) -> &[usize] {
        self.cancels.get(place).map_or(&[], Vec::as_slice)
    }

    /// How many keys the packet of this place has.
    pub(super) fn key_count(&self, place: usize) -> usize {
        self.plans.get(place).and_then(Option::as_ref).map_or(0, |plan| plan.keys.len())
    }

    pub(super) fn len(&self) -> usize {
        self.plans.len()
    }
}
