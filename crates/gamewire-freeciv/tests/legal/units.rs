//! Moves and states that a server refuses or ignores are not offered.

use gamewire_freeciv::legal::{LegalKind, LegalTarget};
use gamewire_freeciv::number::Activity;

use super::support::{ACTOR, CENTER, busy, of_kind, offers, offers_on, put_with, with_unit};
use crate::path::support::{UNIT, at, set_tile};

#[test]
fn a_unit_moves_to_its_eight_neighbors_while_it_has_moves() {
    for (version, mut world) in with_unit("Grassland", "Warriors") {
        assert_eq!(of_kind(&world, ACTOR, LegalKind::Move).len(), 8, "{version}");
        put_with(&mut world, UNIT, "Warriors", at(4, 4), |_, unit| unit.movesleft = 0);
        assert_eq!(of_kind(&world, ACTOR, LegalKind::Move).len(), 0, "{version}");
    }
}

#[test]
fn land_units_are_not_offered_the_sea() {
    for (version, mut world) in with_unit("Grassland", "Warriors") {
        let sea = at(5, 4);
        set_tile(&mut world, sea, |world, info| {
            info.terrain = crate::path::support::terrain_id(world, "Ocean");
        });
        assert!(!offers_on(&world, ACTOR, LegalKind::Move, LegalTarget::Tile(sea)), "{version}");
    }
}

#[test]
fn a_move_is_uncertain_if_fog_may_hide_a_zone_of_control() {
    for (version, mut world) in with_unit("Grassland", "Warriors") {
        // It is next to the northern neighbor only.
        set_tile(&mut world, at(4, 2), |_, info| info.known = 1);
        for entry in of_kind(&world, ACTOR, LegalKind::Move) {
            let is_north = (3..=5).any(|x| entry.key.target == LegalTarget::Tile(at(x, 3)));
            assert_eq!(entry.is_certain, !is_north, "{version} {:?}", entry.key);
        }
    }
}

#[test]
fn an_activity_that_a_unit_has_is_not_offered_again() {
    for (activity, kind) in [
        (Activity::Fortified, LegalKind::Fortify),
        (Activity::Fortifying, LegalKind::Fortify),
        (Activity::Sentry, LegalKind::Sentry),
        (Activity::Explore, LegalKind::Explore),
    ] {
        for (version, mut world) in with_unit("Grassland", "Warriors") {
            assert!(offers(&world, ACTOR, kind), "{version} {kind:?}");
            put_with(&mut world, UNIT, "Warriors", at(CENTER.0, CENTER.1), |world, unit| {
                busy(unit, world, activity, None);
            });
            assert!(!offers(&world, ACTOR, kind), "{version} {kind:?}");
        }
    }
}

#[test]
fn an_idle_unit_has_nothing_to_stop() {
    for (version, mut world) in with_unit("Grassland", "Warriors") {
        assert!(!offers(&world, ACTOR, LegalKind::Stop), "{version}");
        put_with(&mut world, UNIT, "Warriors", at(4, 4), |_, unit| unit.has_orders = true);
        assert!(offers(&world, ACTOR, LegalKind::Stop), "{version}");
    }
}

#[test]
fn workers_that_the_server_controls_are_not_offered_its_control() {
    for (version, mut world) in with_unit("Grassland", "Workers") {
        assert!(offers(&world, ACTOR, LegalKind::AutoWork), "{version}");
        put_with(&mut world, UNIT, "Workers", at(4, 4), |_, unit| {
            (unit.ai, unit.ssa_controller) = (Some(true), Some(1));
        });
        assert!(!offers(&world, ACTOR, LegalKind::AutoWork), "{version}");
        assert!(offers(&world, ACTOR, LegalKind::Stop), "{version}");
    }
}

#[test]
fn only_workers_are_offered_automatic_work() {
    for (version, world) in with_unit("Grassland", "Warriors") {
        assert!(!offers(&world, ACTOR, LegalKind::AutoWork), "{version}");
    }
}

#[test]
fn settlers_and_workers_are_not_offered_to_fortify() {
    for unit_type in ["Settlers", "Workers", "Bomber"] {
        for (version, world) in with_unit("Grassland", unit_type) {
            assert!(!offers(&world, ACTOR, LegalKind::Fortify), "{version} {unit_type}");
        }
    }
}

#[test]
fn a_unit_with_fuel_is_not_offered_to_explore() {
    for (version, world) in with_unit("Grassland", "Bomber") {
        assert!(!offers(&world, ACTOR, LegalKind::Explore), "{version}");
    }
}
