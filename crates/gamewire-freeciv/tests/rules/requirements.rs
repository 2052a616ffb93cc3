//! Single requirements.

use gamewire_freeciv::codec::{ProtocolVersion, Requirement};
use gamewire_freeciv::number::EffectType;
use gamewire_freeciv::packets::RulesetEffect;
use gamewire_freeciv::rules::{Answer, Context, Evaluator};
use gamewire_freeciv::world::World;

use super::support::{city, give_building, worlds};

const ADVANCE: u8 = 1;
const IMPROVEMENT: u8 = 3;
const TERRAIN_CLASS: u8 = 14;
const MIN_SIZE: u8 = 12;
const OCEAN: i32 = 1;

/// Returns the numbers of five ranges in a version: the tile, neighbors, the city, the player, the world.
fn ranges(version: ProtocolVersion) -> [u8; 5] {
    match version {
        ProtocolVersion::V3_0 | ProtocolVersion::V3_1 => [0, 2, 3, 6, 9],
        ProtocolVersion::V3_2 => [1, 3, 4, 7, 10],
    }
}

fn requirement(kind: u8, value: impl Into<i32>, range: u8) -> Requirement {
    Requirement { kind, value: value.into(), range, present: true, ..Requirement::default() }
}

fn ask(world: &World, requirement: Requirement) -> Answer {
    Evaluator::new(world).is_active(&Context::of_city(world, city(world)), &requirement)
}

#[test]
fn a_requirement_can_be_met_by_the_city_or_be_absent() {
    for (version, mut world) in worlds() {
        let [_, _, of_city, of_player, _] = ranges(version);
        let temple = world.building("Temple").unwrap().id;
        let present = requirement(IMPROVEMENT, temple, of_city);
        let absent = Requirement { present: false, ..present };
        assert_eq!((ask(&world, present), ask(&world, absent)), (Answer::No, Answer::Yes), "{version}");
        give_building(&mut world, "Temple");
        assert_eq!((ask(&world, present), ask(&world, absent)), (Answer::Yes, Answer::No), "{version}");
        assert_eq!(ask(&world, requirement(IMPROVEMENT, temple, of_player)), Answer::Yes, "{version}");
    }
}

#[test]
fn a_requirement_about_something_that_is_not_there_is_not_met_either_way() {
    for (version, world) in worlds() {
        let [_, _, of_city, ..] = ranges(version);
        let size = requirement(MIN_SIZE, 1, of_city);
        let rules = Evaluator::new(&world);
        for present in [true, false] {
            let asked = rules.is_active(&Context::default(), &Requirement { present, ..size });
            assert_eq!(asked, Answer::No, "{version}");
        }
        assert_eq!(ask(&world, size), Answer::Yes, "{version}");
        assert_eq!(ask(&world, requirement(MIN_SIZE, 9, of_city)), Answer::No, "{version}");
    }
}

#[test]
fn neighbors_are_within_their_range_and_not_the_tile() {
    for (version, mut world) in worlds() {
        let [tile, adjacent, ..] = ranges(version);
        super::support::surround(&mut world, "Ocean");
        assert_eq!(ask(&world, requirement(TERRAIN_CLASS, OCEAN, tile)), Answer::No, "{version}");
        assert_eq!(ask(&world, requirement(TERRAIN_CLASS, OCEAN, adjacent)), Answer::Yes, "{version}");
        super::support::surround(&mut world, "Grassland");
        assert_eq!(ask(&world, requirement(TERRAIN_CLASS, OCEAN, adjacent)), Answer::No, "{version}");
    }
}

#[test]
fn what_others_know_is_unknown_unless_it_survives() {
    for (version, world) in worlds() {
        let [.., of_player, of_world] = ranges(version);
        let plastics = world.advance("Plastics").unwrap().id;
        let of = |range| requirement(ADVANCE, plastics, range);
        assert_eq!(ask(&world, of(of_player)), Answer::No, "{version}");
        assert_eq!(ask(&world, of(of_world)), Answer::Unknown, "{version}");
        assert_eq!(ask(&world, Requirement { survives: true, ..of(of_world) }), Answer::No, "{version}");
    }
}

#[test]
fn kinds_and_ranges_without_a_meaning_are_unknown() {
    for (_, world) in worlds() {
        assert_eq!(ask(&world, requirement(200, 1, 3)), Answer::Unknown);
        assert_eq!(ask(&world, requirement(ADVANCE, 1, 200)), Answer::Unknown);
    }
}

#[test]
fn effects_add_up_those_whose_requirements_are_met() {
    for (version, world) in worlds() {
        let rules = Evaluator::new(&world);
        let player = world.me().unwrap();
        let context = Context::of_player(player);
        assert_eq!(rules.value(EffectType::EnableSpace, &context), Some(0), "{version}");
        assert!(rules.value(EffectType::TechCostFactor, &context) > Some(0), "{version}");
    }
}

/// The number of Action_Success_Actor_Move_Cost is Combat_Rounds in 3.0.
#[test]
fn an_effect_that_a_version_lacks_has_no_value_although_another_one_has_its_number() {
    let (effect, lacking) = (EffectType::CombatRounds, EffectType::ActionSuccessActorMoveCost);
    for (version, mut world) in worlds() {
        if lacking.number(version).is_some() {
            continue;
        }
        let effect_type = effect.number(version).unwrap();
        assert_eq!(lacking.number(ProtocolVersion::V3_1), Some(effect_type));
        let rule = RulesetEffect { effect_type, effect_value: 20, ..RulesetEffect::default() };
        world.apply(&(&rule).into());
        let value = |effect| Evaluator::new(&world).value(effect, &Context::default());
        assert_eq!((value(effect), value(lacking)), (Some(20), Some(0)), "{version}");
    }
}
