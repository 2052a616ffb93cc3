//! Weapons and damage of Teeworlds.

use gamewire_tee::input::TeeInput;
use gamewire_tee::rules::Rules;
use gamewire_tee::tile::MapTile;
use gamewire_tee::vector::Vec2;
use gamewire_tee::weapon::weapon_id;
use gamewire_tee::world::World;

use crate::support::{IDLE, play, room, tile, world};

const RULES: Rules = Rules::Teeworlds07;

/// Returns a world with two tees on the floor, `gap` apart, that have received a few inputs.
fn two(gap: f32) -> World {
    let mut world = world(RULES, room(40, 20));
    world.spawn(0, Vec2::new(300.0, 593.0));
    world.spawn(1, Vec2::new(300.0 + gap, 593.0));
    for _ in 0..4 {
        world.set_input(0, IDLE);
        world.set_input(1, IDLE);
        world.step();
    }
    world
}

fn take(world: &mut World, weapon: usize) {
    let tee = world.tee_mut(0).unwrap();
    tee.active_weapon = weapon;
    (tee.weapons[weapon].is_owned, tee.weapons[weapon].ammo) = (true, 10);
}

fn fire(world: &mut World) {
    world.direct_input(0, TeeInput { fire: 1, ..IDLE });
}

#[test]
fn a_hammer_pushes_and_hurts_a_tee_in_front() {
    let mut world = two(40.0);
    take(&mut world, weapon_id::HAMMER);
    fire(&mut world);
    let other = world.tee(1).unwrap();
    assert_eq!((other.health, world.tee(0).unwrap().reload), (7, 16));
    let velocity = world.core(1).unwrap().velocity;
    assert!(velocity.x > 6.0 && velocity.y < -8.0, "{velocity:?}");
}

#[test]
fn a_hammer_does_not_reach_through_a_wall() {
    let mut layers = room(40, 20);
    (0..20).for_each(|y| layers.game[y * 40 + 10] = MapTile { index: 1, flags: 0 });
    let mut world = world(RULES, layers);
    world.spawn(0, Vec2::new(305.0, 593.0));
    world.spawn(1, Vec2::new(367.0, 593.0));
    play(&mut world, 0, IDLE, 4);
    take(&mut world, weapon_id::HAMMER);
    fire(&mut world);
    assert_eq!(world.tee(1).unwrap().health, 10);
}

#[test]
fn a_bullet_hits_after_its_flight_and_costs_a_shot() {
    let mut world = two(200.0);
    fire(&mut world);
    assert_eq!(world.tee(0).unwrap().weapons[weapon_id::GUN].ammo, 9);
    play(&mut world, 0, TeeInput { fire: 1, ..IDLE }, 3);
    assert_eq!(world.tee(1).unwrap().health, 10);
    play(&mut world, 0, TeeInput { fire: 1, ..IDLE }, 6);
    assert_eq!(world.tee(1).unwrap().health, 9);
}

#[test]
fn a_grenade_pushes_everyone_near_and_also_its_owner() {
    let mut world = two(60.0);
    take(&mut world, weapon_id::GRENADE);
    let down = TeeInput { target_x: 0, target_y: 100, fire: 1, ..IDLE };
    world.direct_input(0, down);
    play(&mut world, 0, TeeInput { fire: 2, ..down }, 3);
    assert!(world.core(0).unwrap().velocity.y < -4.0, "{:?}", world.core(0));
    let hurt = [world.tee(0).unwrap().health, world.tee(1).unwrap().health];
    assert!(hurt[0] < 10 && hurt[1] < 10, "{hurt:?}");
}

#[test]
fn a_laser_hits_around_a_corner() {
    let mut world = two(200.0);
    take(&mut world, weapon_id::LASER);
    // Down to the floor and up again.
    world.direct_input(0, TeeInput { target_x: 100, target_y: 15, fire: 1, ..IDLE });
    play(&mut world, 0, TeeInput { fire: 1, ..IDLE }, 10);
    assert_eq!(world.tee(1).unwrap().health, 5);
}

#[test]
fn two_hits_of_the_hammer_of_a_weak_tee_kill_it_and_the_others_stay() {
    let mut world = two(40.0);
    world.tee_mut(1).unwrap().health = 3;
    take(&mut world, weapon_id::HAMMER);
    fire(&mut world);
    assert!(world.tee(1).is_none() && world.has_died(1) && world.tee(0).is_some());
}

#[test]
fn armor_absorbs_what_is_above_one() {
    let mut world = two(40.0);
    world.tee_mut(1).unwrap().armor = 5;
    take(&mut world, weapon_id::HAMMER);
    fire(&mut world);
    let other = world.tee(1).unwrap();
    assert_eq!((other.health, other.armor), (9, 3));
}

#[test]
fn a_tee_takes_a_pickup_once() {
    let mut layers = room(40, 20);
    layers.game[18 * 40 + 9] = MapTile { index: 191 + 9, flags: 0 };
    let mut world = world(RULES, layers);
    world.spawn(0, tile(9, 18));
    world.step();
    assert_eq!(world.tee(0).unwrap().weapons[weapon_id::GRENADE].ammo, 10);
    assert_eq!(world.pickups[0].spawn_tick, Some(1 + 15 * 50));
}

#[test]
fn a_ninja_dashes_through_tees_for_nine_ticks() {
    let mut layers = room(60, 20);
    layers.game[18 * 60 + 9] = MapTile { index: 191 + 10, flags: 0 };
    let mut world = world(RULES, layers);
    world.spawn(0, tile(9, 18));
    world.spawn(1, tile(20, 18));
    for pickup in &mut world.pickups {
        pickup.spawn_tick = None;
    }
    play(&mut world, 0, IDLE, 4);
    assert_eq!(world.tee(0).unwrap().active_weapon, weapon_id::NINJA);
    let start = world.core(0).unwrap().at.x;
    fire(&mut world);
    play(&mut world, 0, TeeInput { fire: 1, ..IDLE }, 12);
    assert_eq!(world.core(0).unwrap().at.x - start, 450.0);
    assert_eq!(world.tee(1).unwrap().health, 1);
}

#[test]
fn a_weapon_is_chosen_by_number_and_by_steps() {
    let mut world = two(200.0);
    let wanted = TeeInput { wanted_weapon: 1, ..IDLE };
    world.set_input(0, wanted);
    world.direct_input(0, wanted);
    assert_eq!(world.tee(0).unwrap().active_weapon, weapon_id::HAMMER);
    world.direct_input(0, TeeInput { next_weapon: 1, ..IDLE });
    assert_eq!(world.tee(0).unwrap().active_weapon, weapon_id::GUN);
    world.direct_input(0, TeeInput { next_weapon: 1, prev_weapon: 1, ..IDLE });
    assert_eq!(world.tee(0).unwrap().active_weapon, weapon_id::HAMMER);
}

#[test]
fn a_tee_that_touches_a_deadly_tile_dies() {
    for rules in [Rules::Teeworlds06, Rules::Teeworlds07, Rules::Ddnet16, Rules::Ddnet20] {
        let mut layers = room(40, 20);
        (0..40).for_each(|x| layers.game[10 * 40 + x] = MapTile { index: 2, flags: 0 });
        let mut world = world(rules, layers);
        world.spawn(0, tile(9, 5));
        play(&mut world, 0, IDLE, 40);
        assert!(world.tee(0).is_none(), "{rules:?}");
    }
}
