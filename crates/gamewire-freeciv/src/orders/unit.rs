use super::error::OrderError;
use super::table::orders;
use crate::codec::{self, ProtocolVersion, Text};
use crate::number::{Action, Activity, UnitOrder};
use crate::packets::{UnitDoAction, UnitLoad, UnitOrders, UnitUnload};
use crate::world::World;
use crate::world::map::Direction8;

/// Lets a unit do an action to a city, unit or tile, by its id or number. The kind of target depends on the rules.
pub fn do_action(world: &World, unit: u32, action: Action, target: i32) -> UnitDoAction {
    let action_type = world.rulesets().action_id(action);
    UnitDoAction { actor_id: unit, target_id: target, action_type, ..UnitDoAction::default() }
}

/// Returns the id of a city or unit as a target. Freeciv has no ids above the maximum.
fn target(id: u32) -> i32 {
    i32::try_from(id).unwrap_or(i32::MAX)
}

/// Founds a city on the tile of a unit, which uses up the unit.
///
/// # Errors
/// [`OrderError::NoUnit`], or [`OrderError::Text`] if the name is too long.
pub fn found_city(world: &World, unit: u32, name: &str) -> Result<UnitDoAction, OrderError> {
    let tile = tile_of(world, unit)?;
    Ok(UnitDoAction { name: Text::try_from(name)?, ..do_action(world, unit, Action::FOUND_CITY, tile) })
}

orders! {
    /// Adds a unit to a city as citizens.
    join_city(world: &World, unit: u32, city: u32) -> UnitDoAction =
        do_action(world, unit, Action::JOIN_CITY, target(city));

    /// Makes a city the home city of a unit in it.
    set_home_city(world: &World, unit: u32, city: u32) -> UnitDoAction =
        do_action(world, unit, Action::HOME_CITY, target(city));

    /// Upgrades a unit in a city for gold.
    upgrade(world: &World, unit: u32, city: u32) -> UnitDoAction =
        do_action(world, unit, Action::UPGRADE, target(city));

    /// Adds the cost of a unit to the wonder that a city builds.
    help_wonder(world: &World, unit: u32, city: u32) -> UnitDoAction =
        do_action(world, unit, Action::HELP_WONDER, target(city));

    /// Conquers a city.
    conquer_city(world: &World, unit: u32, city: u32) -> UnitDoAction =
        do_action(world, unit, Action::CONQUER_CITY, target(city));

    /// Attacks the units on an adjacent tile.
    attack(world: &World, unit: u32, tile: i32) -> UnitDoAction =
        do_action(world, unit, Action::ATTACK, tile);
}

/// Disbands a unit. In a city half of its cost goes into the production, because a server does not disband it for
/// nothing there.
///
/// # Errors
/// [`OrderError::NoUnit`] if the unit is not known.
pub fn disband(world: &World, unit: u32) -> Result<UnitDoAction, OrderError> {
    let tile = tile_of(world, unit)?;
    Ok(match world.cities().at(tile) {
        Some(city) => do_action(world, unit, Action::DISBAND_RECOVER, target(city.id())),
        None => do_action(world, unit, Action::DISBAND, target(unit)),
    })
}

/// Loads a unit onto a transporter on the same tile.
///
/// # Errors
/// [`OrderError::NoUnit`] if the unit is not known, or [`OrderError::Version`]: since 3.1 this is an action.
pub fn load(world: &World, unit: u32, carrier: u32) -> Result<UnitLoad, OrderError> {
    Ok(UnitLoad {
        cargo_id: narrow(world, unit)?,
        transporter_id: narrow(world, carrier)?,
        transporter_tile: tile_of(world, carrier)?,
    })
}

/// Unloads a unit from its transporter.
///
/// # Errors
/// [`OrderError::Version`]: since 3.1 this is an action.
pub fn unload(world: &World, unit: u32, carrier: u32) -> Result<UnitUnload, OrderError> {
    Ok(UnitUnload { cargo_id: narrow(world, unit)?, transporter_id: narrow(world, carrier)? })
}

/// Returns an id for a packet that only 3.0 has.
fn narrow(world: &World, unit: u32) -> Result<u16, OrderError> {
    match world.version() {
        ProtocolVersion::V3_0 => u16::try_from(unit).map_err(|_| OrderError::NoUnit(unit)),
        later => Err(OrderError::Version(later)),
    }
}

fn tile_of(world: &World, unit: u32) -> Result<i32, OrderError> {
    world.unit(unit).map(|unit| unit.tile()).ok_or(OrderError::NoUnit(unit))
}

/// Maximum number of steps in a packet.
const MAX_STEPS: usize = 2000;
/// The number for no extra and no tile.
const NONE: i16 = -1;

/// Sends a unit to a tile on a shortest path over known tiles. It moves as far as it can now, and on in the next
/// turns.
///
/// # Errors
/// [`OrderError::NoUnit`], or [`OrderError::NoPath`] if no path is known.
pub fn go_to(world: &World, unit: u32, tile: i32) -> Result<UnitOrders, OrderError> {
    let from = world.unit(unit).ok_or(OrderError::NoUnit(unit))?;
    let no_path = || OrderError::NoPath { from: from.tile(), to: tile };
    let path = world.path(from, tile).ok_or_else(no_path)?;
    move_along(world, unit, &path)
}

/// Moves a unit to a neighbor tile.
///
/// # Errors
/// [`OrderError::NoUnit`], or [`OrderError::NoTile`] if there is no tile in that direction.
pub fn step(world: &World, unit: u32, direction: Direction8) -> Result<UnitOrders, OrderError> {
    move_along(world, unit, &[direction])
}

/// Moves a unit along a path: as far as it can now, and on in the next turns.
///
/// # Errors
/// [`OrderError::NoUnit`], [`OrderError::NoTile`] if a step leads off the map, or [`OrderError::TooMany`] above 2000
/// steps.
pub fn move_along(world: &World, unit: u32, path: &[Direction8]) -> Result<UnitOrders, OrderError> {
    let from = world.unit(unit).ok_or(OrderError::NoUnit(unit))?.tile();
    let geometry = world.map().geometry().ok_or(OrderError::NoTile)?;
    let to = path.iter().try_fold(from, |tile, direction| geometry.step(tile, *direction));
    let length = u16::try_from(path.len()).ok().filter(|_| path.len() <= MAX_STEPS);
    let length = length.ok_or(OrderError::TooMany { max: MAX_STEPS })?;
    let order = |direction: &Direction8| codec::UnitOrder {
        order: UnitOrder::MOVE.0,
        action: world.version().no_action(),
        sub_target: NONE,
        target: NONE.into(),
        dir: direction.number(),
        activity: 0,
    };
    Ok(UnitOrders {
        unit_id: unit,
        src_tile: from,
        length,
        orders: path.iter().map(order).collect(),
        // As 3.0 sends them.
        order: vec![UnitOrder::MOVE.0; path.len()],
        dir: path.iter().map(|direction| direction.number()).collect(),
        activity: vec![Activity::NONE.0; path.len()],
        sub_target: vec![NONE; path.len()],
        action: vec![Action::NONE.0; path.len()],
        dest_tile: to.ok_or(OrderError::NoTile)?,
        ..UnitOrders::default()
    })
}
