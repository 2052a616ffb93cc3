//! Production of cities.

use gamewire_freeciv::number::Production;
use gamewire_freeciv::packets::{GameInfo, Packet, TileInfo};
use gamewire_freeciv::rules::{
    Answer, build_cost, can_build, productions, shield_stock_after_change, turns_to_build,
};
use gamewire_freeciv::world::World;

use super::support::{builds, change_city, city, give_building, learn, surround, worlds};

#[test]
fn a_new_city_can_build_what_needs_no_advance() {
    for (version, world) in worlds() {
        for name in ["Warriors", "Settlers", "Coinage"] {
            assert_eq!(builds(&world, name), Answer::Yes, "{version} {name}");
        }
        for name in
            ["Leader", "Barbarian Leader", "Phalanx", "Nuclear", "Marketplace", "Colossus", "Space Module"]
        {
            assert_eq!(builds(&world, name), Answer::No, "{version} {name}");
        }
        let all: Vec<_> = productions(&world, city(&world)).collect();
        let rules = world.rulesets();
        assert_eq!(all.len(), rules.buildings.len() + rules.unit_types.len());
        assert!(all.iter().all(|(_, answer)| *answer != Answer::Unknown), "{version}");
    }
}

#[test]
fn an_advance_allows_units_and_makes_others_obsolete() {
    for (version, mut world) in worlds() {
        learn(&mut world, &["Bronze Working"]);
        assert_eq!(
            (builds(&world, "Phalanx"), builds(&world, "Warriors")),
            (Answer::Yes, Answer::Yes),
            "{version}"
        );
        learn(&mut world, &["Feudalism"]);
        let after = ["Pikemen", "Phalanx"].map(|name| builds(&world, name));
        assert_eq!(after, [Answer::Yes, Answer::No], "{version}");
    }
}

#[test]
fn a_building_may_need_another_and_is_built_once() {
    for (version, mut world) in worlds() {
        learn(&mut world, &["Trade", "Banking", "Currency"]);
        assert_eq!(
            (builds(&world, "Marketplace"), builds(&world, "Bank")),
            (Answer::Yes, Answer::No),
            "{version}"
        );
        give_building(&mut world, "Marketplace");
        assert_eq!(
            (builds(&world, "Marketplace"), builds(&world, "Bank")),
            (Answer::No, Answer::Yes),
            "{version}"
        );
    }
}

#[test]
fn a_great_wonder_is_built_once_in_the_world() {
    for (version, mut world) in worlds() {
        learn(&mut world, &["Masonry", "Bronze Working"]);
        assert_eq!(builds(&world, "Pyramids"), Answer::Yes, "{version}");
        let pyramids = usize::from(world.building("Pyramids").unwrap().id);
        let mut game: GameInfo = world.game().unwrap().clone();
        game.great_wonder_owners[pyramids] = 1;
        world.apply(&Packet::GameInfo(&game));
        assert_eq!(builds(&world, "Pyramids"), Answer::No, "{version}");
        let production = world.rulesets().production("Pyramids").unwrap();
        assert_eq!(turns_to_build(&world, city(&world), production), None, "{version}");
    }
}

/// Returns the names of all advances.
fn advances(world: &World) -> Vec<String> {
    world.rulesets().advances.iter().map(|rule| rule.rule_name.to_str_lossy().into_owned()).collect()
}

#[test]
fn ships_are_built_at_the_sea() {
    for (version, mut world) in worlds() {
        let all = advances(&world);
        learn(&mut world, &all.iter().map(String::as_str).collect::<Vec<_>>());
        surround(&mut world, "Grassland");
        assert_eq!(builds(&world, "Battleship"), Answer::No, "{version}");
        surround(&mut world, "Ocean");
        assert_eq!(builds(&world, "Battleship"), Answer::Yes, "{version}");
        // A neighbor is unknown, so the city may be on a coast.
        surround(&mut world, "Grassland");
        let neighbor = world.map().neighbors(city(&world).tile()).next().unwrap().tile;
        world.apply(&Packet::TileInfo(&TileInfo { tile: neighbor, known: 0, ..TileInfo::default() }));
        assert_eq!(builds(&world, "Battleship"), Answer::Unknown, "{version}");
    }
}

#[test]
fn productions_that_the_ruleset_does_not_have_are_not_built() {
    for (_, world) in worlds() {
        assert_eq!(can_build(&world, city(&world), Production::unit(255)), Answer::No);
        assert_eq!(can_build(&world, city(&world), Production::building(255)), Answer::No);
    }
}

#[test]
fn a_change_of_the_class_of_production_costs_half_of_the_shields() {
    for (version, mut world) in worlds() {
        let production = |world: &World, name| world.rulesets().production(name).unwrap();
        let stock =
            |world: &World, name| shield_stock_after_change(world, city(world), production(world, name));
        let warriors = production(&world, "Warriors");
        change_city(&mut world, |city| {
            (city.changed_from_kind, city.changed_from_value) = (warriors.kind.0, warriors.id);
        });
        let stocks = ["Settlers", "Temple", "Pyramids"].map(|name| stock(&world, name));
        assert_eq!(stocks, [Some(10), Some(5), Some(5)], "{version}");
        // After a production was completed in this turn, its surplus is not reduced.
        let turn = world.turn();
        change_city(&mut world, |city| {
            (city.turn_last_built, city.last_turns_shield_surplus) = (turn - 1, 4);
        });
        assert_eq!(stock(&world, "Temple"), Some(4 + 3), "{version}");
        // Shields from caravans only count for wonders. Shields from disbanded units count for all productions.
        change_city(&mut world, |city| (city.caravan_shields, city.disbanded_shields) = (20, 7));
        assert_eq!(stock(&world, "Temple"), Some(4 + 7 + (6 + 20) / 2), "{version}");
        assert_eq!(stock(&world, "Pyramids"), Some(4 + 7 + 20 + 6 / 2), "{version}");
    }
}

#[test]
fn the_turns_to_complete_follow_from_the_cost_the_stock_and_the_surplus() {
    for (version, mut world) in worlds() {
        let settlers = world.rulesets().production("Settlers").unwrap();
        let cost = build_cost(&world, city(&world), settlers).unwrap();
        let expected = (cost - 10).div_ceil(3);
        assert_eq!(turns_to_build(&world, city(&world), settlers), Some(expected), "{version}");
        change_city(&mut world, |city| city.before_change_shields = 500);
        assert_eq!(turns_to_build(&world, city(&world), settlers), Some(1), "{version}");
        let coinage = world.rulesets().production("Coinage").unwrap();
        assert_eq!(turns_to_build(&world, city(&world), coinage), None, "{version}");
        change_city(&mut world, |city| (city.before_change_shields, city.surplus[1]) = (0, -1));
        assert_eq!(turns_to_build(&world, city(&world), settlers), None, "{version}");
    }
}
