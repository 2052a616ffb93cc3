//! A hostile server: rules of movement that no real game has.

use gamewire_freeciv::codec::{Bitvector, Requirement};
use gamewire_freeciv::packets::{
    Packet, RulesetEffect, RulesetExtra, RulesetRoad, RulesetTerrain, RulesetTerrainControl, RulesetUnit,
    RulesetUnitClass, UnitInfo,
};
use gamewire_freeciv::path::{Movement, path, survey};
use gamewire_freeciv::world::World;

use super::support::{SIZE, UNIT, at, build, go, maps, put};

fn ask(world: &World) {
    let unit = world.unit(UNIT).unwrap();
    for tile in [0, 40, 80, -1, i32::MAX] {
        let _ = (path(world, unit, tile), survey(world, tile));
    }
    let Some(movement) = Movement::of(world, unit) else { return };
    for from in world.map().tiles().take(10) {
        for to in world.map().tiles().take(10) {
            let _ = (movement.step_cost(from, to), movement.check_step(from, to), movement.can_exist(to));
        }
    }
}

#[test]
fn extreme_costs_and_rates_neither_panic_nor_hang() {
    for (_, mut world) in maps("Grassland") {
        put(&mut world, "Warriors", at(4, 4));
        build(&mut world, "Road", &(0..81).collect::<Vec<_>>());
        for (fragments, cost, rate, move_cost) in [
            (u32::MAX, u16::MAX, u32::MAX, i16::MAX),
            (0, 0, 0, 0),
            (1, u16::MAX, 1, i16::MIN),
            (0, 1, u32::MAX, -1),
        ] {
            let rulesets = world.rulesets();
            let control = RulesetTerrainControl {
                move_fragments: fragments,
                igter_cost: fragments,
                pythagorean_diagonal: true,
                ..RulesetTerrainControl::clone(rulesets.terrain_control.as_ref().unwrap())
            };
            let terrains: Vec<RulesetTerrain> = rulesets.terrains.iter().cloned().collect();
            let warriors = world.unit_type("Warriors").unwrap().clone();
            let road = RulesetRoad {
                integrates: Bitvector([255; 32]),
                move_cost,
                ..rulesets.roads.get(0).unwrap().clone()
            };
            world.apply(&Packet::RulesetTerrainControl(&control));
            for terrain in terrains {
                world.apply(&Packet::RulesetTerrain(&RulesetTerrain { movement_cost: cost, ..terrain }));
            }
            world.apply(&Packet::RulesetRoad(&road));
            world.apply(&Packet::RulesetUnit(&RulesetUnit { move_rate: rate, hp: 0, fuel: 255, ..warriors }));
            ask(&world);
            for (movesleft, fuel) in [(0, 0), (u32::MAX, 255), (1, 1)] {
                let unit = UnitInfo {
                    movesleft,
                    fuel,
                    veteran: 255,
                    hp: 255,
                    ..world.unit(UNIT).unwrap().full().unwrap().clone()
                };
                world.apply(&Packet::UnitInfo(&unit));
                ask(&world);
            }
        }
    }
}

#[test]
fn a_unit_that_cannot_move_has_no_path() {
    for (version, mut world) in maps("Grassland") {
        let warriors = world.unit_type("Warriors").unwrap().clone();
        let class = world.rulesets().unit_classes.get(warriors.unit_class_id).unwrap().clone();
        world.apply(&Packet::RulesetUnitClass(&RulesetUnitClass { min_speed: 0, ..class }));
        world.apply(&Packet::RulesetUnit(&RulesetUnit { move_rate: 0, ..warriors }));
        put(&mut world, "Warriors", at(4, 4));
        assert!(go(&world, at(4, 5)).is_none(), "{version}");
    }
}

#[test]
fn thousands_of_effects_on_moves_are_bounded() {
    let (_, mut world) = maps("Grassland").into_iter().next().unwrap();
    let reqs = vec![Requirement { present: true, ..Requirement::default() }; 20];
    for _ in 0..7000 {
        let effect = RulesetEffect {
            effect_type: 36,
            effect_value: -1,
            reqs: reqs.clone(),
            ..RulesetEffect::default()
        };
        world.apply(&Packet::RulesetEffect(&effect));
    }
    put(&mut world, "Warriors", at(0, 0));
    let last = i32::from(SIZE) - 1;
    assert!(go(&world, at(last, last)).is_some());
}

#[test]
fn classes_and_extras_that_the_ruleset_lacks_are_no_movement() {
    for (version, mut world) in maps("Grassland") {
        let warriors = world.unit_type("Warriors").unwrap().clone();
        world.apply(&Packet::RulesetUnit(&RulesetUnit { unit_class_id: 255, ..warriors }));
        put(&mut world, "Warriors", at(4, 4));
        assert!(Movement::of(&world, world.unit(UNIT).unwrap()).is_none(), "{version}");
        assert!(go(&world, at(4, 5)).is_none(), "{version}");
        let extra = RulesetExtra { id: 255, causes: Bitvector([255; 2]), ..RulesetExtra::default() };
        world.apply(&Packet::RulesetExtra(&extra));
        ask(&world);
    }
}
