use super::error::OrderError;
use crate::codec::Text;
use crate::number::Action;
use crate::v30::{UnitDoAction, UnitLoad, UnitUnload};
use crate::world::World;

/// Lets a unit do an action to a city, unit or tile, by its id or number. The kind of target depends on the rules.
#[must_use]
pub fn do_action(world: &World, unit: u16, action: Action, target: i32) -> UnitDoAction {
    let action_type = world.rulesets().action_id(action);
    UnitDoAction { actor_id: unit, target_id: target, action_type, ..UnitDoAction::default() }
}

/// Founds a city on the tile of a unit, which uses up the unit.
///
/// # Errors
/// [`OrderError::NoUnit`], or [`OrderError::Text`] if the name is too long.
pub fn found_city(world: &World, unit: u16, name: &str) -> Result<UnitDoAction, OrderError> {
    let tile = tile_of(world, unit)?;
    Ok(UnitDoAction { name: Text::try_from(name)?, ..do_action(world, unit, Action::FOUND_CITY, tile) })
}

/// Adds a unit to a city as citizens.
#[must_use]
pub fn join_city(world: &World, unit: u16, city: u16) -> UnitDoAction {
    do_action(world, unit, Action::JOIN_CITY, city.into())
}

/// Makes a city the home city of a unit in it.
#[must_use]
pub fn set_home_city(world: &World, unit: u16, city: u16) -> UnitDoAction {
    do_action(world, unit, Action::HOME_CITY, city.into())
}

/// Upgrades a unit in a city for gold.
#[must_use]
pub fn upgrade(world: &World, unit: u16, city: u16) -> UnitDoAction {
    do_action(world, unit, Action::UPGRADE, city.into())
}

/// Adds the cost of a unit to the wonder that a city builds.
#[must_use]
pub fn help_wonder(world: &World, unit: u16, city: u16) -> UnitDoAction {
    do_action(world, unit, Action::HELP_WONDER, city.into())
}

/// Conquers a city.
#[must_use]
pub fn conquer_city(world: &World, unit: u16, city: u16) -> UnitDoAction {
    do_action(world, unit, Action::CONQUER_CITY, city.into())
}

/// Attacks the units on an adjacent tile.
#[must_use]
pub fn attack(world: &World, unit: u16, tile: i32) -> UnitDoAction {
    do_action(world, unit, Action::ATTACK, tile)
}

/// Disbands a unit. In a city half of its cost goes into the production, because a server does not disband it for
/// nothing there.
///
/// # Errors
/// [`OrderError::NoUnit`] if the unit is not known.
pub fn disband(world: &World, unit: u16) -> Result<UnitDoAction, OrderError> {
    let tile = tile_of(world, unit)?;
    Ok(match world.cities().at(tile) {
        Some(city) => do_action(world, unit, Action::DISBAND_RECOVER, city.id().into()),
        None => do_action(world, unit, Action::DISBAND, unit.into()),
    })
}

/// Loads a unit onto a transporter on the same tile.
///
/// # Errors
/// [`OrderError::NoUnit`] if the unit is not known.
pub fn load(world: &World, unit: u16, carrier: u16) -> Result<UnitLoad, OrderError> {
    Ok(UnitLoad { cargo_id: unit, transporter_id: carrier, transporter_tile: tile_of(world, carrier)? })
}

/// Unloads a unit from its transporter.
#[must_use]
pub fn unload(unit: u16, carrier: u16) -> UnitUnload {
    UnitUnload { cargo_id: unit, transporter_id: carrier }
}

fn tile_of(world: &World, unit: u16) -> Result<i32, OrderError> {
    world.unit(unit).map(|unit| unit.tile()).ok_or(OrderError::NoUnit(unit))
}
