//! Obstacles to steps.

use gamewire_freeciv::codec::{ProtocolVersion, Requirement};
use gamewire_freeciv::number::{Action, DiplomaticState};
use gamewire_freeciv::packets::{CityInfo, CityShortInfo, GameInfo, Packet, RulesetActionEnabler, UnitInfo};
use gamewire_freeciv::path::{Movement, Obstacle};
use gamewire_freeciv::world::World;

use super::support::{OTHER, UNIT, at, go, maps, put, put_other, set_relation, set_tile, terrain_id, tiles};

/// Checks a step of the own unit.
fn step(world: &World, to: i32) -> Result<(), Obstacle> {
    let unit = world.unit(UNIT).unwrap();
    let (from, to) = (world.map().tile(unit.tile()).unwrap(), world.map().tile(to).unwrap());
    Movement::of(world, unit).unwrap().check_step(from, to)
}

fn flood(world: &mut World, flooded: &[i32]) {
    for tile in flooded {
        set_tile(world, *tile, |world, info| info.terrain = terrain_id(world, "Ocean"));
    }
}

#[test]
fn land_units_stay_on_land_and_ships_at_sea() {
    for (version, mut world) in maps("Grassland") {
        let sea: Vec<i32> = (0..9).map(|y| at(4, y)).collect();
        flood(&mut world, &sea);
        put(&mut world, "Warriors", at(3, 3));
        assert_eq!(step(&world, at(4, 3)), Err(Obstacle::NotNative), "{version}");
        assert!(go(&world, at(6, 3)).is_none() && go(&world, at(0, 0)).is_some(), "{version}");
        put(&mut world, "Frigate", at(4, 3));
        assert_eq!(step(&world, at(3, 3)), Err(Obstacle::NotNative), "{version}");
        assert_eq!(go(&world, at(4, 8)).map(|path| path.steps.len()), Some(5), "{version}");
        put(&mut world, "Bomber", at(3, 3));
        assert!(go(&world, at(6, 3)).is_some(), "{version}");
    }
}

#[test]
fn a_boat_with_room_takes_units_across() {
    for (version, mut world) in maps("Grassland") {
        flood(&mut world, &(0..9).map(|y| at(4, y)).collect::<Vec<_>>());
        put(&mut world, "Warriors", at(3, 3));
        let me = world.my_number().unwrap();
        let r#type = world.unit_type("Transport").unwrap().id;
        let boat = UnitInfo { id: 700, owner: me, tile: at(4, 4), r#type, ..UnitInfo::default() };
        world.apply(&Packet::UnitInfo(&boat));
        assert_eq!(step(&world, at(4, 4)), Ok(()), "{version}");
        assert!(go(&world, at(6, 3)).is_some_and(|path| tiles(&path).contains(&at(4, 4))), "{version}");
        for cargo in 0..world.unit_type("Transport").unwrap().transport_capacity {
            let r#type = world.unit_type("Warriors").unwrap().id;
            let id = 710 + u32::from(cargo);
            let unit = UnitInfo {
                id,
                owner: me,
                tile: at(4, 4),
                r#type,
                transported: true,
                transported_by: 700,
                ..UnitInfo::default()
            };
            world.apply(&Packet::UnitInfo(&unit));
        }
        assert_eq!(step(&world, at(4, 4)), Err(Obstacle::NotNative), "{version}");
        assert!(go(&world, at(6, 3)).is_none(), "{version}");
    }
}

#[test]
fn cities_are_harbors_for_ships_and_closed_to_strangers() {
    for (version, mut world) in maps("Grassland") {
        flood(&mut world, &[at(4, 3), at(4, 4)]);
        put(&mut world, "Frigate", at(4, 4));
        let city =
            CityInfo { id: 600, owner: world.my_number().unwrap(), tile: at(5, 5), ..CityInfo::default() };
        world.apply(&Packet::CityInfo(&city));
        assert_eq!(step(&world, at(5, 5)), Ok(()), "{version}");
        let city = CityShortInfo { id: 601, owner: OTHER, tile: at(3, 5), ..CityShortInfo::default() };
        world.apply(&Packet::CityShortInfo(&city));
        assert_eq!(step(&world, at(3, 5)), Err(Obstacle::City), "{version}");
        set_relation(&mut world, DiplomaticState::ALLIANCE.0);
        assert_eq!(step(&world, at(3, 5)), Ok(()), "{version}");
    }
}

#[test]
fn units_of_others_block_tiles_and_control_their_neighbors() {
    for (version, mut world) in maps("Grassland") {
        set_relation(&mut world, DiplomaticState::WAR.0);
        put(&mut world, "Warriors", at(3, 3));
        put_other(&mut world, 500, "Phalanx", at(4, 2));
        assert_eq!(step(&world, at(4, 2)), Err(Obstacle::Units), "{version}");
        // A step from one controlled tile to another.
        assert_eq!(step(&world, at(4, 3)), Err(Obstacle::Zoc), "{version}");
        assert_eq!(step(&world, at(3, 4)), Ok(()), "{version}");
        // Explorers ignore zones of control, and a tile with an own unit is free of them.
        put(&mut world, "Explorer", at(3, 3));
        assert_eq!(step(&world, at(4, 3)), Ok(()), "{version}");
        put(&mut world, "Warriors", at(3, 3));
        let r#type = world.unit_type("Warriors").unwrap().id;
        let own = UnitInfo {
            id: 801,
            owner: world.my_number().unwrap(),
            tile: at(4, 3),
            r#type,
            ..UnitInfo::default()
        };
        world.apply(&Packet::UnitInfo(&own));
        assert_eq!(step(&world, at(4, 3)), Ok(()), "{version}");
    }
}

#[test]
fn peace_closes_borders_to_soldiers() {
    for (version, mut world) in maps("Grassland") {
        set_tile(&mut world, at(4, 3), |_, info| info.owner = OTHER);
        put(&mut world, "Warriors", at(3, 3));
        set_relation(&mut world, DiplomaticState::PEACE.0);
        assert_eq!(step(&world, at(4, 3)), Err(Obstacle::Peace), "{version}");
        set_relation(&mut world, DiplomaticState::WAR.0);
        assert_eq!(step(&world, at(4, 3)), Ok(()), "{version}");
        set_relation(&mut world, DiplomaticState::PEACE.0);
        put(&mut world, "Workers", at(3, 3));
        assert_eq!(step(&world, at(4, 3)), Ok(()), "{version}");
    }
}

#[test]
fn unknown_tiles_are_not_part_of_a_path() {
    for (version, mut world) in maps("Grassland") {
        put(&mut world, "Warriors", at(3, 3));
        for y in 0..9 {
            set_tile(&mut world, at(4, y), |_, info| info.known = 0);
        }
        assert!(go(&world, at(5, 3)).is_none() && go(&world, at(4, 3)).is_none(), "{version}");
        assert!(go(&world, -1).is_none() && go(&world, i32::MAX).is_none(), "{version}");
    }
}

#[test]
fn aircraft_turn_back_before_their_fuel_ends() {
    for (version, mut world) in maps("Ocean") {
        put(&mut world, "Fighter", at(0, 0));
        let unit_type = world.unit_type("Fighter").unwrap();
        let fragments = world.rulesets().terrain_control.as_ref().unwrap().move_fragments;
        let reach = i32::try_from(unit_type.move_rate / fragments * u32::from(unit_type.fuel)).unwrap();
        for x in 1..9 {
            assert_eq!(go(&world, at(x, 8)).is_some(), reach >= 8, "{version}: {reach}");
        }
    }
}

#[test]
fn soldiers_lose_their_moves_when_they_leave_a_boat_as_the_rules_say() {
    for (version, mut world) in maps("Grassland") {
        flood(&mut world, &[at(4, 4)]);
        let me = world.my_number().unwrap();
        let r#type = world.unit_type("Transport").unwrap().id;
        let boat = UnitInfo { id: 700, owner: me, tile: at(4, 4), r#type, ..UnitInfo::default() };
        world.apply(&Packet::UnitInfo(&boat));
        put(&mut world, "Cavalry", at(4, 4));
        let left = |world: &World| go(world, at(5, 4)).unwrap().steps[0].moves_left;
        assert_eq!(left(&world), 0, "{version}");
        // An action that is only possible in cities does not count.
        if let Some(disembark) = Action::TransportDisembark.number(version) {
            let in_city = Requirement { kind: 17, value: 0, present: true, ..Requirement::default() };
            let enabler = RulesetActionEnabler {
                enabled_action: disembark,
                actor_reqs: vec![in_city],
                ..RulesetActionEnabler::default()
            };
            world.apply(&Packet::RulesetActionEnabler(&enabler));
            assert_eq!(left(&world), 0, "{version}");
        }
        // In 3.0 the game info has this rule, and since 3.1 an effect.
        let game = GameInfo { slow_invasions: Some(false), ..world.game().unwrap().clone() };
        world.apply(&Packet::GameInfo(&game));
        assert_eq!(left(&world) > 0, version == ProtocolVersion::V3_0, "{version}");
    }
}
