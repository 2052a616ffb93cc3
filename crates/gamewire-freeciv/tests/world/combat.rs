//! Fights between units.

use std::collections::BTreeSet;

use gamewire_freeciv::number::PhaseMode;
use gamewire_freeciv::packets::{
    EndPhase, GameInfo, Packet, StartPhase, UnitCombatInfo, UnitInfo, UnitRemove, UnitShortInfo,
};
use gamewire_freeciv::world::{Change, Combat, Fighter, World};

use super::replay::{ALL, replay};

const MINE: u32 = 7;
const THEIRS: u32 = 8;

/// Returns a world with an own unit on tile 30 and a foreign one on tile 31.
fn world() -> World {
    let mut world = World::new();
    let mine = UnitInfo { id: MINE, owner: 0, tile: 30, hp: 10, veteran: 1, ..UnitInfo::default() };
    let theirs =
        UnitShortInfo { id: THEIRS, owner: 3, tile: 31, r#type: 5, hp: 20, ..UnitShortInfo::default() };
    world.apply(&Packet::UnitInfo(&mine));
    world.apply(&Packet::UnitShortInfo(&theirs));
    world.take_changes();
    world
}

/// Returns the fight of a unit against the own one.
fn fight(attacker: u32, attacker_hp: u8, defender_hp: u8) -> UnitCombatInfo {
    UnitCombatInfo {
        attacker_unit_id: attacker,
        defender_unit_id: MINE,
        attacker_hp,
        defender_hp,
        make_def_veteran: defender_hp > 0,
        ..UnitCombatInfo::default()
    }
}

#[test]
fn a_fight_changes_the_hit_points_and_the_veteran_level_of_both_units() {
    let mut world = world();
    world.apply(&Packet::UnitCombatInfo(&fight(THEIRS, 0, 1)));
    let state = |id: u32| world.unit(id).map(|unit| (unit.hp(), unit.veteran()));
    assert_eq!((state(MINE), state(THEIRS)), (Some((1, 2)), Some((0, 0))));
    world.apply(&Packet::UnitRemove(&UnitRemove { unit_id: THEIRS }));
    let attacker = Fighter {
        unit: THEIRS,
        owner: Some(3),
        type_id: Some(5),
        tile: Some(31),
        hp_before: Some(20),
        hp: 0,
        is_promoted: false,
    };
    let defender = Fighter {
        unit: MINE,
        owner: Some(0),
        type_id: Some(0),
        tile: Some(30),
        hp_before: Some(10),
        hp: 1,
        is_promoted: true,
    };
    let combat = Combat { attacker, defender };
    assert_eq!(combat.winner(), Some(&defender));
    assert_eq!(
        world.take_changes(),
        [
            Change::UnitChanged { unit: MINE },
            Change::UnitLost { unit: THEIRS, tile: 31 },
            Change::Combat(combat)
        ]
    );
}

#[test]
fn a_fight_against_a_unit_that_is_not_seen_has_its_id_and_hit_points() {
    let mut world = world();
    world.apply(&Packet::UnitCombatInfo(&fight(99, 12, 0)));
    let changes = world.take_changes();
    let Some(Change::Combat(combat)) = changes.last() else { panic!("{changes:?}") };
    let unseen = combat.attacker;
    assert_eq!((unseen.unit, unseen.hp, unseen.tile, unseen.hp_before), (99, 12, None, None));
    assert_eq!(combat.winner(), Some(&unseen));
    assert!(world.unit(99).is_none());
}

#[test]
fn a_later_packet_about_a_unit_has_its_whole_state() {
    let mut world = world();
    world.apply(&Packet::UnitCombatInfo(&fight(THEIRS, 3, 4)));
    let healed = UnitInfo { id: MINE, tile: 30, hp: 6, veteran: 1, ..UnitInfo::default() };
    world.apply(&Packet::UnitInfo(&healed));
    assert_eq!(world.unit(MINE).map(|unit| (unit.hp(), unit.veteran())), Some((6, 1)));
    let mut again = fight(THEIRS, 3, 4);
    again.make_def_veteran = true;
    world.apply(&Packet::UnitInfo(&UnitInfo { veteran: u8::MAX, ..healed }));
    world.apply(&Packet::UnitCombatInfo(&again));
    assert_eq!(world.unit(MINE).map(|unit| unit.veteran()), Some(u8::MAX));
}

#[test]
fn a_unit_without_a_packet_at_the_end_of_its_phase_has_recovered() {
    let mut world = world();
    let hp = |world: &World, id: u32| world.unit(id).map(|unit| unit.hp());
    let start = |world: &mut World| _ = world.apply(&Packet::StartPhase(&StartPhase { phase: 0 }));
    let end = |world: &mut World| _ = world.apply(&Packet::EndPhase(&EndPhase));
    start(&mut world);
    world.apply(&Packet::UnitCombatInfo(&fight(THEIRS, 5, 7)));
    world.apply(&Packet::UnitCombatInfo(&fight(THEIRS, 4, 6)));
    world.take_changes();
    end(&mut world);
    // The other unit has recovered in part.
    let theirs = UnitShortInfo { id: THEIRS, owner: 3, tile: 31, hp: 9, ..UnitShortInfo::default() };
    world.apply(&Packet::UnitShortInfo(&theirs));
    assert_eq!((hp(&world, MINE), hp(&world, THEIRS)), (Some(6), Some(9)));
    start(&mut world);
    assert_eq!((hp(&world, MINE), hp(&world, THEIRS)), (Some(10), Some(9)));
    assert_eq!(world.unit(MINE).map(|unit| unit.veteran()), Some(1));
    assert!(world.take_changes().contains(&Change::UnitChanged { unit: MINE }));
    // A fight of the new phase counts until its end.
    world.apply(&Packet::UnitCombatInfo(&fight(THEIRS, 5, 7)));
    start(&mut world);
    assert_eq!((hp(&world, MINE), hp(&world, THEIRS)), (Some(7), Some(5)));
}

#[test]
fn units_recover_at_the_end_of_the_phase_of_their_owner() {
    let mut world = world();
    let game = GameInfo { phase_mode: PhaseMode::PLAYERS.0, ..GameInfo::default() };
    world.apply(&Packet::GameInfo(&game));
    world.apply(&Packet::UnitCombatInfo(&fight(THEIRS, 5, 7)));
    for (phase, mine, theirs) in [(3, 7, 20), (0, 10, 20)] {
        world.apply(&Packet::StartPhase(&StartPhase { phase }));
        world.apply(&Packet::EndPhase(&EndPhase));
        world.apply(&Packet::StartPhase(&StartPhase { phase: 9 }));
        let hp = [MINE, THEIRS].map(|id| world.unit(id).map(|unit| unit.hp()));
        assert_eq!(hp, [mine, theirs].map(Some), "after phase {phase}");
    }
}

#[test]
fn units_of_a_recorded_war_have_the_hit_points_after_their_fights() {
    let (mut fights, mut survivors, mut own) = (0, 0, BTreeSet::new());
    let mut hp_at_end = None;
    let world = replay("combat", &ALL, |packet, world| {
        if matches!(packet, Packet::EndPhase(_)) {
            hp_at_end = world.unit(202).map(|unit| unit.hp());
        }
        let Packet::UnitCombatInfo(fight) = packet else { return };
        fights += 1;
        let sides =
            [(fight.attacker_unit_id, fight.attacker_hp), (fight.defender_unit_id, fight.defender_hp)];
        for (id, hp) in sides {
            assert_eq!(world.unit(id).map(|unit| unit.hp()), Some(hp), "unit {id} in turn {}", world.turn());
            survivors += usize::from(hp > 0);
        }
        own.extend(
            sides.iter().filter(|(id, _)| world.my_units().any(|unit| unit.id() == *id)).map(|it| it.0),
        );
    });
    assert_eq!((world.turn(), fights, survivors), (105, 28, 33));
    assert!(own.contains(&202), "{own:?}");
    // The server sent no other packet about the unit in the turn. Its saved game has the same hit points.
    assert_eq!(hp_at_end, Some(1));
}
