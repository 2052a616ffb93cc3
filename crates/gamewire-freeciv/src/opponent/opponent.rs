use std::collections::{BTreeMap, BTreeSet};

use crate::packets::{OwnedPacket, Packet};

/// A player that follows rules. It remembers the destinations of its settlers between turns.
#[derive(Clone, Debug, Default)]
pub struct Opponent {
    /// The destination tile of each settlers unit.
    pub(super) sites: BTreeMap<u32, i32>,
    /// The tile on which each settlers unit was ordered to found a city.
    pub(super) attempts: BTreeMap<u32, i32>,
    /// Tiles on which no city could be founded, or that were unreachable.
    pub(super) avoided: BTreeSet<i32>,
    /// The luxury rate in percent.
    pub(super) luxury: u8,
    /// Name of the player, used to name its cities.
    pub(super) name: String,
    /// Number of orders to found a city.
    pub(super) founded: u32,
}

impl Opponent {
    /// Creates an opponent that names its cities after `name`.
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }
}

/// Converts an order to an owned packet.
pub(super) fn own<'a>(order: impl Into<Packet<'a>>) -> OwnedPacket {
    order.into().into()
}
