//! Sites of new cities.

use super::Opponent;
use super::outlook::Outlook;
use crate::number::Output;
use crate::path;
use crate::rules::tile_output;
use crate::world::{Tile, Unit, World};

/// Squared radius of the tiles that a new city can work.
const WORKED: u16 = 5;
/// Squared radius in which settlers search for a site.
const REACH: u16 = 60;
/// Squared radius in which settlers search if there is no site within the other one.
const FAR: u16 = 250;
/// Minimum distance between cities.
const MIN_CITY_DISTANCE: i32 = 3;
/// Squared radius in which settlers search for the site of the first city.
const NEAR: u16 = 8;
/// Values of tiles with 0 to 3 food, and with more. A citizen consumes two, and the rest lets the city grow.
const FOOD: [i64; 4] = [0, 2, 8, 20];
const MAX_FOOD: i64 = 32;
/// Number of tiles that a city works in its first turns.
const FIRST: usize = 4;
/// Value that each tile of distance costs: the city is founded a turn or more later.
const DISTANCE_COST: i64 = 7;
/// Maximum number of sites to which a path is searched, best first.
const MAX_SEARCHED_SITES: usize = 6;

/// Returns the tile on which settlers should found a city. It weighs the value of a site against its distance.
pub(super) fn best(opponent: &Opponent, world: &World, outlook: &Outlook, unit: &Unit) -> Option<i32> {
    let is_first = world.my_cities().next().is_none();
    if let Some(chosen) = opponent.sites.get(&unit.id())
        && world.map().tile(*chosen).is_some_and(|tile| value(opponent, world, outlook, unit, tile).is_some())
    {
        return Some(*chosen);
    }
    // Search nearby for the first city, because every turn without a capital is lost.
    let reaches: &[u16] = if is_first { &[NEAR] } else { &[REACH, FAR] };
    reaches.iter().find_map(|reach| best_within(opponent, world, outlook, unit, *reach))
}

/// Returns the best reachable site within a squared radius.
fn best_within(
    opponent: &Opponent,
    world: &World,
    outlook: &Outlook,
    unit: &Unit,
    reach: u16,
) -> Option<i32> {
    let geometry = world.map().geometry()?;
    let candidates = geometry.within(unit.tile(), reach).filter_map(|number| world.map().tile(number));
    let mut ranked: Vec<(i64, i32)> = candidates
        .filter_map(|tile| {
            let distance = i64::from(geometry.distance(unit.tile(), tile.tile)?);
            let value = value(opponent, world, outlook, unit, tile)?;
            Some((value.saturating_sub(distance.saturating_mul(DISTANCE_COST)), tile.tile))
        })
        .collect();
    ranked.sort_unstable_by_key(|(value, tile)| (core::cmp::Reverse(*value), *tile));
    let mut reachable = ranked.into_iter().take(MAX_SEARCHED_SITES).map(|(_, tile)| tile);
    reachable.find(|tile| *tile == unit.tile() || path::path(world, unit, *tile).is_some())
}

/// Returns the number of open sites on the continents of own cities, near them.
pub(super) fn count(opponent: &Opponent, world: &World) -> usize {
    let (Some(geometry), Some(settlers)) = (world.map().geometry(), world.unit_type("Settlers")) else {
        return 0;
    };
    let mut found: Vec<i32> = opponent.sites.values().copied().collect();
    let planned = found.len();
    for city in world.my_cities() {
        let continent = world.map().tile(city.tile()).map(|tile| tile.continent);
        let near = geometry.within(city.tile(), REACH).filter_map(|number| world.map().tile(number));
        let near = near.filter(|tile| Some(tile.continent) == continent);
        for tile in near.filter(|tile| world.is_native_to(settlers.unit_class_id, tile)) {
            if is_open(opponent, world, tile, found.iter().copied()) {
                found.push(tile.tile);
            }
        }
    }
    found.len().saturating_sub(planned)
}

/// Returns whether a city could be founded on a tile: it is free, and apart from cities and other sites.
fn is_open(opponent: &Opponent, world: &World, tile: &Tile, mut others: impl Iterator<Item = i32>) -> bool {
    let Some(geometry) = world.map().geometry() else { return false };
    let me = world.my_number();
    let is_apart = |other: i32| {
        geometry.distance(tile.tile, other).is_some_and(|distance| distance >= MIN_CITY_DISTANCE)
    };
    (tile.owner.is_none() || tile.owner == me)
        && !opponent.avoided.contains(&tile.tile)
        && world.units_at(tile.tile).all(|other| Some(other.owner()) == me)
        && world.cities().iter().all(|city| is_apart(city.tile()))
        && others.all(is_apart)
}

/// Returns the value of a tile as a city site, or `None` if no city can be founded there.
fn value(opponent: &Opponent, world: &World, outlook: &Outlook, unit: &Unit, tile: &Tile) -> Option<i64> {
    let geometry = world.map().geometry()?;
    let me = world.my_number();
    let others = opponent.sites.iter().filter(|(other, _)| **other != unit.id()).map(|(_, site)| *site);
    let is_open = world.is_native(unit, tile)
        && !outlook.is_dangerous(world, tile.tile, 1)
        && is_open(opponent, world, tile, others);
    if !is_open {
        return None;
    }
    let worked = geometry.within(tile.tile, WORKED).filter_map(|number| world.map().tile(number));
    let output = |tile: &Tile, output| tile_output(world, None, tile, output).unwrap_or(0);
    let mut outputs: Vec<i64> = worked
        .filter(|tile| tile.owner.is_none() || tile.owner == me)
        .map(|tile| {
            let food = FOOD
                .get(usize::try_from(output(tile, Output::FOOD)).unwrap_or(0))
                .copied()
                .unwrap_or(MAX_FOOD);
            let shields = output(tile, Output::SHIELD).saturating_mul(2);
            food.saturating_add(shields).saturating_add(output(tile, Output::TRADE))
        })
        .collect();
    outputs.sort_unstable_by_key(|value| core::cmp::Reverse(*value));
    let first = outputs.iter().take(FIRST).fold(0_i64, |sum, value| sum.saturating_add(*value));
    let all = outputs.iter().fold(0_i64, |sum, value| sum.saturating_add(*value));
    Some(first.saturating_mul(2).saturating_add(all))
}
