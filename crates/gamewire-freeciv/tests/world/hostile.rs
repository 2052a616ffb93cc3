//! A hostile server: numbers, sizes and packet orders that no real game has.

use gamewire_freeciv::delta::{DeltaLimits, Direction};
use gamewire_freeciv::frame::{FrameLimits, FrameSplitter};
use gamewire_freeciv::opponent::Opponent;
use gamewire_freeciv::orders;
use gamewire_freeciv::packets::{
    BeginTurn, ChatMsg, CityInfo, CityRemove, ConnInfo, Decoder, DiplomacyCreateClause, MapInfo, NewYear,
    Packet, RulesetActionEnabler, TileInfo, UnitInfo, UnitRemove, UnitShortInfo,
};
use gamewire_freeciv::rules;
use gamewire_freeciv::world::{Change, World};
use gamewire_sim::random::Random;

use super::replay::{ALL, stream};

/// Calls every accessor of a world.
fn ask(world: &mut World) {
    let tiles: Vec<i32> =
        world.map().tiles().map(|tile| tile.tile).chain([i32::MIN, -1, 0, i32::MAX]).collect();
    for tile in tiles.iter().take(40) {
        let _ =
            (world.units_at(*tile).count(), world.map().neighbors(*tile).count(), world.cities().at(*tile));
    }
    let units: Vec<u32> = world.units().iter().map(|unit| unit.id()).take(20).collect();
    for unit in units {
        let _ =
            (orders::go_to(world, unit, 0), orders::mine(world, unit), orders::found_city(world, unit, "x"));
        let _ = orders::disband(world, unit);
    }
    for city in world.cities().iter().take(20) {
        let _ = (world.city_tiles(city).count(), city.production(), city.has_building(255), city.name());
    }
    let _ = (
        world.me(),
        world.my_research(),
        world.my_units().count(),
        orders::end_turn(world),
        world.seconds_left(),
    );
    let _ = (
        world.waiting_for().count(),
        world.is_my_phase(),
        world.year_part_name(),
        world.victory_conditions().count(),
        world.spaceships().count(),
        world.observers_of(None).count(),
    );
    ask_for_rules(world);
    let _ = (Opponent::new("x").turn(world), world.ending(), world.ranking());
    let _ = world.take_changes();
}

/// Calls every accessor of some rules of each kind.
fn ask_for_rules(world: &World) {
    for rule in rules::advances(world).take(8) {
        let _ = (rule.cost(), rule.needs().count(), rule.permits().count(), rule.flags().count());
        let _ = (rule.root().is_some(), rule.requirements().map(|it| it.to_string()).collect::<String>());
    }
    for rule in rules::buildings(world).take(8) {
        let _ = (rule.cost(), rule.owner().is_some(), rule.is_obsolete(), rule.flags().count());
        let _ =
            (rule.effects().map(|it| it.requirements().count()).sum::<usize>(), rule.obsolete_by().count());
    }
    for rule in rules::governments(world).take(8) {
        let _ = (rule.max_rate(), rule.can_choose(), rule.makes_obsolete().count());
    }
    for rule in rules::unit_types(world).take(8) {
        let _ = (rule.domain(), rule.flags().count(), rule.class_flags().count(), rule.roles().count());
        let _ = (rule.cargo().count(), rule.veteran_levels(), rule.obsoleted_by().is_some());
        let _ = (rule.requirements().count(), rule.bonuses().count(), rule.cost());
    }
    for effect in rules::effects(world).take(8) {
        let _ = (effect.name(), effect.value(), effect.policy().is_some());
    }
}

#[test]
fn a_damaged_stream_never_breaks_the_world() {
    let bytes = stream("game");
    let mut bodies = Vec::new();
    let mut splitter = FrameSplitter::new(FrameLimits::DEFAULT);
    let mut data = bytes.as_slice();
    while let Some(framed) = splitter.next(&mut data).unwrap() {
        bodies.push((framed.number, framed.body.to_vec()));
    }
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    for _ in 0..8 {
        let mut world = World::new();
        let mut decoder = fresh();
        for (number, body) in &bodies {
            let mut body = body.clone();
            if random.below(4) == 0 && !body.is_empty() {
                let at = random.below(body.len());
                body[at] = random.byte();
            }
            match decoder.decode(*number, &body) {
                Ok(packet) => _ = world.apply(&packet),
                Err(_) => decoder = fresh(),
            }
            if random.below(64) == 0 {
                ask(&mut world);
            }
        }
        ask(&mut world);
    }
}

fn fresh() -> Decoder {
    let mut decoder = Decoder::new(Direction::ToClient, DeltaLimits::DEFAULT);
    decoder.set_capabilities(&ALL);
    decoder
}

#[test]
fn invalid_map_sizes_make_no_map() {
    let mut world = World::new();
    for (xsize, ysize) in [(0, 0), (0, 9), (u16::MAX, u16::MAX), (u16::MAX, 32)] {
        world.apply(&Packet::MapInfo(&MapInfo { xsize, ysize, topology_id: 255, ..MapInfo::default() }));
        assert_eq!(world.map().geometry(), None);
        world.apply(&Packet::TileInfo(&TileInfo { tile: 5, known: 2, ..TileInfo::default() }));
        assert_eq!(world.map().tiles().len(), 0);
        ask(&mut world);
    }
}

#[test]
fn things_outside_of_the_map_are_kept_without_a_panic() {
    let mut world = World::new();
    world.apply(&Packet::MapInfo(&MapInfo { xsize: 4, ysize: 4, topology_id: 15, ..MapInfo::default() }));
    for tile in [i32::MIN, -1, 16, i32::MAX] {
        world.apply(&Packet::TileInfo(&TileInfo { tile, known: 2, ..TileInfo::default() }));
        world.apply(&Packet::UnitInfo(&UnitInfo { id: 7, tile, activity_tgt: -128, ..UnitInfo::default() }));
        world.apply(&Packet::CityInfo(&CityInfo { id: 9, tile, city_radius_sq: 255, ..CityInfo::default() }));
        assert_eq!(world.units_at(tile).map(|unit| unit.id()).collect::<Vec<_>>(), [7]);
        assert_eq!(world.cities().at(tile).map(|city| city.id()), Some(9));
        ask(&mut world);
    }
    assert_eq!(world.map().tiles().len(), 0);
    assert_eq!((world.units().iter().len(), world.cities().iter().len()), (1, 1));
}

#[test]
fn of_two_cities_on_a_tile_the_remaining_one_is_found() {
    let mut world = World::new();
    let city = |id| CityInfo { id, tile: 3, ..CityInfo::default() };
    world.apply(&Packet::CityInfo(&city(1)));
    world.apply(&Packet::CityInfo(&city(2)));
    assert_eq!(world.cities().at(3).map(|city| city.id()), Some(2));
    world.apply(&Packet::CityRemove(&CityRemove { city_id: 1 }));
    assert_eq!(world.cities().at(3).map(|city| city.id()), Some(2));
}

#[test]
fn a_unit_created_and_removed_between_two_calls_is_not_reported() {
    let mut world = World::new();
    let unit = |id, tile| UnitShortInfo { id, tile, ..UnitShortInfo::default() };
    world.apply(&Packet::UnitShortInfo(&unit(1, 5)));
    world.apply(&Packet::UnitShortInfo(&unit(2, 5)));
    world.apply(&Packet::UnitRemove(&UnitRemove { unit_id: 2 }));
    assert_eq!(world.take_changes(), [Change::UnitAppeared { unit: 1 }]);
    world.apply(&Packet::UnitShortInfo(&unit(1, 6)));
    world.apply(&Packet::UnitShortInfo(&unit(1, 8)));
    assert_eq!(world.take_changes(), [Change::UnitMoved { unit: 1, from: 5, to: 8 }]);
    world.apply(&Packet::UnitShortInfo(&unit(1, 8)));
    assert_eq!(world.take_changes(), []);
    // The answer to a spy does not describe the unit.
    world.apply(&Packet::UnitShortInfo(&UnitShortInfo { packet_use: 1, ..unit(3, 8) }));
    assert_eq!(world.take_changes(), []);
    world.apply(&Packet::UnitRemove(&UnitRemove { unit_id: 1 }));
    assert_eq!(world.take_changes(), [Change::UnitLost { unit: 1, tile: 8 }]);
}

#[test]
fn messages_clauses_and_enablers_are_bounded() {
    let mut world = World::new();
    for value in 0..10_000 {
        world.apply(&Packet::ChatMsg(&ChatMsg { turn: 1, ..ChatMsg::default() }));
        world.apply(&Packet::RulesetActionEnabler(&RulesetActionEnabler::default()));
        let clause = DiplomacyCreateClause { counterpart: 3, value, ..DiplomacyCreateClause::default() };
        world.apply(&Packet::DiplomacyCreateClause(&clause));
    }
    assert_eq!(world.rulesets().enablers.len(), 8192);
    assert_eq!(world.diplomacy().meeting(3).unwrap().clauses.len(), 512);
    let lines = world.take_changes().iter().filter(|change| matches!(change, Change::Message(_))).count();
    assert_eq!(lines, 1024);
}

#[test]
fn years_turns_and_connections_may_have_any_number() {
    let mut world = World::new();
    world.apply(&Packet::NewYear(&NewYear { turn: i16::MIN, year: i32::MIN, ..NewYear::default() }));
    world.apply(&Packet::BeginTurn(&BeginTurn));
    assert_eq!((world.turn(), world.year()), (i16::MIN, i32::MIN));
    for id in [i16::MIN, -1, 0, i16::MAX] {
        world.apply(&Packet::ConnInfo(&ConnInfo { id, used: true, player_num: 255, ..ConnInfo::default() }));
    }
    assert_eq!((world.me(), world.connections().len()), (None, 4));
    ask(&mut world);
}
