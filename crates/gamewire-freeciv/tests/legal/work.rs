//! Work on tiles that a server refuses is not offered.

use gamewire_freeciv::codec::ProtocolVersion;
use gamewire_freeciv::legal::{LegalKind, Part};
use gamewire_freeciv::number::Activity;
use gamewire_freeciv::packets::{CityShortInfo, GameInfo, Packet};
use gamewire_freeciv::world::World;

use super::support::{ACTOR, busy, extra, of_kind, offers, offers_part, put_with, with_unit};
use crate::path::support::{UNIT, at, build, extra_id, set_tile};
use crate::rules::support::learn;

fn builds(world: &World, name: &str) -> bool {
    offers_part(world, ACTOR, LegalKind::Build, extra(world, name))
}

fn pillages(world: &World, name: &str) -> bool {
    offers_part(world, ACTOR, LegalKind::Pillage, extra(world, name))
}

/// Lets players choose the extra that they pillage, or not.
fn select_pillage(world: &mut World, selects: bool) {
    let game = GameInfo { pillage_select: selects, ..world.game().unwrap().clone() };
    world.apply(&Packet::GameInfo(&game));
}

/// Puts a city on a tile.
fn add_city(world: &mut World, owner: u16, tile: i32) {
    let city = CityShortInfo { id: 910, tile, owner, size: 3, ..CityShortInfo::default() };
    world.apply(&Packet::CityShortInfo(&city));
}

#[test]
fn an_extra_that_is_there_is_not_offered_again() {
    for (version, mut world) in with_unit("Grassland", "Workers") {
        assert!(builds(&world, "Road"), "{version}");
        build(&mut world, "Road", &[at(4, 4)]);
        assert!(!builds(&world, "Road"), "{version}");
    }
}

#[test]
fn the_extra_that_a_unit_builds_is_not_offered_again() {
    for (version, mut world) in with_unit("Grassland", "Workers") {
        put_with(&mut world, UNIT, "Workers", at(4, 4), |world, unit| {
            busy(unit, world, Activity::Road, Some("Road"))
        });
        assert!(!builds(&world, "Road"), "{version}");
    }
}

#[test]
fn extras_that_exclude_each_other_are_not_built_at_the_same_time() {
    for (version, mut world) in with_unit("Hills", "Workers") {
        build(&mut world, "River", &[at(4, 4)]);
        assert!(builds(&world, "Irrigation") && builds(&world, "Mine"), "{version}");
        put_with(&mut world, 801, "Workers", at(4, 4), |world, unit| {
            busy(unit, world, Activity::Mine, Some("Mine"))
        });
        assert!(!builds(&world, "Irrigation"), "{version}");
    }
}

#[test]
fn warriors_do_not_work() {
    for (version, mut world) in with_unit("Grassland", "Warriors") {
        build(&mut world, "River", &[at(4, 4)]);
        for name in ["Irrigation", "Mine", "Road"] {
            assert!(!builds(&world, name), "{version} {name}");
        }
    }
}

#[test]
fn a_road_on_a_river_needs_the_advance_for_bridges() {
    for (version, mut world) in with_unit("Grassland", "Workers") {
        build(&mut world, "River", &[at(4, 4)]);
        assert!(!builds(&world, "Road"), "{version}");
        learn(&mut world, &["Bridge Building"]);
        assert!(builds(&world, "Road"), "{version}");
    }
}

#[test]
fn a_tile_on_which_something_is_placed_takes_no_other_extra() {
    for (version, mut world) in with_unit("Grassland", "Workers") {
        if version == ProtocolVersion::V3_0 {
            // Players place extras since 3.1.
            continue;
        }
        set_tile(&mut world, at(4, 4), |world, info| {
            info.placing = i8::try_from(extra_id(world, "Irrigation")).ok();
            info.place_turn = Some(9);
        });
        assert!(!builds(&world, "Road"), "{version}");
    }
}

#[test]
fn an_extra_on_which_another_depends_is_not_pillaged() {
    for (version, mut world) in with_unit("Grassland", "Warriors") {
        select_pillage(&mut world, true);
        build(&mut world, "Road", &[at(4, 4)]);
        assert!(pillages(&world, "Road"), "{version}");
        build(&mut world, "Railroad", &[at(4, 4)]);
        assert!(pillages(&world, "Railroad") && !pillages(&world, "Road"), "{version}");
    }
}

#[test]
fn an_extra_that_another_unit_pillages_is_not_offered() {
    for (version, mut world) in with_unit("Grassland", "Warriors") {
        select_pillage(&mut world, true);
        build(&mut world, "Road", &[at(4, 4)]);
        put_with(&mut world, 801, "Warriors", at(4, 4), |world, unit| {
            busy(unit, world, Activity::Pillage, Some("Road"));
        });
        assert!(!pillages(&world, "Road"), "{version}");
    }
}

#[test]
fn the_server_chooses_the_pillaged_extra_where_players_may_not() {
    for (version, mut world) in with_unit("Grassland", "Warriors") {
        select_pillage(&mut world, false);
        build(&mut world, "Road", &[at(4, 4)]);
        build(&mut world, "Railroad", &[at(4, 4)]);
        let parts: Vec<Part> =
            of_kind(&world, ACTOR, LegalKind::Pillage).iter().map(|entry| entry.key.part).collect();
        assert_eq!(parts, [Part::None], "{version}");
    }
}

#[test]
fn the_road_of_a_city_is_not_pillaged() {
    for (version, mut world) in with_unit("Grassland", "Warriors") {
        select_pillage(&mut world, true);
        build(&mut world, "Road", &[at(4, 4)]);
        let me = world.my_number().unwrap();
        add_city(&mut world, me, at(4, 4));
        assert!(!pillages(&world, "Road"), "{version}");
    }
}

#[test]
fn pollution_is_cleaned_once() {
    for (version, mut world) in with_unit("Grassland", "Workers") {
        build(&mut world, "Pollution", &[at(4, 4)]);
        let pollution = extra(&world, "Pollution");
        assert!(offers_part(&world, ACTOR, LegalKind::Clean, pollution), "{version}");
        let activity = match version {
            ProtocolVersion::V3_2 => Activity::Clean,
            _ => Activity::CleanPollution,
        };
        put_with(&mut world, UNIT, "Workers", at(4, 4), |world, unit| {
            busy(unit, world, activity, Some("Pollution"));
        });
        assert!(!offers_part(&world, ACTOR, LegalKind::Clean, pollution), "{version}");
    }
}

#[test]
fn terrain_with_another_result_of_irrigation_is_cultivated_instead() {
    for (version, world) in with_unit("Forest", "Workers") {
        assert!(!builds(&world, "Irrigation"), "{version}");
        assert!(offers(&world, ACTOR, LegalKind::Cultivate), "{version}");
    }
}

#[test]
fn a_change_of_terrain_that_a_unit_makes_is_not_offered_again() {
    for (version, mut world) in with_unit("Forest", "Workers") {
        let activity =
            if version == ProtocolVersion::V3_0 { Activity::Irrigate } else { Activity::Cultivate };
        put_with(&mut world, UNIT, "Workers", at(4, 4), |world, unit| busy(unit, world, activity, None));
        assert!(!offers(&world, ACTOR, LegalKind::Cultivate), "{version}");
    }
}
