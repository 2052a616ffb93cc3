//! Roads, rails and turns.

use gamewire_freeciv::number::DiplomaticState;
use gamewire_freeciv::packets::{GameInfo, Packet};

use super::support::{OTHER, at, build, go, maps, put, set_relation, set_tile, tiles};

#[test]
fn a_unit_with_one_move_makes_a_step_each_turn() {
    for (version, mut world) in maps("Grassland") {
        put(&mut world, "Warriors", at(1, 1));
        let path = go(&world, at(5, 1)).unwrap();
        let turns: Vec<u32> = path.steps.iter().map(|step| step.turn).collect();
        assert_eq!(turns, [0, 1, 2, 3], "{version}");
        assert_eq!((path.turns(), go(&world, at(1, 1)).unwrap().steps.len()), (3, 0), "{version}");
    }
}

#[test]
fn a_detour_on_a_road_is_faster_than_the_straight_way() {
    for (version, mut world) in maps("Hills") {
        put(&mut world, "Warriors", at(1, 3));
        let straight = go(&world, at(7, 3)).unwrap();
        assert_eq!((straight.steps.len(), straight.turns()), (6, 5), "{version}");
        let road = [at(1, 3), at(2, 2), at(3, 2), at(4, 2), at(5, 2), at(6, 2), at(7, 3)];
        build(&mut world, "Road", &road);
        build(&mut world, "Road", &[at(1, 2), at(7, 2)]);
        let path = go(&world, at(7, 3)).unwrap();
        assert!(path.turns() < straight.turns(), "{version}: {path:?}");
        assert!(tiles(&path).contains(&at(4, 2)), "{version}: {path:?}");
    }
}

#[test]
fn a_railroad_costs_less_than_a_road() {
    for (version, mut world) in maps("Grassland") {
        put(&mut world, "Warriors", at(0, 0));
        let line: Vec<i32> = (0..8).map(|x| at(x, 0)).collect();
        build(&mut world, "Road", &line);
        let road = go(&world, at(7, 0)).unwrap();
        build(&mut world, "Railroad", &line);
        let rail = go(&world, at(7, 0)).unwrap();
        assert!(rail.turns() < road.turns(), "{version}: {} {}", rail.turns(), road.turns());
    }
}

#[test]
fn roads_of_an_enemy_are_of_no_use() {
    for (version, mut world) in maps("Grassland") {
        put(&mut world, "Warriors", at(0, 0));
        let line: Vec<i32> = (0..8).map(|x| at(x, 0)).collect();
        build(&mut world, "Road", &line);
        for tile in &line {
            set_tile(&mut world, *tile, |_, info| info.owner = OTHER);
        }
        let game = GameInfo { restrictinfra: true, ..world.game().unwrap().clone() };
        world.apply(&Packet::GameInfo(&game));
        set_relation(&mut world, DiplomaticState::ALLIANCE.0);
        let friendly = go(&world, at(7, 0)).unwrap();
        assert!(friendly.turns() < 6, "{version}");
        // Players without contact are also enemies.
        for state in [DiplomaticState::WAR, DiplomaticState::NO_CONTACT] {
            set_relation(&mut world, state.0);
            assert_eq!(go(&world, at(7, 0)).unwrap().turns(), 6, "{version} {state}");
        }
    }
}

#[test]
fn explorers_pay_little_for_hard_terrain() {
    for (version, mut world) in maps("Mountains") {
        put(&mut world, "Warriors", at(0, 0));
        let slow = go(&world, at(3, 0)).unwrap();
        put(&mut world, "Explorer", at(0, 0));
        let fast = go(&world, at(3, 0)).unwrap();
        assert_eq!((slow.turns(), fast.turns()), (2, 0), "{version}");
    }
}
