//! The bytes of orders in the recorded game.

use gamewire_freeciv::codec::ProtocolVersion::V3_0;
use gamewire_freeciv::delta::{DeltaLimits, Direction, EncodeOptions};
use gamewire_freeciv::number::{Activity, Clause, Production};
use gamewire_freeciv::orders::{self, OrderError};
use gamewire_freeciv::packets::{Encoder, Packet, TileInfo};
use gamewire_freeciv::world::map::Direction8 as Way;
use gamewire_freeciv::world::{TreatyClause, World};

use super::replay::{ALL, replay};

const SETTLERS: u32 = 105;
const WORKERS: u32 = 118;
/// The forest tile on which the game begins.
const START: i32 = 1166;

fn game() -> World {
    replay("game", &ALL, |_, _| {})
}

/// Returns the body of a packet that is the first one of its type.
fn body<'a>(packet: impl Into<Packet<'a>>) -> Vec<u8> {
    let mut encoder = Encoder::new(Direction::ToServer, DeltaLimits::DEFAULT);
    encoder.set_capabilities(&ALL);
    let mut body = Vec::new();
    assert!(encoder.encode(packet, EncodeOptions::default(), &mut body).unwrap());
    body
}

#[test]
fn the_end_of_a_turn_names_the_turn() {
    assert_eq!(body(&orders::end_turn(&game())), [0x01, 0x00, 0x09]);
}

#[test]
fn the_start_is_a_chat_command() {
    assert_eq!(body(&orders::start_game().unwrap()), b"\x01/start\0");
    assert_eq!(body(&orders::observe_player("a \"b\"").unwrap()), b"\x01/observe \"a b\"\0");
    assert!(matches!(orders::chat(&"x".repeat(1536)), Err(OrderError::Text(_))));
    assert!(matches!(orders::chat("a\0b"), Err(OrderError::Text(_))));
}

#[test]
fn a_city_is_founded_on_the_tile_of_the_unit() {
    let order = orders::found_city(&game(), SETTLERS, "Roma").unwrap();
    assert_eq!(body(&order), b"\x1b\x00\x69\x00\x00\x04\x8eRoma\0\x19");
    assert_eq!(orders::found_city(&game(), 9, "Roma"), Err(OrderError::NoUnit(9)));
    assert!(matches!(orders::found_city(&game(), SETTLERS, &"x".repeat(48)), Err(OrderError::Text(_))));
}

#[test]
fn a_step_is_an_order_of_one_move() {
    let order = orders::step(&game(), SETTLERS, Way::Northwest).unwrap();
    let expected = b"\xe7\x07\x00\x69\x00\x00\x04\x8e\x00\x01\x00\x00\x15\xff\xff\x2c\x00\x00\x04\x56";
    assert_eq!(body(&order), expected);
    assert_eq!(orders::step(&game(), SETTLERS, Way::Northeast), Err(OrderError::NoTile));
    let far = vec![Way::North; 2001];
    assert_eq!(orders::move_along(&game(), SETTLERS, &far), Err(OrderError::TooMany { max: 2000 }));
}

#[test]
fn a_path_uses_only_known_tiles() {
    let world = game();
    let workers = world.unit(WORKERS).unwrap();
    let land = world.map().tiles().filter(|tile| world.is_native(workers, tile) && tile.tile != START);
    let (mut ways, mut none) = (0, 0);
    for tile in land {
        match orders::go_to(&world, WORKERS, tile.tile) {
            Ok(order) => {
                assert_eq!((order.src_tile, order.dest_tile), (START, tile.tile));
                assert_eq!(usize::from(order.length), order.dir.unwrap().len());
                ways += 1;
            }
            // Land across water or unknown tiles.
            Err(error) => {
                assert_eq!(error, OrderError::NoPath { from: START, to: tile.tile });
                none += 1;
            }
        }
    }
    assert!(ways > none, "{ways} {none}");
    assert_eq!(orders::go_to(&world, WORKERS, 3), Err(OrderError::NoPath { from: START, to: 3 }));
    assert_eq!(orders::go_to(&world, WORKERS, -1), Err(OrderError::NoPath { from: START, to: -1 }));
}

#[test]
fn work_names_the_extra_that_it_builds() {
    let world = game();
    let road = orders::build(&world, WORKERS, "Road").unwrap();
    assert_eq!(
        (road.unit_id, Activity::of(V3_0, road.activity), road.target),
        (WORKERS, Some(Activity::Road), 14)
    );
    assert_eq!(orders::build(&world, WORKERS, "Fortress").unwrap().target, 9);
    // Units cannot build huts.
    assert_eq!(orders::build(&world, WORKERS, "Hut"), Err(OrderError::NoRule("Hut".into())));
    assert_eq!(orders::fortify(&world, WORKERS).target, -1);
}

#[test]
fn work_that_converts_the_terrain_names_no_extra() {
    let mut world = game();
    let tile = world.map().tile(START).unwrap();
    assert_eq!(&*world.terrain_of(tile).unwrap().rule_name, b"Forest");
    assert_eq!(orders::mine(&world, WORKERS).unwrap().target, -1);
    assert_eq!(orders::irrigate(&world, WORKERS).unwrap().target, -1);
    // Hills cannot be converted, so a mine is built on them.
    let hills = world.rulesets().terrains.named("Hills").unwrap().id;
    let info = TileInfo { tile: START, known: 2, terrain: hills, ..TileInfo::default() };
    world.apply(&Packet::TileInfo(&info));
    assert_eq!(orders::mine(&world, WORKERS).unwrap().target, 1);
    assert_eq!(orders::irrigate(&world, WORKERS).unwrap().target, 0);
}

#[test]
fn production_is_a_kind_and_an_id() {
    let warriors = game().rulesets().production("Warriors").unwrap();
    assert_eq!(body(&orders::set_production(121, warriors)), [0x07, 0x00, 0x79, 0x06, 0x04]);
    let list = [Production::unit(4), Production::building(40)];
    let expected = [0x03, 0x00, 0x79, 0x02, 0x06, 0x04, 0x03, 0x28];
    assert_eq!(body(&orders::set_worklist(121, &list).unwrap()), expected);
    let long = [Production::unit(4); 65];
    assert_eq!(orders::set_worklist(121, &long), Err(OrderError::TooMany { max: 64 }));
}

#[test]
fn clauses_are_numbers_on_the_wire() {
    let gold = TreatyClause { giver: 3, clause: Clause::GOLD, value: 100 };
    assert_eq!(body(&orders::add_clause(2, gold)), [0x0f, 0x02, 0x03, 0x01, 0x00, 0x00, 0x00, 0x64]);
    assert_eq!(body(&orders::cancel_pact(2)), [0x03, 0x02, 0x05]);
}

#[test]
fn without_a_player_no_client_can_be_ready() {
    let nobody = World::new();
    assert_eq!(orders::ready(&nobody, true), Err(OrderError::NoPlayer));
    assert_eq!(orders::choose_nation(&nobody, "Roman", "Marcus", true), Err(OrderError::NoPlayer));
    let nation = orders::choose_nation(&game(), "Roman", "Marcus", true).unwrap();
    assert_eq!((nation.player_no, nation.nation_no, nation.style), (0, 404, 1));
    assert_eq!(body(&orders::ready(&game(), true).unwrap()), [0x02]);
}
