//! The tiles that citizens work: more food than the server's choice, so that cities grow.

use super::own;
use crate::number::Output;
use crate::orders;
use crate::packets::{CityInfo, OwnedPacket};
use crate::rules::tile_output;
use crate::world::{City, Tile, World};

/// Values of food, shields and trade of a tile.
const WORTH: [i64; 3] = [10, 3, 2];
/// Minimum difference in value to a better tile.
const MIN_GAIN: i64 = 3;
/// Citizens up to which a city prefers food.
const SMALL: u8 = 4;

/// Moves one citizen of each small city from its worst tile to the best free one, if that is better. In a city in
/// disorder, the citizen of the worst tile entertains the others instead.
pub(super) fn place(world: &World, orders: &mut Vec<OwnedPacket>) {
    for city in world.my_cities() {
        let is_unruly = city.full().is_some_and(is_in_disorder);
        if city.size() > SMALL && !is_unruly {
            continue;
        }
        let worked = world.city_tiles(city).filter(|tile| tile.worked == Some(city.id()));
        let worst = worked
            .filter(|tile| tile.tile != city.tile())
            .filter_map(|tile| Some((value(world, city, tile)?, tile.tile)))
            .min();
        if is_unruly {
            orders.extend(worst.map(|(_, tile)| own(&orders::make_specialist(city.id(), tile))));
            continue;
        }
        let free = world.city_tiles(city).filter(|tile| is_free(world, tile));
        let best = free.filter_map(|tile| Some((value(world, city, tile)?, tile.tile))).max();
        if let (Some((low, from)), Some((high, to))) = (worst, best)
            && high >= low.saturating_add(MIN_GAIN)
        {
            orders.push(own(&orders::make_specialist(city.id(), from)));
            orders.push(own(&orders::make_worker(city.id(), to)));
        }
    }
}

/// Returns whether the unhappy citizens of a city outnumber the happy ones. Angry citizens count twice.
pub(super) fn is_in_disorder(city: &CityInfo) -> bool {
    let [.., happy] = city.ppl_happy;
    let [.., unhappy] = city.ppl_unhappy;
    let [.., angry] = city.ppl_angry;
    happy < unhappy.saturating_add(angry).saturating_add(angry)
}

/// Returns whether a city of the own player can take a tile.
fn is_free(world: &World, tile: &Tile) -> bool {
    let me = world.my_number();
    tile.worked.is_none()
        && tile.is_seen()
        && tile.owner == me
        && world.cities().at(tile.tile).is_none()
        && world.units_at(tile.tile).all(|unit| Some(unit.owner()) == me)
}

fn value(world: &World, city: &City, tile: &Tile) -> Option<i64> {
    let outputs = [Output::FOOD, Output::SHIELD, Output::TRADE].into_iter().zip(WORTH);
    outputs
        .map(|(output, worth)| Some(tile_output(world, Some(city), tile, output)?.saturating_mul(worth)))
        .try_fold(0_i64, |sum, value| Some(sum.saturating_add(value?)))
}
