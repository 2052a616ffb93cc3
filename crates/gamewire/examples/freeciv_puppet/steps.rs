//! Commands with steps, for orders of units and for rally points of cities. A step is `KIND,ACTIVITY,TARGET,SUB_TARGET,ACTION,DIRECTION`,
//! in numbers.

use gamewire::freeciv::packets::{CityRallyPoint, UnitOrders};
use gamewire::freeciv::raw::codec::UnitOrder;
use gamewire::freeciv::world::World;

use super::Failure;

/// Returns the packet of `order UNIT STEP..`.
pub(crate) fn unit_orders(world: &World, rest: &str) -> Result<UnitOrders, Failure> {
    let (unit_id, steps) = parse(rest)?;
    let src_tile = world.unit(unit_id).ok_or("no such unit")?.tile();
    Ok(UnitOrders {
        unit_id,
        src_tile,
        length: u16::try_from(steps.len())?,
        vigilant: true,
        // The packet of 3.0 has a list for each part of the steps.
        order: Some(steps.iter().map(|step| step.order).collect()),
        dir: Some(steps.iter().map(|step| step.dir).collect()),
        activity: Some(steps.iter().map(|step| step.activity).collect()),
        sub_target: Some(steps.iter().map(|step| step.sub_target).collect()),
        action: Some(steps.iter().map(|step| step.action).collect()),
        orders: Some(steps),
        dest_tile: src_tile,
        ..UnitOrders::default()
    })
}

/// Returns the packet of `rally CITY STEP..`.
pub(crate) fn rally_point(rest: &str) -> Result<CityRallyPoint, Failure> {
    let (city, orders) = parse(rest)?;
    Ok(CityRallyPoint {
        city_id: city,
        length: u16::try_from(orders.len())?,
        persistent: true,
        vigilant: false,
        orders,
    })
}

/// Returns the number of a unit or city, and the steps.
fn parse(rest: &str) -> Result<(u32, Vec<UnitOrder>), Failure> {
    let mut words = rest.split_whitespace();
    let number = words.next().ok_or("no number")?.parse()?;
    let steps: Result<_, Failure> = words.map(step).collect();
    Ok((number, steps?))
}

fn step(word: &str) -> Result<UnitOrder, Failure> {
    let parts: Vec<&str> = word.split(',').collect();
    let [order, activity, target, sub_target, action, dir] = parts.as_slice() else {
        return Err(format!("no step {word}").into());
    };
    Ok(UnitOrder {
        order: order.parse()?,
        activity: activity.parse()?,
        target: target.parse()?,
        sub_target: sub_target.parse()?,
        action: action.parse()?,
        dir: dir.parse()?,
    })
}
