//! Sites of new cities.

use super::Opponent;
use crate::number::Output;
use crate::path;
use crate::rules::tile_output;
use crate::world::{Tile, Unit, World};

/// Squared radius of the tiles that a new city can work.
const WORKED: u16 = 5;
/// Squared radius in which settlers search for a site.
const REACH: u16 = 60;
/// Minimum distance between cities.
const MIN_CITY_DISTANCE: i32 = 3;
/// Squared radius in which settlers search for the site of the first city.
const NEAR: u16 = 8;
/// Number of tiles that a city works in its first turns.
const FIRST: usize = 4;
/// Value that each tile of distance costs: the city is founded a turn or more later.
const DISTANCE_COST: i64 = 7;
/// Maximum number of sites to which a path is searched, best first.
const MAX_SEARCHED_SITES: usize = 6;

/// Returns the tile on which settlers should found a city. It weighs the value of a site against its distance.
pub(super) fn best(opponent: &Opponent, world: &World, unit: &Unit) -> Option<i32> {
    let geometry = world.map().geometry()?;
    let is_first = world.my_cities().next().is_none();
    if let Some(chosen) = opponent.sites.get(&unit.id())
        && world.map().tile(*chosen).is_some_and(|tile| value(opponent, world, unit, tile).is_some())
    {
        return Some(*chosen);
    }
    // Search nearby for the first city, because every turn without a capital is lost.
    let reach = if is_first { NEAR } else { REACH };
    let candidates = geometry.within(unit.tile(), reach).filter_map(|number| world.map().tile(number));
    let mut ranked: Vec<(i64, i32)> = candidates
        .filter_map(|tile| {
            let distance = i64::from(geometry.distance(unit.tile(), tile.tile)?);
            let value = value(opponent, world, unit, tile)?;
            Some((value.saturating_sub(distance.saturating_mul(DISTANCE_COST)), tile.tile))
        })
        .collect();
    ranked.sort_unstable_by_key(|(value, tile)| (core::cmp::Reverse(*value), *tile));
    let mut reachable = ranked.into_iter().take(MAX_SEARCHED_SITES).map(|(_, tile)| tile);
    reachable.find(|tile| *tile == unit.tile() || path::path(world, unit, *tile).is_some())
}

/// Returns the value of a tile as a city site, or `None` if no city can be founded there.
fn value(opponent: &Opponent, world: &World, unit: &Unit, tile: &Tile) -> Option<i64> {
    let geometry = world.map().geometry()?;
    let me = world.my_number();
    let is_free = (tile.owner.is_none() || tile.owner == me)
        && !opponent.avoided.contains(&tile.tile)
        && world.is_native(unit, tile)
        && world.units_at(tile.tile).all(|other| Some(other.owner()) == me);
    let is_apart = |other: i32| {
        geometry.distance(tile.tile, other).is_some_and(|distance| distance >= MIN_CITY_DISTANCE)
    };
    let from_cities = world.cities().iter().all(|city| is_apart(city.tile()));
    let from_sites = opponent.sites.iter().all(|(other, site)| *other == unit.id() || is_apart(*site));
    if !(is_free && from_cities && from_sites) {
        return None;
    }
    let worked = geometry.within(tile.tile, WORKED).filter_map(|number| world.map().tile(number));
    let output = |tile: &Tile, output| tile_output(world, None, tile, output).unwrap_or(0);
    let mut outputs: Vec<i64> = worked
        .filter(|tile| tile.owner.is_none() || tile.owner == me)
        .map(|tile| {
            // A citizen consumes two food.
            let food = output(tile, Output::FOOD).saturating_sub(1).saturating_mul(5);
            let shields = output(tile, Output::SHIELD).saturating_mul(2);
            food.saturating_add(shields).saturating_add(output(tile, Output::TRADE))
        })
        .collect();
    outputs.sort_unstable_by_key(|value| core::cmp::Reverse(*value));
    let first = outputs.iter().take(FIRST).fold(0_i64, |sum, value| sum.saturating_add(*value));
    let all = outputs.iter().fold(0_i64, |sum, value| sum.saturating_add(*value));
    Some(first.saturating_mul(2).saturating_add(all))
}
