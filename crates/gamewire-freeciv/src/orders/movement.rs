use super::error::OrderError;
use crate::number::{Action, Activity, UnitOrder};
use crate::v30::UnitOrders;
use crate::world::World;
use crate::world::map::Direction8;

/// The most steps that one packet takes.
const MAX_STEPS: usize = 2000;
/// Stands for no extra, and for no tile.
const NONE: i16 = -1;

/// Sends a unit to a tile, on a way of the fewest steps over tiles that are known. It goes as far as
/// it can now, and on in the next turns.
///
/// # Errors
/// There is no such unit, or no way is known.
pub fn go_to(world: &World, unit: u16, tile: i32) -> Result<UnitOrders, OrderError> {
    let from = world.unit(unit).ok_or(OrderError::NoUnit(unit))?;
    let no_way = || OrderError::NoPath { from: from.tile(), to: tile };
    let way = world.path(from, tile).ok_or_else(no_way)?;
    move_along(world, unit, &way)
}

/// Moves a unit to a neighbour.
///
/// # Errors
/// There is no such unit, or nothing in that direction.
pub fn step(world: &World, unit: u16, direction: Direction8) -> Result<UnitOrders, OrderError> {
    move_along(world, unit, &[direction])
}

/// Moves a unit step by step: as far as it can now, and on in the next turns.
///
/// # Errors
/// There is no such unit, a step leads nowhere, or there are more than 2000.
pub fn move_along(world: &World, unit: u16, way: &[Direction8]) -> Result<UnitOrders, OrderError> {
    let from = world.unit(unit).ok_or(OrderError::NoUnit(unit))?.tile();
    let shape = world.map().shape().ok_or(OrderError::NoTile)?;
    let to = way.iter().try_fold(from, |tile, direction| shape.step(tile, *direction));
    let length = u16::try_from(way.len()).ok().filter(|_| way.len() <= MAX_STEPS);
    let length = length.ok_or(OrderError::TooMany { max: MAX_STEPS })?;
    Ok(UnitOrders {
        unit_id: unit,
        src_tile: from,
        length,
        orders: vec![UnitOrder::MOVE.0; way.len()],
        dir: way.iter().map(|direction| direction.number()).collect(),
        activity: vec![Activity::NONE.0; way.len()],
        sub_target: vec![NONE; way.len()],
        action: vec![Action::NONE.0; way.len()],
        dest_tile: to.ok_or(OrderError::NoTile)?,
        ..UnitOrders::default()
    })
}
