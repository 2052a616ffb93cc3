//! A scripted opponent: it expands, defends, researches, builds and taxes by readable rules.
//!
//! [`Opponent::turn`] evaluates the world at the start of a turn and returns the orders of the turn. Each file has the
//! rules of one subject: `site` and `settlers` found cities, `citizens` places their workers, `benefit`, `production`,
//! `wonder` and `purchase` build, `defense` and `attack` use fighters, `research`, `government` and `treaties` govern.
//! docs/freeciv-opponent.md compares the opponent with the AI of the server.

mod attack;
mod benefit;
mod citizens;
mod defense;
mod government;
mod outlook;
mod production;
mod purchase;
mod research;
mod settlers;
mod site;
mod treaties;
mod turn;
mod wonder;

use std::collections::{BTreeMap, BTreeSet};

use crate::packets::{OwnedPacket, Packet};

/// A player that follows rules. It remembers the destinations of its settlers between turns.
#[derive(Clone, Debug, Default)]
pub struct Opponent {
    /// The destination tile of each settlers unit.
    sites: BTreeMap<u32, i32>,
    /// The tile on which each settlers unit was ordered to found a city.
    attempts: BTreeMap<u32, i32>,
    /// Tiles on which no city could be founded, or that were unreachable.
    avoided: BTreeSet<i32>,
    /// The luxury rate in percent.
    luxury: u8,
    /// Name of the player, used to name its cities.
    name: String,
    /// Number of orders to found a city.
    founded: u32,
}

impl Opponent {
    /// Creates an opponent that names its cities after `name`.
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }
}

/// Converts an order to an owned packet.
fn own<'a>(order: impl Into<Packet<'a>>) -> OwnedPacket {
    order.into().into()
}
