use std::sync::Arc;

use super::*;
use crate::core::Core;
use crate::game_map::GameMap;
use crate::grid::GridLayers;
use crate::rules::Rules;
use crate::tile::{MapTile, id};
use crate::vector::Vec2;

/// Returns a map from rows of text: `#` solid, `X` unhookable, `f` freeze, `d` death, `S` start, `G` goal.
fn map(rules: Rules, rows: &[&str]) -> Arc<GameMap> {
    let kind = |tile| match tile {
        '#' => id::SOLID,
        'X' => id::NO_HOOK,
        'd' => id::DEATH,
        'f' => id::FREEZE,
        'w' => id::WALL_JUMP,
        'S' => 192,
        'G' => 34,
        _ => 0,
    };
    let game: Vec<MapTile> =
        rows.iter().flat_map(|row| row.chars().map(|tile| MapTile { index: kind(tile), flags: 0 })).collect();
    let width = u32::try_from(rows[0].len()).unwrap();
    let height = u32::try_from(rows.len()).unwrap();
    Arc::new(GameMap::new(rules, GridLayers { width, height, game, ..GridLayers::default() }).unwrap())
}

fn find(map: &Arc<GameMap>) -> Result<Path, NoPath> {
    let finder = PathFinder::new(Arc::clone(map), *map.defaults(), map.tiles_of(34));
    let spawn = map.spawn_points().next().unwrap().at;
    finder.find(&Core::new(Vec2::new(spawn.x, spawn.y + 1.0)), 20_000)
}

/// Plays a path again and returns the last position.
fn play(map: &GameMap, path: &Path) -> Vec2 {
    let mut world = map.world();
    world.tuning = *map.defaults();
    let spawn = map.spawn_points().next().unwrap().at;
    world.spawn(0, Vec2::new(spawn.x, spawn.y + 1.0));
    for (input, at) in path.inputs.iter().zip(&path.positions) {
        world.set_input(0, *input);
        world.step();
        assert_eq!(world.core(0).expect("alive").at, *at);
    }
    world.core(0).unwrap().at
}

fn reaches_the_goal(rules: Rules, rows: &[&str]) -> Path {
    let map = map(rules, rows);
    let path = find(&map).unwrap_or_else(|no| panic!("{no:?}"));
    let end = play(&map, &path);
    assert!(map.tiles_of(34).any(|goal| goal.distance(end) < 24.0), "{end:?}");
    path
}

#[test]
fn a_tee_jumps_over_a_gap_and_onto_a_step() {
    for rules in [Rules::Teeworlds07, Rules::Ddnet20] {
        reaches_the_goal(
            rules,
            &[
                "XXXXXXXXXXXXXXXX",
                "X              X",
                "X              X",
                "X            G X",
                "XS        XXXXXX",
                "XXXXX   XXXXXXXX",
                "XddddddddddddddX",
            ],
        );
    }
}

#[test]
fn a_hook_crosses_a_gap_that_no_jump_does() {
    let path = reaches_the_goal(
        Rules::Ddnet20,
        &[
            "################################",
            "#                              #",
            "#                              #",
            "#                              #",
            "#                              #",
            "#S                            G#",
            "XXXX                        XXXX",
            "XddddddddddddddddddddddddddddddX",
        ],
    );
    assert!(path.inputs.iter().any(|input| input.hook != 0));
}

#[test]
fn a_goal_behind_a_wall_is_not_connected() {
    let map = map(Rules::Ddnet20, &["XXXXXXX", "XS X GX", "XXXXXXX"]);
    assert_eq!(find(&map), Err(NoPath::NotConnected));
}

#[test]
fn a_goal_that_is_too_high_is_given_up() {
    let mut rows = vec!["XXXXX", "X  GX"];
    rows.extend(["X   X"; 30]);
    rows.extend(["XS  X", "XXXXX"]);
    let map = map(Rules::Ddnet20, &rows);
    let Err(NoPath::GaveUp { nearest, distance }) = find(&map) else { panic!("no path") };
    let end = play(&map, &nearest);
    assert!(distance > 500.0 && end.y == 1041.0, "{end:?} {distance}");
}
