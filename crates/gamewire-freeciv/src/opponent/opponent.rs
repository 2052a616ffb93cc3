use std::collections::{BTreeMap, BTreeSet};

use super::{city, defense, nation, site};
use crate::orders;
use crate::packets::{OwnedPacket, Packet};
use crate::world::{Unit, World};

/// A player by rules. It remembers between turns where its settlers go.
#[derive(Clone, Debug, Default)]
pub struct Opponent {
    /// The tile on which each settlers will found a city.
    pub(super) sites: BTreeMap<u32, i32>,
    /// The tile on which each settlers were ordered to found a city.
    attempts: BTreeMap<u32, i32>,
    /// Tiles on which no city could be founded, or that could not be reached.
    pub(super) avoided: BTreeSet<i32>,
    /// Luxury in percent.
    pub(super) luxury: u8,
    /// Name of the player, for those of its cities.
    name: String,
    /// Number of cities that were ordered.
    founded: u32,
}

impl Opponent {
    /// Creates an opponent whose cities are called after a name.
    pub fn new(name: &str) -> Self {
        Self { name: name.to_owned(), ..Self::default() }
    }

    /// Returns the orders of a turn, without its end. Call it once, when the turn has begun.
    pub fn turn(&mut self, world: &World) -> Vec<OwnedPacket> {
        let mut orders = Vec::new();
        nation::rule(self, world, &mut orders);
        self.sites.retain(|unit, _| world.unit(*unit).is_some());
        self.attempts.retain(|unit, _| world.unit(*unit).is_some());
        for unit in world.my_units().filter(|unit| unit.moves_left() > Some(0)) {
            self.command(world, unit, &mut orders);
        }
        defense::station(world, &mut orders);
        city::manage(self, world, &mut orders);
        orders
    }

    /// Gives a unit the order that its type is for. Defenders are stationed together.
    fn command(&mut self, world: &World, unit: &Unit, orders: &mut Vec<OwnedPacket>) {
        let Some(unit_type) = world.type_of(unit) else { return };
        let name = unit_type.rule_name.to_str_lossy();
        match &*name {
            "Settlers" => self.command_settlers(world, unit, orders),
            "Workers" | "Engineers" if unit.is_idle() => {
                orders.extend(orders::auto_work(world, unit.id()));
            }
            "Explorer" | "Diplomat" if unit.is_idle() => orders.push(orders::explore(world, unit.id())),
            _ => {}
        }
    }

    /// Founds a city, or goes to where one is founded.
    fn command_settlers(&mut self, world: &World, unit: &Unit, orders: &mut Vec<OwnedPacket>) {
        let tile = unit.tile();
        if self.attempts.remove(&unit.id()) == Some(tile) {
            // Still here: the server refused.
            self.avoided.insert(tile);
            self.sites.remove(&unit.id());
        }
        let Some(site) = site::best(self, world, unit) else {
            if let Some(city) = world.cities().at(tile).filter(|city| city.size() < 8) {
                orders.extend(orders::join_city(world, unit.id(), city.id()).ok().map(|order| own(&order)));
            }
            return;
        };
        self.sites.insert(unit.id(), site);
        if site == tile {
            self.attempts.insert(unit.id(), tile);
            self.founded = self.founded.saturating_add(1);
            let name = match self.founded {
                1 => format!("{} City", self.name),
                number => format!("{} City {number}", self.name),
            };
            let order = orders::found_city(world, unit.id(), &name);
            let order =
                order.or_else(|_| orders::found_city(world, unit.id(), &format!("City {}", self.founded)));
            orders.extend(order.ok().map(|order| own(&order)));
            return;
        }
        match orders::go_to(world, unit.id(), site) {
            Ok(order) => orders.push(own(&order)),
            Err(_) => {
                self.avoided.insert(site);
                self.sites.remove(&unit.id());
            }
        }
    }
}

/// Returns an order as a packet of any kind.
pub(super) fn own<'a>(order: impl Into<Packet<'a>>) -> OwnedPacket {
    order.into().into()
}
