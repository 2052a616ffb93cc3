//! The tiles of DDNet, one at a time.

use gamewire_tee::core::hook_state;
use gamewire_tee::grid::GridLayers;
use gamewire_tee::input::TeeInput;
use gamewire_tee::rules::Rules;
use gamewire_tee::tile::{MapTile, SpeedupTile, SwitchTile, TeleTile};
use gamewire_tee::weapon::weapon_id;
use gamewire_tee::world::World;

use crate::support::{IDLE, play, room, tile, world};

const WIDTH: usize = 30;

fn at(x: usize, y: usize) -> usize {
    y * WIDTH + x
}

/// Returns a world with a tee on the floor of a room that has these changes.
fn with(change: impl Fn(&mut GridLayers)) -> World {
    let mut layers = room(WIDTH, 20);
    change(&mut layers);
    let mut world = world(Rules::Ddnet20, layers);
    world.spawn(0, tile(5, 18));
    world
}

fn game(index: u8) -> MapTile {
    MapTile { index, flags: 0 }
}

const RIGHT: TeeInput = TeeInput { direction: 1, ..IDLE };

#[test]
fn a_frozen_tee_cannot_move_for_three_seconds() {
    let mut world = with(|layers| layers.game[at(7, 18)] = game(9));
    play(&mut world, 0, RIGHT, 20);
    assert_eq!(world.tee(0).unwrap().freeze_end(world.tick), world.tee(0).unwrap().ddnet.freeze_start + 150);
    let mut world = with(|_| {});
    world.tee_mut(0).unwrap().set_freeze(0, 150, 0);
    let start = world.core(0).unwrap().at;
    play(&mut world, 0, RIGHT, 149);
    assert_eq!(world.core(0).unwrap().at.x, start.x);
    play(&mut world, 0, RIGHT, 2);
    assert!(world.core(0).unwrap().at.x > start.x, "free again");
}

#[test]
fn a_stopper_of_one_direction_is_passed_in_the_other() {
    let stopper = |layers: &mut GridLayers| layers.game[at(9, 18)] = MapTile { index: 60, flags: 8 };
    let mut world = with(stopper);
    play(&mut world, 0, RIGHT, 40);
    assert!(world.core(0).unwrap().at.x > 400.0);
    play(&mut world, 0, TeeInput { direction: -1, ..IDLE }, 80);
    assert!(world.core(0).unwrap().at.x > 300.0, "{:?}", world.core(0));
}

#[test]
fn a_teleporter_moves_a_tee_to_its_exit() {
    let mut world = with(|layers| {
        layers.tele[at(8, 18)] = TeleTile { number: 3, id: 26 };
        layers.tele[at(20, 5)] = TeleTile { number: 3, id: 27 };
    });
    play(&mut world, 0, RIGHT, 25);
    assert!(world.core(0).unwrap().at.x > 600.0 && !world.is_random(0));
}

#[test]
fn a_checkpoint_teleporter_uses_the_last_checkpoint() {
    let mut world = with(|layers| {
        layers.tele[at(6, 18)] = TeleTile { number: 2, id: 29 };
        layers.tele[at(9, 18)] = TeleTile { number: 0, id: 31 };
        layers.tele[at(20, 5)] = TeleTile { number: 2, id: 30 };
        layers.tele[at(2, 5)] = TeleTile { number: 1, id: 30 };
    });
    play(&mut world, 0, RIGHT, 25);
    assert!(world.core(0).unwrap().at.x > 600.0);
}

#[test]
fn a_speedup_accelerates_up_to_its_limit() {
    let tile = SpeedupTile { force: 5, max_speed: 100, id: 28, angle: 0 };
    let mut world = with(|layers| (5..12).for_each(|x| layers.speedup[at(x, 18)] = tile));
    play(&mut world, 0, IDLE, 6);
    let speed = world.core(0).unwrap().velocity.x;
    assert!(speed > 8.0 && speed <= 20.0, "{speed}");
}

#[test]
fn a_door_is_closed_until_its_switch_is_off() {
    let mut world = with(|layers| {
        // A beam of nine tiles upwards.
        layers.switch[at(10, 18)] = SwitchTile { number: 1, id: 191 + 49, flags: 0, delay: 0 };
        layers.switch[at(10, 17)] = SwitchTile { number: 1, id: 191 + 21, flags: 0, delay: 0 };
        layers.switch[at(3, 18)] = SwitchTile { number: 1, id: 25, flags: 0, delay: 0 };
    });
    play(&mut world, 0, RIGHT, 60);
    let closed = world.core(0).unwrap().at.x;
    assert!(closed < 320.0, "{closed}");
    play(&mut world, 0, TeeInput { direction: -1, ..IDLE }, 60);
    play(&mut world, 0, RIGHT, 60);
    assert!(world.core(0).unwrap().at.x > 400.0, "{:?}", world.core(0));
}

#[test]
fn a_jetpack_lifts_a_tee_that_fires_downwards() {
    let mut world = with(|layers| layers.game[at(5, 18)] = game(106));
    play(&mut world, 0, IDLE, 3);
    play(&mut world, 0, TeeInput { target_x: 0, target_y: 100, fire: 1, ..IDLE }, 40);
    assert!(world.core(0).unwrap().at.y < 500.0, "{:?}", world.core(0));
}

#[test]
fn an_endless_hook_holds_a_tee_longer() {
    for (index, expected) in [(17, hook_state::GRABBED), (0, hook_state::RETRACTED)] {
        let mut world = with(|layers| layers.game[at(5, 18)] = game(index));
        world.spawn(1, tile(9, 18));
        play(&mut world, 0, IDLE, 3);
        play(&mut world, 0, TeeInput { hook: 1, ..IDLE }, 90);
        assert_eq!(world.core(0).unwrap().hook_state, expected);
    }
}

#[test]
fn a_tee_in_solo_is_not_hooked() {
    let mut world = with(|layers| layers.game[at(5, 18)] = game(21));
    world.spawn(1, tile(9, 18));
    play(&mut world, 0, IDLE, 3);
    play(&mut world, 1, TeeInput { target_x: -100, hook: 1, ..IDLE }, 10);
    assert_eq!(world.core(1).unwrap().hooked, -1);
}

#[test]
fn a_hook_passes_its_teleporter() {
    let mut world = with(|layers| {
        layers.tele[at(9, 18)] = TeleTile { number: 1, id: 15 };
        layers.tele[at(20, 5)] = TeleTile { number: 1, id: 27 };
    });
    play(&mut world, 0, TeeInput { hook: 1, ..IDLE }, 3);
    let core = world.core(0).unwrap();
    assert!(core.hook_at.x > 650.0 && core.ddnet.hook_tele_base.is_some(), "{core:?}");
}

#[test]
fn more_jumps_and_walls_that_give_one_back() {
    let mut world = with(|layers| {
        layers.switch[at(5, 18)] = SwitchTile { number: 0, id: 7, flags: 0, delay: 5 };
    });
    play(&mut world, 0, IDLE, 3);
    assert_eq!(world.core(0).unwrap().ddnet.jumps, 5);
    let mut jumps = 0;
    for _ in 0..8 {
        play(&mut world, 0, TeeInput { jump: 1, ..IDLE }, 1);
        jumps += i32::from(world.core(0).unwrap().velocity.y < -11.0);
        play(&mut world, 0, IDLE, 9);
    }
    assert_eq!(jumps, 5);
}

#[test]
fn a_tune_zone_changes_gravity() {
    let mut world = with(|layers| layers.tune[at(5, 10)] = 1);
    let mut light = world.tuning;
    light.gravity = 0.1;
    world.zone_tunings = vec![light].into();
    world.spawn(0, tile(5, 10));
    world.step();
    assert_eq!(world.core(0).unwrap().velocity.y, 26.0 / 256.0);
}

#[test]
fn a_hammer_frees_a_frozen_tee() {
    let mut world = with(|layers| layers.game[at(6, 18)] = game(9));
    world.spawn(1, tile(6, 18));
    play(&mut world, 0, IDLE, 3);
    assert!(world.tee(1).unwrap().ddnet.freeze_ticks > 0);
    world.tee_mut(0).unwrap().active_weapon = weapon_id::HAMMER;
    world.direct_input(0, TeeInput { fire: 1, ..IDLE });
    assert_eq!(world.tee(1).unwrap().ddnet.freeze_ticks, 0);
}

#[test]
fn a_grenade_disappears_with_its_tee() {
    let mut world = with(|_| {});
    play(&mut world, 0, IDLE, 3);
    let tee = world.tee_mut(0).unwrap();
    tee.active_weapon = weapon_id::GRENADE;
    (tee.weapons[weapon_id::GRENADE].is_owned, tee.weapons[weapon_id::GRENADE].ammo) = (true, -1);
    world.direct_input(0, TeeInput { fire: 1, ..IDLE });
    world.step();
    assert_eq!(world.projectiles.len(), 1);
    world.remove(0);
    world.step();
    assert!(world.projectiles.is_empty());
}

#[test]
fn one_of_several_exits_is_random_unless_it_is_set() {
    for exit in [None, Some(tile(20, 5))] {
        let mut world = with(|layers| {
            layers.tele[at(5, 18)] = TeleTile { number: 1, id: 26 };
            layers.tele[at(10, 5)] = TeleTile { number: 1, id: 27 };
            layers.tele[at(20, 5)] = TeleTile { number: 1, id: 27 };
        });
        if let Some(exit) = exit {
            world.set_exit(0, exit);
        }
        world.step();
        assert_eq!(world.is_random(0), exit.is_none());
        let x = world.core(0).unwrap().at.x;
        assert_eq!(x, exit.unwrap_or_else(|| tile(10, 5)).x);
    }
}
