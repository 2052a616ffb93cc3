//! Research, rates and governments that a server refuses or ignores are not offered.

use gamewire_freeciv::legal::{Actor, LegalKind, Part};
use gamewire_freeciv::packets::{GameInfo, Packet, PlayerInfo, ResearchInfo};
use gamewire_freeciv::world::World;

use super::support::{entries, of_kind, offers, offers_part};
use crate::path::support::maps;
use crate::rules::support::learn;

fn advance(world: &World, name: &str) -> Part {
    Part::Advance(world.advance(name).unwrap().id)
}

#[test]
fn only_the_next_advances_are_researched_but_not_the_present_one() {
    for (version, mut world) in maps("Grassland") {
        let mut research: ResearchInfo = world.my_research().unwrap().clone();
        research.researching = world.advance("Pottery").unwrap().id;
        world.apply(&Packet::ResearchInfo(&research));
        for (name, is_offered) in [("Alphabet", true), ("Pottery", false), ("Railroad", false)] {
            let part = advance(&world, name);
            let is = offers_part(&world, Actor::Player, LegalKind::Research, part);
            assert_eq!(is, is_offered, "{version} {name}");
        }
    }
}

#[test]
fn a_known_advance_and_the_present_goal_are_no_new_goals() {
    for (version, mut world) in maps("Grassland") {
        learn(&mut world, &["Alphabet"]);
        let mut research: ResearchInfo = world.my_research().unwrap().clone();
        research.tech_goal = world.advance("Currency").unwrap().id;
        world.apply(&Packet::ResearchInfo(&research));
        for (name, is_offered) in [("Alphabet", false), ("Currency", false), ("Railroad", true)] {
            let part = advance(&world, name);
            let is = offers_part(&world, Actor::Player, LegalKind::ResearchGoal, part);
            assert_eq!(is, is_offered, "{version} {name}");
        }
    }
}

#[test]
fn rates_are_new_and_sum_to_a_hundred_within_the_maximum_of_the_government() {
    for (version, world) in maps("Grassland") {
        let me = world.me().unwrap();
        let rates = of_kind(&world, Actor::Player, LegalKind::TaxRates);
        assert!(!rates.is_empty(), "{version}");
        for entry in rates {
            let Part::Rates { tax, luxury, science } = entry.key.part else { panic!("{entry:?}") };
            assert_eq!(tax + luxury + science, 100, "{version}");
            assert_ne!((tax, luxury, science), (me.tax, me.luxury, me.science), "{version}");
            // Despotism and tribes of the recorded ruleset have 60 percent.
            assert!(tax.max(luxury).max(science) <= 60, "{version} {entry:?}");
        }
    }
}

#[test]
fn rates_are_not_offered_where_the_game_fixes_them() {
    for (version, mut world) in maps("Grassland") {
        let game = GameInfo { changable_tax: false, ..world.game().unwrap().clone() };
        world.apply(&Packet::GameInfo(&game));
        assert!(!offers(&world, Actor::Player, LegalKind::TaxRates), "{version}");
    }
}

#[test]
fn governments_need_their_advance_and_are_not_the_present_or_coming_one() {
    for (version, mut world) in maps("Grassland") {
        let id = |world: &World, name: &str| world.rulesets().governments.named(name).unwrap().id;
        let monarchy = u8::try_from(id(&world, "Monarchy")).unwrap();
        let is_offered = |world: &World| {
            offers_part(world, Actor::Player, LegalKind::Government, Part::Government(monarchy))
        };
        assert!(!is_offered(&world), "{version}: unknown");
        learn(&mut world, &["Monarchy"]);
        assert!(is_offered(&world), "{version}");
        let me =
            PlayerInfo { target_government: monarchy.try_into().unwrap(), ..world.me().unwrap().clone() };
        world.apply(&Packet::PlayerInfo(&me));
        assert!(!is_offered(&world), "{version}: the revolution has begun");
    }
}

#[test]
fn a_player_who_has_ended_the_turn_does_not_end_it_again() {
    for (version, mut world) in maps("Grassland") {
        assert!(offers(&world, Actor::Player, LegalKind::EndTurn), "{version}");
        let me = PlayerInfo { phase_done: true, ..world.me().unwrap().clone() };
        world.apply(&Packet::PlayerInfo(&me));
        assert!(!offers(&world, Actor::Player, LegalKind::EndTurn), "{version}");
    }
}

#[test]
fn nothing_is_offered_between_two_turns() {
    for (version, mut world) in maps("Grassland") {
        world.apply(&Packet::EndTurn(&gamewire_freeciv::packets::EndTurn));
        assert_eq!(entries(&world), [], "{version}");
    }
}
