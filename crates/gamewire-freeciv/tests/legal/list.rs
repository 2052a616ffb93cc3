//! The questions of the list to the server, and the answers, which it keeps between updates.

use gamewire_freeciv::codec::{ActionProbability, ProtocolVersion};
use gamewire_freeciv::legal::{ActionQuestion, LegalKind, LegalList};
use gamewire_freeciv::number::Action;
use gamewire_freeciv::packets::{Packet, UnitActions, UnitRemove};
use gamewire_freeciv::world::{Change, LegalAction, LegalActions, World};

use super::support::{ACTOR, put_with, with_unit};
use crate::path::support::{UNIT, at, put_other};

const ENEMY: u32 = 950;

/// Returns the answer of a server that offers an action on a tile.
fn answer(world: &World, tile: i32, action: Action) -> Vec<LegalAction> {
    let mut answer = UnitActions {
        actor_unit_id: UNIT,
        target_tile_id: tile,
        target_unit_id: ENEMY,
        ..UnitActions::default()
    };
    let id = action.number(world.version()).unwrap();
    answer.action_probabilities[usize::from(id)] = ActionProbability { min: 200, max: 200 };
    LegalActions::new(&answer, world).actions
}

/// Returns worlds with an enemy east of the own unit, and lists in which the server's answers are.
fn answered() -> [(ProtocolVersion, World, LegalList); 3] {
    with_unit("Grassland", "Warriors").map(|(version, mut world)| {
        put_other(&mut world, ENEMY, "Workers", at(5, 4));
        let mut list = LegalList::new();
        list.update(&world);
        for question in list.questions(&world) {
            let ActionQuestion { unit, tile } = question;
            if unit == UNIT {
                let action = if tile == at(4, 4) { Action::DisbandUnit } else { Action::Attack };
                list.answer(&world, question, answer(&world, tile, action));
            }
        }
        (version, world, list)
    })
}

fn acts(list: &LegalList, action: Action) -> bool {
    list.of(ACTOR).iter().any(|entry| entry.key.kind == LegalKind::Act(action))
}

/// Returns the tiles of the questions about the own unit.
fn asked(list: &LegalList, world: &World) -> Vec<i32> {
    let questions = list.questions(world).into_iter();
    questions.filter(|question| question.unit == UNIT).map(|question| question.tile).collect()
}

#[test]
fn the_server_is_asked_about_the_own_tile_and_those_with_units() {
    for (version, mut world) in with_unit("Grassland", "Warriors") {
        put_other(&mut world, ENEMY, "Workers", at(5, 4));
        let mut list = LegalList::new();
        list.update(&world);
        assert_eq!(asked(&list, &world), [at(4, 4), at(5, 4)], "{version}");
    }
}

#[test]
fn an_answered_question_is_not_asked_again() {
    for (version, world, list) in answered() {
        assert!(acts(&list, Action::DisbandUnit) && acts(&list, Action::Attack), "{version}");
        assert!(asked(&list, &world).is_empty(), "{version}");
    }
}

#[test]
fn only_answers_about_tiles_on_which_units_changed_are_dropped() {
    for (version, mut world, mut list) in answered() {
        world.apply(&Packet::UnitRemove(&UnitRemove { unit_id: ENEMY }));
        list.on_change(&world, &Change::UnitLost { unit: ENEMY, tile: at(5, 4) });
        list.update(&world);
        assert!(acts(&list, Action::DisbandUnit) && !acts(&list, Action::Attack), "{version}");
    }
}

#[test]
fn all_answers_about_a_unit_that_changed_are_dropped() {
    for (version, mut world, mut list) in answered() {
        put_with(&mut world, UNIT, "Warriors", at(4, 4), |_, unit| unit.movesleft = 0);
        list.on_change(&world, &Change::UnitChanged { unit: UNIT });
        list.update(&world);
        assert!(!acts(&list, Action::DisbandUnit) && !acts(&list, Action::Attack), "{version}");
    }
}

#[test]
fn a_move_that_the_server_also_offers_is_listed_once() {
    for (version, world, mut list) in answered() {
        let action =
            if version == ProtocolVersion::V3_0 { Action::Fortify } else { Action::TransportDisembark };
        if action.number(version).is_none() {
            continue;
        }
        list.answer(&world, ActionQuestion { unit: UNIT, tile: at(4, 4) }, answer(&world, at(4, 4), action));
        assert!(!acts(&list, action), "{version}");
    }
}

#[test]
fn an_action_that_may_fail_is_uncertain() {
    for (version, world, mut list) in answered() {
        let mut actions = answer(&world, at(5, 4), Action::Attack);
        actions.iter_mut().for_each(|action| action.probability.as_mut().unwrap().min = 100);
        list.answer(&world, ActionQuestion { unit: UNIT, tile: at(5, 4) }, actions);
        let attack = list.of(ACTOR).iter().find(|entry| entry.key.kind == LegalKind::Act(Action::Attack));
        assert_eq!(attack.map(|entry| entry.is_certain), Some(false), "{version}");
    }
}

#[test]
fn an_action_with_an_unknown_price_is_uncertain() {
    for (version, world, mut list) in answered() {
        let actions = answer(&world, at(5, 4), Action::BribeUnit);
        list.answer(&world, ActionQuestion { unit: UNIT, tile: at(5, 4) }, actions);
        let bribe = list.of(ACTOR).iter().find(|entry| entry.key.kind == LegalKind::Act(Action::BribeUnit));
        assert_eq!(bribe.map(|entry| entry.is_certain), Some(false), "{version}");
    }
}
