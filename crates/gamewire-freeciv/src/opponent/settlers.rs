//! Settlers, workers and explorers.

use super::outlook::Outlook;
use super::{Opponent, own, site};
use crate::orders;
use crate::packets::OwnedPacket;
use crate::world::{Unit, World};

/// Turn until which settlers without a site wait for one.
const LAST_WAIT: i16 = 60;

impl Opponent {
    /// Adds the orders for units that do not fight.
    pub(super) fn command(&mut self, world: &World, outlook: &Outlook, orders: &mut Vec<OwnedPacket>) {
        self.sites.retain(|unit, _| world.unit(*unit).is_some());
        self.attempts.retain(|unit, _| world.unit(*unit).is_some());
        for unit in world.my_units().filter(|unit| unit.moves_left() > Some(0)) {
            let Some(unit_type) = world.type_of(unit) else { continue };
            let name = unit_type.rule_name.to_str_lossy();
            match &*name {
                "Settlers" => self.command_settlers(world, outlook, unit, orders),
                "Workers" | "Engineers" if unit.is_idle() => {
                    orders.extend(orders::auto_work(world, unit.id()));
                }
                "Explorer" if unit.is_idle() => orders.push(orders::explore(world, unit.id())),
                _ => {}
            }
        }
    }

    /// Founds a city, or moves the settlers to their site.
    fn command_settlers(
        &mut self,
        world: &World,
        outlook: &Outlook,
        unit: &Unit,
        orders: &mut Vec<OwnedPacket>,
    ) {
        let tile = unit.tile();
        if self.attempts.remove(&unit.id()) == Some(tile) {
            // The unit still exists, so the server rejected the order.
            self.avoided.insert(tile);
            self.sites.remove(&unit.id());
        }
        let Some(site) = site::best(self, world, outlook, unit) else {
            if let Some(city) =
                world.cities().at(tile).filter(|city| city.size() < 8 && world.turn() > LAST_WAIT)
            {
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
