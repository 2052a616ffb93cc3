//! Units that defend cities.

use std::collections::BTreeMap;

use super::own;
use crate::number::{Action, Activity, DiplomaticState};
use crate::orders;
use crate::packets::OwnedPacket;
use crate::world::{Unit, World};

/// Returns whether a unit can defend a city.
pub(super) fn is_defender(world: &World, unit: &Unit) -> bool {
    world
        .type_of(unit)
        .is_some_and(|unit_type| unit_type.defense_strength > 0 && unit_type.attack_strength > 0)
}

/// Returns the number of defenders in a city.
pub(super) fn defenders(world: &World, tile: i32) -> usize {
    world.units_at(tile).filter(|unit| is_defender(world, unit)).count()
}

/// Fortifies one defender in each city, and sends other defenders to cities without one. Defenders without a
/// destination attack weaker enemies next to them.
pub(super) fn station(world: &World, orders: &mut Vec<OwnedPacket>) {
    let mut open: BTreeMap<i32, u32> = world
        .my_cities()
        .filter(|city| defenders(world, city.tile()) == 0)
        .map(|city| (city.tile(), city.id()))
        .collect();
    let geometry = world.map().geometry();
    let fighters = world.my_units().filter(|unit| is_defender(world, unit) && unit.moves_left() > Some(0));
    for unit in fighters {
        if let Some(tile) = target(world, unit) {
            orders.extend(
                orders::do_action(world, unit.id(), Action::Attack, tile).ok().map(|order| own(&order)),
            );
            continue;
        }
        let is_spare = world.cities().at(unit.tile()).is_none() || defenders(world, unit.tile()) > 2;
        let nearest = open
            .keys()
            .copied()
            .min_by_key(|tile| geometry.and_then(|geometry| geometry.distance(unit.tile(), *tile)));
        match nearest.filter(|_| is_spare && unit.is_idle()) {
            Some(tile) => {
                open.remove(&tile);
                orders.extend(orders::go_to(world, unit.id(), tile).ok().map(|order| own(&order)));
            }
            None if world.activity_of(unit) == Some(Activity::Idle) && unit.is_idle() => {
                orders.push(own(&orders::fortify(world, unit.id())));
            }
            None => {}
        }
    }
}

/// Returns an adjacent tile with weaker enemies.
fn target(world: &World, unit: &Unit) -> Option<i32> {
    let me = world.my_number()?;
    let attack = world.type_of(unit)?.attack_strength;
    let is_enemy = |owner: u16| {
        let relation = world.diplomacy().relation(me, owner);
        owner != me && relation.is_some_and(|relation| relation.state == DiplomaticState::WAR)
    };
    let geometry = world.map().geometry()?;
    let mut around = geometry.neighbors(unit.tile()).map(|(_, tile)| tile);
    around.find(|tile| {
        let mut others = world.units_at(*tile).filter(|other| is_enemy(other.owner())).peekable();
        let strongest =
            |unit: &Unit| world.type_of(unit).map_or(u8::MAX, |unit_type| unit_type.defense_strength);
        others.peek().is_some()
            && world.cities().at(*tile).is_none()
            && others.all(|other| strongest(other).saturating_mul(2) <= attack)
    })
}
