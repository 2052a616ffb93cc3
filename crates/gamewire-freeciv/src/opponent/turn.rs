use super::{Opponent, own};
use super::{city, defense, nation, site};
use crate::orders;
use crate::packets::OwnedPacket;
use crate::world::{Unit, World};

impl Opponent {
    /// Returns the orders of a turn, except the order to end it. Call it once, after the turn has begun.
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

    /// Adds the orders for a unit by its type. Defenders are ordered separately, all together.
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

    /// Founds a city, or moves the settlers to their site.
    fn command_settlers(&mut self, world: &World, unit: &Unit, orders: &mut Vec<OwnedPacket>) {
        let tile = unit.tile();
        if self.attempts.remove(&unit.id()) == Some(tile) {
            // The unit still exists, so the server rejected the order.
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
