//! Zones of control.

use super::movement::Movement;
use crate::number::{ExtraFlag, TerrainFlag, UnitTypeFlag};
use crate::rules::are_allied;
use crate::world::{City, Tile};

/// Returns whether no other player controls a tile (Freeciv's `is_my_zoc`), as the client can tell from what it sees.
pub(super) fn is_free(movement: &Movement<'_>, tile: &Tile) -> bool {
    let around = movement.world.map().neighbors(tile.tile);
    !core::iter::once(tile).chain(around).any(|tile| controls(movement, tile))
}

/// Returns whether a unit, city or base on a tile controls the tiles around it.
fn controls(movement: &Movement<'_>, tile: &Tile) -> bool {
    let (world, version) = (movement.world, movement.version());
    let no_zoc = TerrainFlag::NoZoc.number(version);
    if world.terrain_of(tile).is_none_or(|terrain| terrain.flags.has(no_zoc)) {
        return false;
    }
    let is_ally = |owner| are_allied(world, movement.owner, owner);
    if let Some(city) = world.cities().at(tile.tile).filter(|city| !is_ally(city.owner())) {
        let is_occupied = matches!(city, City::Short(city) if city.occupied);
        // An unseen city counts as occupied.
        return is_occupied || !tile.is_seen() || world.units_at(tile.tile).next().is_some();
    }
    let causes_zoc = ExtraFlag::CauseZoc.number(version);
    let is_fortified = !tile.extras_owner.is_some_and(is_ally)
        && world
            .rulesets()
            .extras
            .iter()
            .any(|extra| extra.flags.has(causes_zoc) && tile.has_extra(extra.id));
    let has_no_zoc = UnitTypeFlag::HasNoZoc.number(version);
    is_fortified
        || world.units_at(tile.tile).any(|unit| {
            !is_ally(unit.owner())
                && unit.transported_by().is_none()
                && world.type_of(unit).is_none_or(|unit_type| !unit_type.flags.has(has_no_zoc))
        })
}
