//! Properties for any bytes, for the fuzz target in `fuzz/` and the tests over its corpus. Each function panics if a
//! property does not hold.
#![allow(unreachable_pub, reason = "the fuzz target includes this file")]

use std::sync::Arc;

use gamewire_tee::grid::Grid;
use gamewire_tee::input::TeeInput;
use gamewire_tee::map::{DataFile, LayerContent, MapReader, from_07, grid_layers, to_07};
use gamewire_tee::rules::Rules;
use gamewire_tee::teehistorian::Teehistorian;
use gamewire_tee::vector::Vec2;
use gamewire_tee::world::World;

/// Maximum bytes that the blobs of a fuzzed map have together.
const MAX_BYTES: usize = 4 << 20;
/// Maximum tiles of a map in which a tee moves.
const MAX_TILES: usize = 1 << 16;

/// Reads a map with everything in it. A map that is accepted is written with the same bytes, and a tee can move in it.
///
/// Returns whether the map has a game layer.
pub fn map(bytes: &[u8]) -> bool {
    let Ok(file) = DataFile::parse(bytes) else { return false };
    assert_eq!(file.to_bytes().expect("a file that was read"), bytes);
    let reader = MapReader::with_limit(&file, MAX_BYTES);
    let _ = (reader.version(), reader.info(), reader.images(), reader.sounds(), reader.groups());
    let _ = (reader.envelopes(), reader.envelope_points());
    for layer in reader.layers().unwrap_or_default() {
        match layer.content {
            LayerContent::Tiles(tiles) => drop(reader.tiles(&tiles)),
            LayerContent::Quads(quads) => drop(reader.quads(&quads)),
            LayerContent::Sounds(sounds) => drop(reader.sound_sources(&sounds)),
            LayerContent::Unknown(_) => {}
        }
    }
    if let Ok(Some(old)) = from_07(&file) {
        assert!(from_07(&old).is_ok_and(|again| again.is_none()), "it has the format of 0.6");
    }
    let _ = to_07(&file);
    let reader = MapReader::with_limit(&file, MAX_BYTES);
    let Ok(layers) = grid_layers(&reader) else { return false };
    if layers.game.len() <= MAX_TILES {
        for rules in [Rules::Teeworlds07, Rules::Ddnet20] {
            let Ok(grid) = Grid::new(rules, layers.clone()) else { return false };
            move_in(World::new(rules, Arc::new(grid)));
        }
    }
    true
}

/// Reads a teehistorian file to its end or to its first error, which is in the file.
///
/// Returns whether there is no error.
pub fn teehistorian(bytes: &[u8]) -> bool {
    let Ok(file) = Teehistorian::parse(bytes) else { return false };
    let (mut last, mut tick) = (0, 0);
    for entry in file {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                assert!(error.at > last && error.at <= bytes.len(), "{error}");
                return false;
            }
        };
        assert!(entry.at > last && entry.at < bytes.len() && entry.tick >= tick, "{entry:?}");
        (last, tick) = (entry.at, entry.tick);
    }
    true
}

fn move_in(mut world: World) {
    world.spawn(0, Vec2::new(48.0, 48.0));
    for tick in 0..50 {
        let input = TeeInput {
            direction: 1,
            target_x: 30,
            target_y: -40,
            jump: tick & 8,
            fire: tick,
            hook: 1,
            ..TeeInput::default()
        };
        world.direct_input(0, input);
        world.set_input(0, input);
        world.step();
    }
}
