//! Units that defend cities: how many a city needs, where they are, and which are replaced.

use std::collections::{BTreeMap, BTreeSet};

use super::outlook::{Outlook, strength};
use super::own;
use crate::number::Activity;
use crate::orders;
use crate::packets::OwnedPacket;
use crate::world::{City, Unit, World};

/// Turn from which on cities have two defenders, because barbarians land.
const SECOND: i16 = 60;
/// Distance within which visible enemies threaten a city.
const THREAT_DISTANCE: i32 = 4;
/// Gold that is left after an upgrade.
const RESERVE: u32 = 80;
/// Maximum number of upgrades in a turn.
const MAX_UPGRADES: usize = 2;

/// Returns the number of the best defenders that a city should have, in percent.
pub(super) fn wanted(world: &World, outlook: &Outlook, city: &City) -> u32 {
    let turn = world.turn();
    let mut wanted = 1_u32;
    if turn >= SECOND {
        wanted = wanted.saturating_add(1);
    }
    if is_threatened(world, outlook, city) {
        wanted = wanted.saturating_add(1);
    }
    wanted.saturating_mul(100)
}

/// Returns whether enemies are near a city.
pub(super) fn is_threatened(world: &World, outlook: &Outlook, city: &City) -> bool {
    outlook.enemy_distance(world, city.tile()).is_some_and(|distance| distance <= THREAT_DISTANCE)
}

/// Returns the strength of a unit as a percentage of the best defender.
fn worth(world: &World, outlook: &Outlook, unit: &Unit) -> u32 {
    let strength = world.type_of(unit).map_or(0, strength);
    strength.saturating_mul(100).checked_div(outlook.best_strength).unwrap_or(100).min(100)
}

/// Returns the defenders on a tile.
pub(super) fn defenders<'w>(
    world: &'w World,
    outlook: &Outlook,
    tile: i32,
) -> impl Iterator<Item = &'w Unit> {
    let me = world.my_number();
    world.units_at(tile).filter(move |unit| outlook.is_defender(unit) && Some(unit.owner()) == me)
}

/// Returns the sum of the defenders on a tile, as a percentage of the best defender.
pub(super) fn defense(world: &World, outlook: &Outlook, tile: i32) -> u32 {
    let worths = defenders(world, outlook, tile).map(|unit| worth(world, outlook, unit));
    worths.fold(0, u32::saturating_add)
}

/// Returns whether a city lacks a defender.
pub(super) fn is_weak(world: &World, outlook: &Outlook, city: &City) -> bool {
    defense(world, outlook, city.tile()).saturating_add(50) <= wanted(world, outlook, city)
}

/// Fortifies defenders in cities, and sends those that a city does not need to cities that are weak.
/// Units in `renewed` have their orders.
pub(super) fn station(
    world: &World,
    outlook: &Outlook,
    renewed: &BTreeSet<u32>,
    orders: &mut Vec<OwnedPacket>,
) {
    let mut weak: BTreeMap<i32, u32> = world
        .my_cities()
        .filter(|city| is_weak(world, outlook, city))
        .map(|city| (city.tile(), city.id()))
        .collect();
    let geometry = world.map().geometry();
    let idle = world.my_units().filter(|unit| outlook.is_defender(unit) && unit.moves_left() > Some(0));
    for unit in idle.filter(|unit| !renewed.contains(&unit.id())) {
        let is_spare = world.cities().at(unit.tile()).is_none_or(|city| {
            let others = defense(world, outlook, unit.tile()).saturating_sub(worth(world, outlook, unit));
            others >= wanted(world, outlook, city) && others > 0
        });
        let nearest = weak
            .keys()
            .copied()
            .min_by_key(|tile| geometry.and_then(|geometry| geometry.distance(unit.tile(), *tile)));
        let is_fortified = world.activity_of(unit) == Some(Activity::Fortified);
        match nearest.filter(|tile| is_spare && *tile != unit.tile() && (unit.is_idle() || is_fortified)) {
            Some(tile) if let Ok(order) = orders::go_to(world, unit.id(), tile) => {
                weak.remove(&tile);
                orders.push(own(&order));
            }
            _ if world.activity_of(unit) == Some(Activity::Idle) && unit.is_idle() => {
                orders.push(own(&orders::fortify(world, unit.id())));
            }
            _ => {}
        }
    }
}

/// Upgrades obsolete defenders, and disbands those that a city does not need: half of their shields go into its
/// production. Returns these units.
pub(super) fn renew(world: &World, outlook: &Outlook, orders: &mut Vec<OwnedPacket>) -> BTreeSet<u32> {
    let mut renewed = BTreeSet::new();
    let mut gold = world.me().map_or(0, |me| me.gold);
    let mut upgrades = 0_usize;
    for city in world.my_cities() {
        let sum = defense(world, outlook, city.tile());
        let weakest = defenders(world, outlook, city.tile()).min_by_key(|unit| worth(world, outlook, unit));
        let Some(unit) = weakest else { continue };
        let value = worth(world, outlook, unit);
        if value > 60 {
            continue;
        }
        if sum.saturating_sub(value) >= wanted(world, outlook, city) {
            renewed.insert(unit.id());
            orders.extend(orders::disband(world, unit.id()).ok().map(|order| own(&order)));
        } else if let Some(price) = upgrade_price(world, unit)
            && gold >= price.saturating_add(RESERVE)
            && upgrades < MAX_UPGRADES
        {
            (gold, upgrades) = (gold.saturating_sub(price), upgrades.saturating_add(1));
            renewed.insert(unit.id());
            orders.extend(orders::upgrade(world, unit.id(), city.id()).ok().map(|order| own(&order)));
        }
    }
    renewed
}

/// Returns the approximate cost of the upgrade of a unit to the next type, if there is one.
fn upgrade_price(world: &World, unit: &Unit) -> Option<u32> {
    let from = world.type_of(unit)?;
    let to = world.rulesets().unit_types.get(from.obsoleted_by)?;
    let difference = u32::from(to.build_cost).saturating_sub(u32::from(from.build_cost) / 2);
    Some(difference.saturating_mul(2).saturating_add(difference.saturating_mul(difference) / 20))
}
