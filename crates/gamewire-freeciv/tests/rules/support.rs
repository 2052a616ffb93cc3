//! Recorded worlds with an own city.

use gamewire_freeciv::codec::{ProtocolVersion, Text};
use gamewire_freeciv::packets::{CityInfo, Packet, ResearchInfo, TileInfo};
use gamewire_freeciv::rules::{Answer, can_build};
use gamewire_freeciv::world::{City, World};

use super::replay::replay_each_version;

/// The id of the city.
pub(crate) const CITY: u32 = 900;

/// Returns the recorded world of each version, with a city on the tile of the own settlers.
pub(crate) fn worlds() -> [(ProtocolVersion, World); 3] {
    replay_each_version().map(|(version, mut world)| {
        let settlers = world.my_units_of("Settlers").next().unwrap();
        let city = city_info(&world, settlers.tile(), settlers.owner());
        world.apply(&Packet::CityInfo(&city));
        (version, world)
    })
}

/// Returns a city of three citizens that builds warriors.
pub(crate) fn city_info(world: &World, tile: i32, owner: u16) -> CityInfo {
    CityInfo {
        id: CITY,
        tile,
        owner,
        size: 3,
        city_radius_sq: 5,
        shield_stock: 10,
        before_change_shields: 10,
        surplus: [2, 3, 0, 0, 0, 0],
        production_kind: 6,
        production_value: world.rulesets().production("Warriors").unwrap().id,
        turn_last_built: -9,
        ..CityInfo::default()
    }
}

/// Returns the city.
pub(crate) fn city(world: &World) -> &City {
    world.city(CITY).unwrap()
}

/// Changes the city.
pub(crate) fn change_city(world: &mut World, change: impl FnOnce(&mut CityInfo)) {
    let mut info = city(world).full().unwrap().clone();
    change(&mut info);
    world.apply(&Packet::CityInfo(&info));
}

/// Adds a building to the city.
pub(crate) fn give_building(world: &mut World, name: &str) {
    let building = world.building(name).unwrap().id;
    change_city(world, |city| assert!(city.improvements.set(building.into(), true)));
}

/// Adds advances to the own research.
pub(crate) fn learn(world: &mut World, advances: &[&str]) {
    let mut inventions = world.my_research().unwrap().inventions.to_vec();
    for name in advances {
        inventions[usize::from(world.advance(name).unwrap().id)] = b'2';
    }
    let research = ResearchInfo {
        inventions: Text::try_from(core::str::from_utf8(&inventions).unwrap()).unwrap(),
        ..world.my_research().unwrap().clone()
    };
    world.apply(&Packet::ResearchInfo(&research));
}

/// Changes the terrain of all neighbors of the city.
pub(crate) fn surround(world: &mut World, terrain: &str) {
    let terrain = world.rulesets().terrains.named(terrain).unwrap().id;
    let around: Vec<i32> =
        world.map().geometry().unwrap().neighbors(city(world).tile()).map(|(_, tile)| tile).collect();
    for tile in around {
        world.apply(&Packet::TileInfo(&TileInfo { tile, terrain, known: 2, ..TileInfo::default() }));
    }
}

/// Returns whether the city can build a production.
pub(crate) fn builds(world: &World, name: &str) -> Answer {
    can_build(world, city(world), world.rulesets().production(name).unwrap())
}
