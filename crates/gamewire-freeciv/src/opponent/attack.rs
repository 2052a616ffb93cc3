//! Attacks on enemies next to own units, and empty cities that are taken.

use super::outlook::{Outlook, is_enemy, strength};
use super::{defense, own};
use crate::orders;
use crate::packets::{OwnedPacket, RulesetUnit};
use crate::world::{Unit, World};

/// Strength with which a unit attacks, in percent of the enemy's strength.
const NEEDED: u32 = 150;
/// The same for the last defender of a city.
const NEEDED_BY_LAST: u32 = 400;

/// Attacks with each fighter that is clearly stronger than an enemy next to it.
pub(super) fn attack(world: &World, outlook: &Outlook, orders: &mut Vec<OwnedPacket>) {
    for unit in world.my_units().filter(|unit| outlook.is_defender(unit) && unit.moves_left() > Some(0)) {
        let is_last = world.cities().at(unit.tile()).is_some()
            && defense::defenders(world, outlook, unit.tile()).count() < 2;
        let needed = if is_last { NEEDED_BY_LAST } else { NEEDED };
        let tiles = world.map().neighbors(unit.tile()).map(|tile| tile.tile);
        for tile in tiles {
            if let Some(order) = against(world, unit, tile, needed, is_last) {
                orders.push(order);
                break;
            }
        }
    }
}

/// Returns the order against the units or the city of a tile, if the unit should act.
fn against(world: &World, unit: &Unit, tile: i32, needed: u32, is_last: bool) -> Option<OwnedPacket> {
    let mut enemies = world.units_at(tile).filter(|other| is_enemy(world, other.owner())).peekable();
    let city = world.cities().at(tile);
    if enemies.peek().is_none() {
        let city = city.filter(|city| is_enemy(world, city.owner()) && !is_last)?;
        return orders::conquer_city(world, unit.id(), city.id()).ok().map(|order| own(&order));
    }
    if city.is_none() && !world.map().tile(tile).is_some_and(|tile| world.is_native(unit, tile)) {
        return None;
    }
    let power = power(world.type_of(unit)?, unit.hp());
    let strongest = enemies.filter_map(|enemy| Some(strength(world.type_of(enemy)?))).max()?;
    // Terrain, walls and fortification help the defender.
    let defended = strongest.saturating_mul(if city.is_some() { 2 } else { 1 });
    (power.saturating_mul(100) >= defended.saturating_mul(needed))
        .then(|| orders::attack(world, unit.id(), tile).ok().map(|order| own(&order)))
        .flatten()
}

/// Returns the strength of a unit type in attack, with the hit points of a unit.
fn power(rule: &RulesetUnit, hp: u8) -> u32 {
    u32::from(rule.attack_strength).saturating_mul(hp.into()).saturating_mul(u32::from(rule.firepower).max(1))
}
