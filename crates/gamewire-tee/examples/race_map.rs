//! Writes a map for a race of DDNet, with gaps, a wall jump and a passage for the hook: `race_map FILE`.

#![allow(clippy::arithmetic_side_effects, reason = "places on a small map")]

use std::ops::Range;

use gamewire_tee::grid::GridLayers;
use gamewire_tee::map::PhysicsMap;
use gamewire_tee::tile::MapTile;

const WIDTH: usize = 112;
const HEIGHT: usize = 30;

const AIR: u8 = 0;
const SOLID: u8 = 1;
const DEATH: u8 = 2;
const UNHOOKABLE: u8 = 3;
const WALL_JUMP: u8 = 16;
const START: u8 = 33;
const FINISH: u8 = 34;
const SPAWN: u8 = 192;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("which file?")?;
    let mut game = vec![MapTile { index: UNHOOKABLE, flags: 0 }; WIDTH * HEIGHT];
    let mut fill = |columns: Range<usize>, rows: Range<usize>, index: u8| {
        for row in rows {
            for tile in game.iter_mut().skip(row * WIDTH + columns.start).take(columns.len()) {
                tile.index = index;
            }
        }
    };
    // Platforms with gaps of six and eight tiles over a deadly ground.
    fill(2..48, 13..27, AIR);
    fill(2..48, 27..28, DEATH);
    for platform in [2..12, 18..26, 34..48] {
        fill(platform, 24..28, UNHOOKABLE);
    }
    fill(4..5, 23..24, SPAWN);
    fill(8..9, 13..24, START);
    // A wall of 14 tiles, which needs jumps off the wall.
    fill(42..48, 3..24, AIR);
    fill(46..48, 11..24, WALL_JUMP);
    // A gap of 30 tiles below a ceiling for the hook.
    fill(48..110, 3..10, AIR);
    fill(54..84, 10..27, AIR);
    fill(54..84, 27..28, DEATH);
    fill(55..83, 2..3, SOLID);
    fill(104..105, 3..10, FINISH);

    let (width, height) = (u32::try_from(WIDTH)?, u32::try_from(HEIGHT)?);
    let layers = GridLayers { width, height, game, ..GridLayers::default() };
    std::fs::write(file, PhysicsMap { layers, settings: Vec::new() }.to_file()?.to_bytes()?)?;
    Ok(())
}
