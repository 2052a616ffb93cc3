//! A hostile server: rules that depend on themselves, and numbers that no real game has.

use gamewire_freeciv::codec::{Requirement, Ufloat};
use gamewire_freeciv::number::{EffectType, Output, Production};
use gamewire_freeciv::packets::{
    CityInfo, GameInfo, MapInfo, Packet, RulesetBuilding, RulesetEffect, RulesetMultiplier, RulesetRoad,
    RulesetTech, RulesetTerrain, RulesetUnit, RulesetUnitClass, TileInfo,
};
use gamewire_freeciv::rules::{self, Answer, Context, Evaluator};
use gamewire_freeciv::world::World;

use super::support::{CITY, builds, city, worlds};

/// Calls every function of the rules.
fn ask(world: &World) {
    for city in world.cities().iter().take(4) {
        for (production, _) in rules::productions(world, city) {
            let _ = rules::build_cost(world, city, production);
            let _ = rules::turns_to_build(world, city, production);
            let _ = rules::shield_stock_after_change(world, city, production);
        }
        let _ = (rules::growth(world, city), rules::can_build(world, city, Production::unit(7)));
        for tile in world.city_tiles(city).take(4) {
            let _ = [0, 1, 2, 200].map(|output| rules::tile_output(world, Some(city), tile, Output(output)));
        }
    }
    for size in 0..=255 {
        let _ = rules::granary_size(world, size);
    }
    for advance in [0, 1, 2, u16::MAX] {
        let _ = (rules::can_research(world, advance), rules::goal_steps(world, advance));
        let _ = (rules::goal_bulbs(world, advance), rules::bulbs_required(world, advance));
    }
    let _ = rules::researchable(world).count();
}

/// Returns requirements of every kind and range about the first things.
fn requirements(count: usize) -> Vec<Requirement> {
    let all = (0..60).flat_map(|kind| (0..12).map(move |range| (kind, range)));
    let values = [0, 1, -1, i32::MAX, i32::MIN];
    let all = all.flat_map(|(kind, range)| values.map(|value| (kind, range, value)));
    let requirement = |(kind, range, value): (u8, u8, i32)| Requirement {
        kind,
        range,
        value,
        present: value != 1,
        survives: range % 3 == 0,
        quiet: false,
    };
    all.map(requirement).take(count).collect()
}

#[test]
fn buildings_that_make_each_other_obsolete_are_answered() {
    for (version, mut world) in worlds() {
        let ids: Vec<u8> = world.rulesets().buildings.iter().map(|building| building.id).collect();
        // Each building is obsolete if any other one is in the city.
        for id in &ids {
            let old = world.rulesets().buildings.get(*id).unwrap().clone();
            let by = |other: &u8| Requirement {
                kind: 3,
                value: (*other).into(),
                range: if version == gamewire_freeciv::codec::ProtocolVersion::V3_2 { 4 } else { 3 },
                present: true,
                ..Requirement::default()
            };
            let building = RulesetBuilding { obs_reqs: ids.iter().map(by).take(40).collect(), ..old };
            world.apply(&Packet::RulesetBuilding(&building));
            let mut info: CityInfo = city(&world).full().unwrap().clone();
            assert!(info.improvements.set((*id).into(), true));
            world.apply(&Packet::CityInfo(&info));
        }
        let city = world.city(CITY).unwrap();
        let answers: Vec<Answer> = rules::productions(&world, city).map(|(_, answer)| answer).collect();
        assert!(answers.contains(&Answer::No), "{version}");
        ask(&world);
    }
}

#[test]
fn unit_types_that_make_each_other_obsolete_end() {
    for (version, mut world) in worlds() {
        let warriors = world.unit_type("Warriors").unwrap().clone();
        let id = u8::try_from(warriors.id).unwrap();
        world.apply(&Packet::RulesetUnit(&RulesetUnit { obsoleted_by: id, ..warriors }));
        // It can be built, and it is obsolete if it can be built.
        assert_eq!(builds(&world, "Warriors"), Answer::No, "{version}");
    }
}

#[test]
fn an_evaluator_stops_at_its_limit() {
    let (_, world) = worlds().into_iter().next().unwrap();
    let rules = Evaluator::new(&world);
    let always = Requirement { kind: 0, present: true, ..Requirement::default() };
    let count = usize::try_from(Evaluator::MAX_REQUIREMENTS).unwrap();
    assert_eq!(rules.are_active(&Context::default(), vec![always; count].iter()), Answer::Yes);
    assert_eq!(rules.is_active(&Context::default(), &always), Answer::Unknown);
}

#[test]
fn extreme_numbers_neither_panic_nor_hang() {
    for (_, mut world) in worlds() {
        extreme_rules(&mut world);
        ask(&world);
        let game = GameInfo {
            shieldbox: u32::MAX,
            foodbox: u32::MAX,
            sciencebox: u32::MAX,
            granary_num_inis: u8::MAX,
            granary_food_inc: u16::MAX,
            tech_leakage: 1,
            tech_leak_pct: u8::MAX,
            granularity: Some(u16::MAX),
            ..world.game().unwrap().clone()
        };
        world.apply(&Packet::GameInfo(&game));
        ask(&world);
        for number in [0, i16::MIN, i16::MAX] {
            let city = CityInfo {
                tile: i32::from(number),
                surplus: [number; 6],
                food_stock: number,
                shield_stock: u16::MAX,
                before_change_shields: u16::MAX,
                caravan_shields: u16::MAX,
                disbanded_shields: u16::MAX,
                turn_last_built: number,
                changed_from_kind: 6,
                ..city(&world).full().unwrap().clone()
            };
            world.apply(&Packet::CityInfo(&city));
            ask(&world);
        }
    }
}

/// Replaces the first rules with rules with extreme numbers and all kinds of requirements.
fn extreme_rules(world: &mut World) {
    let reqs = requirements(40);
    let multiplier =
        RulesetMultiplier { id: 3, offset: i32::MAX, factor: i32::MAX, ..RulesetMultiplier::default() };
    world.apply(&Packet::RulesetMultiplier(&multiplier));
    for (number, requirement) in requirements(3600).into_iter().enumerate() {
        let effect = RulesetEffect {
            effect_type: u8::try_from(number % 140).unwrap(),
            effect_value: if number % 2 == 0 { i32::MAX } else { i32::MIN },
            has_multiplier: number % 5 == 0,
            multiplier: 3,
            reqs: vec![requirement],
            ..RulesetEffect::default()
        };
        world.apply(&Packet::RulesetEffect(&effect));
    }
    for id in 0..40 {
        let unit = RulesetUnit {
            id: id.into(),
            build_reqs: Some(reqs.clone()),
            build_cost: u16::MAX,
            city_slots: u8::MAX,
            obsoleted_by: id + 1,
            ..RulesetUnit::default()
        };
        world.apply(&Packet::RulesetUnit(&unit));
        let building = RulesetBuilding {
            id,
            genus: id % 6,
            reqs: reqs.clone(),
            obs_reqs: reqs.clone(),
            build_cost: u16::MAX,
            ..RulesetBuilding::default()
        };
        world.apply(&Packet::RulesetBuilding(&building));
        let tech = RulesetTech {
            id: id.into(),
            research_reqs: vec![Requirement {
                kind: 1,
                value: id.into(),
                present: true,
                ..Requirement::default()
            }],
            cost: Ufloat::default(),
            ..RulesetTech::default()
        };
        world.apply(&Packet::RulesetTech(&tech));
        let outputs = [u16::MAX; 6];
        let road = RulesetRoad { id, tile_incr: outputs, tile_bonus: outputs, ..RulesetRoad::default() };
        world.apply(&Packet::RulesetRoad(&road));
        let terrain = RulesetTerrain {
            id,
            output: [u8::MAX; 6],
            road_output_incr_pct: outputs,
            ..RulesetTerrain::default()
        };
        world.apply(&Packet::RulesetTerrain(&terrain));
        world.apply(&Packet::RulesetUnitClass(&RulesetUnitClass { id, ..RulesetUnitClass::default() }));
    }
}

#[test]
fn a_world_without_rules_or_a_map_answers_nothing() {
    let mut world = World::new();
    world.apply(&Packet::CityInfo(&CityInfo { id: 1, tile: -5, ..CityInfo::default() }));
    ask(&world);
    let city = world.city(1).unwrap();
    assert_eq!(rules::can_build(&world, city, Production::unit(0)), Answer::No);
    assert_eq!((rules::growth(&world, city), rules::goal_steps(&world, 1)), (None, None));
    assert_eq!(Evaluator::new(&world).value(EffectType::SizeAdj, &Context::of_city(&world, city)), Some(0));
    world.apply(&Packet::MapInfo(&MapInfo { xsize: 3, ysize: 3, topology_id: 255, ..MapInfo::default() }));
    world.apply(&Packet::TileInfo(&TileInfo { tile: 4, known: 2, terrain: 7, ..TileInfo::default() }));
    ask(&world);
}
