use super::error::OrderError;
use crate::codec::Text;
use crate::number::Action;
use crate::v30::{UnitDoAction, UnitLoad, UnitUnload};
use crate::world::World;

/// Lets a unit do an action to a city, a unit or a tile, by its id or number. What an action is
/// done to, the rules say.
#[must_use]
pub fn do_action(world: &World, unit: u16, action: Action, target: i32) -> UnitDoAction {
    let action_type = world.rulesets().action_id(action);
    UnitDoAction { actor_id: unit, target_id: target, action_type, ..UnitDoAction::default() }
}

/// Founds a city where a unit stands. The unit is gone then.
///
/// # Errors
/// There is no such unit, or the name is too long.
pub fn found_city(world: &World, unit: u16, name: &str) -> Result<UnitDoAction, OrderError> {
    let tile = tile_of(world, unit)?;
    Ok(UnitDoAction { name: Text::try_from(name)?, ..do_action(world, unit, Action::FOUND_CITY, tile) })
}

/// Adds a unit to a city as citizens.
#[must_use]
pub fn join_city(world: &World, unit: u16, city: u16) -> UnitDoAction {
    do_action(world, unit, Action::JOIN_CITY, city.into())
}

/// Makes a city the home of a unit that is in it.
#[must_use]
pub fn set_home_city(world: &World, unit: u16, city: u16) -> UnitDoAction {
    do_action(world, unit, Action::HOME_CITY, city.into())
}

/// Upgrades a unit in a city for gold.
#[must_use]
pub fn upgrade(world: &World, unit: u16, city: u16) -> UnitDoAction {
    do_action(world, unit, Action::UPGRADE, city.into())
}

/// Adds what a unit cost to the wonder that a city makes.
#[must_use]
pub fn help_wonder(world: &World, unit: u16, city: u16) -> UnitDoAction {
    do_action(world, unit, Action::HELP_WONDER, city.into())
}

/// Takes a city.
#[must_use]
pub fn conquer_city(world: &World, unit: u16, city: u16) -> UnitDoAction {
    do_action(world, unit, Action::CONQUER_CITY, city.into())
}

/// Attacks the units on a tile beside it.
#[must_use]
pub fn attack(world: &World, unit: u16, tile: i32) -> UnitDoAction {
    do_action(world, unit, Action::ATTACK, tile)
}

/// Disbands a unit. In a city half of its cost goes into what the city makes: a server does not
/// let it go for nothing there.
///
/// # Errors
/// There is no such unit.
pub fn disband(world: &World, unit: u16) -> Result<UnitDoAction, OrderError> {
    let tile = tile_of(world, unit)?;
    Ok(match world.cities().at(tile) {
        Some(city) => do_action(world, unit, Action::DISBAND_RECOVER, city.id().into()),
        None => do_action(world, unit, Action::DISBAND, unit.into()),
    })
}

/// Puts a unit on another one that carries it, on the same tile.
///
/// # Errors
/// There is no such unit.
pub fn load(world: &World, unit: u16, carrier: u16) -> Result<UnitLoad, OrderError> {
    Ok(UnitLoad { cargo_id: unit, transporter_id: carrier, transporter_tile: tile_of(world, carrier)? })
}

/// Takes a unit off the one that carries it.
#[must_use]
pub fn unload(unit: u16, carrier: u16) -> UnitUnload {
    UnitUnload { cargo_id: unit, transporter_id: carrier }
}

fn tile_of(world: &World, unit: u16) -> Result<i32, OrderError> {
    world.unit(unit).map(|unit| unit.tile()).ok_or(OrderError::NoUnit(unit))
}
