//! The map of the Teeworlds server.

use gamewire_tee::grid::GridLayers;
use gamewire_tee::map::{MapError, PhysicsMap};
use gamewire_tee::tile::MapTile;

/// Spawn position, in units: on the floor.
pub(super) const SPAWN: (i32, i32) = (1600, 817);

/// Size in tiles, and the row of the floor's surface.
const WIDTH: u32 = 100;
const HEIGHT: u32 = 32;
const FLOOR: u32 = 26;

/// Bytes that nothing refers to, so that the download takes a while.
const PADDING: u32 = 20_000;

/// Returns the file of a room with a floor and some platforms above it.
pub(super) fn room() -> Result<Vec<u8>, MapError> {
    let tiles = (0..HEIGHT).flat_map(|row| (0..WIDTH).map(move |column| (column, row)));
    let game = tiles.map(|(column, row)| MapTile { index: is_solid(column, row).into(), flags: 0 });
    let layers = GridLayers { width: WIDTH, height: HEIGHT, game: game.collect(), ..GridLayers::default() };
    let mut file = PhysicsMap { layers, settings: Vec::new() }.to_file()?;
    let padding: Vec<u8> = (0..PADDING)
        .map(|place| (place.wrapping_mul(place) ^ place.wrapping_mul(0x9e37_79b1)).to_be_bytes()[1])
        .collect();
    file.push_blob(&padding)?;
    file.to_bytes()
}

#[allow(clippy::arithmetic_side_effects, reason = "places on the map are small")]
const fn is_solid(column: u32, row: u32) -> bool {
    let is_wall = column < 6 || column >= WIDTH - 6 || row < 3 || row >= FLOOR;
    let is_platform = row == 20 && column % 24 < 9 || row == 14 && (column + 12) % 24 < 7;
    is_wall || is_platform
}
