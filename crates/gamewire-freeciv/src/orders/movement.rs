use super::error::OrderError;
use crate::number::{Action, Activity, UnitOrder};
use crate::v30::UnitOrders;
use crate::world::World;
use crate::world::map::Direction8;

/// Maximum number of steps in a packet.
const MAX_STEPS: usize = 2000;
/// The number for no extra and no tile.
const NONE: i16 = -1;

/// Sends a unit to a tile on a shortest path over known tiles. It moves as far as it can now, and on in the next
/// turns.
///
/// # Errors
/// [`OrderError::NoUnit`], or [`OrderError::NoPath`] if no path is known.
pub fn go_to(world: &World, unit: u16, tile: i32) -> Result<UnitOrders, OrderError> {
    let from = world.unit(unit).ok_or(OrderError::NoUnit(unit))?;
    let no_path = || OrderError::NoPath { from: from.tile(), to: tile };
    let path = world.path(from, tile).ok_or_else(no_path)?;
    move_along(world, unit, &path)
}

/// Moves a unit to a neighbor tile.
///
/// # Errors
/// [`OrderError::NoUnit`], or [`OrderError::NoTile`] if there is no tile in that direction.
pub fn step(world: &World, unit: u16, direction: Direction8) -> Result<UnitOrders, OrderError> {
    move_along(world, unit, &[direction])
}

/// Moves a unit along a path: as far as it can now, and on in the next turns.
///
/// # Errors
/// [`OrderError::NoUnit`], [`OrderError::NoTile`] if a step leads off the map, or [`OrderError::TooMany`] above 2000
/// steps.
pub fn move_along(world: &World, unit: u16, path: &[Direction8]) -> Result<UnitOrders, OrderError> {
    let from = world.unit(unit).ok_or(OrderError::NoUnit(unit))?.tile();
    let geometry = world.map().geometry().ok_or(OrderError::NoTile)?;
    let to = path.iter().try_fold(from, |tile, direction| geometry.step(tile, *direction));
    let length = u16::try_from(path.len()).ok().filter(|_| path.len() <= MAX_STEPS);
    let length = length.ok_or(OrderError::TooMany { max: MAX_STEPS })?;
    Ok(UnitOrders {
        unit_id: unit,
        src_tile: from,
        length,
        orders: vec![UnitOrder::MOVE.0; path.len()],
        dir: path.iter().map(|direction| direction.number()).collect(),
        activity: vec![Activity::NONE.0; path.len()],
        sub_target: vec![NONE; path.len()],
        action: vec![Action::NONE.0; path.len()],
        dest_tile: to.ok_or(OrderError::NoTile)?,
        ..UnitOrders::default()
    })
}
