//! Worlds with an own city, and the orders of the opponent in them.

use gamewire_freeciv::codec::ProtocolVersion;
use gamewire_freeciv::number::{Production, ProductionKind};
use gamewire_freeciv::opponent::Opponent;
use gamewire_freeciv::packets::{CityInfo, NewYear, OwnedPacket, Packet, UnitInfo, UnitRemove};
use gamewire_freeciv::world::World;

use crate::path::support::{at, maps, set_tile};
use crate::rules::support::{CITY, city_info};

/// Returns the orders of a new opponent.
pub(crate) fn orders(world: &World) -> Vec<OwnedPacket> {
    Opponent::new("bot").turn(world)
}

/// Returns whether any order meets a condition.
pub(crate) fn has(orders: &[OwnedPacket], is_wanted: impl Fn(&Packet<'_>) -> bool) -> bool {
    orders.iter().any(|order| is_wanted(&Packet::from(order)))
}

/// Returns the production that the city is ordered to make.
pub(crate) fn produced(orders: &[OwnedPacket]) -> Option<Production> {
    orders.iter().find_map(|order| match Packet::from(order) {
        Packet::CityChange(change) if change.city_id == CITY => {
            Some(Production { kind: ProductionKind(change.production_kind), id: change.production_value })
        }
        _ => None,
    })
}

/// Puts an own unit with its moves on a tile.
pub(crate) fn add(world: &mut World, id: u32, unit_type: &str, tile: i32) {
    let rule = world.unit_type(unit_type).unwrap();
    let unit = UnitInfo {
        id,
        owner: world.my_number().unwrap(),
        tile,
        r#type: rule.id,
        hp: rule.hp,
        movesleft: rule.move_rate,
        ..UnitInfo::default()
    };
    world.apply(&Packet::UnitInfo(&unit));
}

/// Sets the turn.
pub(crate) fn set_turn(world: &mut World, turn: i16) {
    world.apply(&Packet::NewYear(&NewYear { turn, ..NewYear::default() }));
}

/// The tile of the city.
pub(crate) const CENTER: (i32, i32) = (4, 4);

/// Returns a map of one terrain with the ruleset of each version, and an own city of three citizens in the middle. It
/// produces warriors, and there are no own units.
pub(crate) fn towns(terrain: &str) -> [(ProtocolVersion, World); 3] {
    maps(terrain).map(|(version, mut world)| {
        let me = world.my_number().unwrap();
        for unit_id in world.my_units().map(|unit| unit.id()).collect::<Vec<_>>() {
            world.apply(&Packet::UnitRemove(&UnitRemove { unit_id }));
        }
        let city = CityInfo {
            original: Some(me),
            capital: Some(0),
            anarchy: Some(0),
            rapture: Some(0),
            ..city_info(&world, at(CENTER.0, CENTER.1), me)
        };
        world.apply(&Packet::CityInfo(&city));
        set_tile(&mut world, at(CENTER.0, CENTER.1), |_, info| (info.owner, info.worked) = (me, CITY));
        (version, world)
    })
}

/// Returns towns with workers and `defenders`, in a late turn.
pub(crate) fn grown(defenders: &[&str]) -> [(ProtocolVersion, World); 3] {
    towns("Grassland").map(|(version, mut world)| {
        let tile = at(CENTER.0, CENTER.1);
        set_turn(&mut world, 150);
        add(&mut world, 700, "Workers", tile);
        for (id, name) in (701..).zip(defenders) {
            add(&mut world, id, name, tile);
        }
        (version, world)
    })
}
