//! Boarding and leaving boats.

use gamewire_freeciv::legal::{LegalKind, LegalTarget};
use gamewire_freeciv::packets::{CityShortInfo, Packet};

use super::support::{ACTOR, offers, offers_on, put_with, with_unit};
use crate::path::support::{UNIT, at, set_tile, terrain_id};

const BOAT: u32 = 810;
const OTHER_BOAT: u32 = 811;

#[test]
fn a_unit_boards_a_boat_with_room_on_its_tile() {
    for (version, mut world) in with_unit("Lake", "Warriors") {
        put_with(&mut world, BOAT, "Transport", at(4, 4), |_, _| {});
        assert!(offers_on(&world, ACTOR, LegalKind::Load, LegalTarget::Unit(BOAT)), "{version}");
    }
}

#[test]
fn a_unit_in_a_boat_is_not_offered_another_boat() {
    for (version, mut world) in with_unit("Lake", "Warriors") {
        put_with(&mut world, BOAT, "Transport", at(4, 4), |_, boat| boat.occupied = true);
        put_with(&mut world, OTHER_BOAT, "Transport", at(4, 4), |_, _| {});
        put_with(&mut world, UNIT, "Warriors", at(4, 4), |_, unit| {
            (unit.transported, unit.transported_by) = (true, BOAT);
        });
        assert!(!offers(&world, ACTOR, LegalKind::Load), "{version}");
    }
}

#[test]
fn a_unit_with_cargo_is_not_offered_a_boat() {
    for (version, mut world) in with_unit("Lake", "Warriors") {
        put_with(&mut world, BOAT, "Transport", at(4, 4), |_, _| {});
        put_with(&mut world, UNIT, "Warriors", at(4, 4), |_, unit| unit.occupied = true);
        assert!(!offers(&world, ACTOR, LegalKind::Load), "{version}");
    }
}

#[test]
fn a_full_boat_is_not_offered() {
    for (version, mut world) in with_unit("Lake", "Warriors") {
        put_with(&mut world, BOAT, "Transport", at(4, 4), |_, boat| boat.occupied = true);
        let room = world.unit_type("Transport").unwrap().transport_capacity;
        for id in 0..u32::from(room) {
            put_with(&mut world, 820 + id, "Warriors", at(4, 4), |_, unit| {
                (unit.transported, unit.transported_by) = (true, BOAT);
            });
        }
        assert!(!offers(&world, ACTOR, LegalKind::Load), "{version}");
    }
}

#[test]
fn a_unit_leaves_its_boat_only_where_it_can_exist() {
    for (terrain, leaves) in [("Lake", false), ("Grassland", true)] {
        for (version, mut world) in with_unit("Lake", "Warriors") {
            let city = CityShortInfo {
                id: 910,
                tile: at(4, 4),
                owner: world.my_number().unwrap(),
                size: 3,
                ..CityShortInfo::default()
            };
            if leaves {
                // A boat is on land in a city only.
                set_tile(&mut world, at(4, 4), |world, info| info.terrain = terrain_id(world, terrain));
                world.apply(&Packet::CityShortInfo(&city));
            }
            put_with(&mut world, BOAT, "Transport", at(4, 4), |_, boat| boat.occupied = true);
            put_with(&mut world, UNIT, "Warriors", at(4, 4), |_, unit| {
                (unit.transported, unit.transported_by) = (true, BOAT);
            });
            assert_eq!(offers(&world, ACTOR, LegalKind::Unload), leaves, "{version} {terrain}");
        }
    }
}
