//! Converts maps between the formats of 0.6 and 0.7.

use super::data_file::DataFile;
use super::envelope::{BEZIER_POINT_INTS, BEZIER_VERSION, POINT_INTS};
use super::error::{MapError, MapErrorKind};
use super::item::{ItemType, item_type};
use super::layer::{LayerContent, TileLayer};
use super::reader::MapReader;
use super::tiles::{FileTile, pack_tiles};

/// Version of the tile layers and of the envelopes that 0.6 can read.
const TILES_06: i32 = 3;
const ENVELOPE_06: i32 = 2;
/// Version of the tile layers with packed tiles.
const TILES_07: i32 = 4;
/// Integers of a plain tile layer with a name.
const NAMED_LAYER_INTS: usize = 18;
/// Maximum bytes of all decompressed tiles of a converted map.
const MAX_BYTES: usize = 64 << 20;

/// Converts a map of 0.7 to the format of 0.6: expands packed tiles and removes the tangents of envelopes. Returns `None`
/// if the map has that format already.
///
/// # Errors
/// [`MapError`] if a layer is not valid. The map is not changed then.
pub fn from_07(file: &DataFile) -> Result<Option<DataFile>, MapError> {
    let mut converted = file.clone();
    let mut is_changed = false;
    for (item, layer) in tile_layers(file)? {
        if layer.version < TILES_07 {
            continue;
        }
        let tiles = MapReader::with_limit(file, MAX_BYTES).tiles(&layer)?;
        set_tiles(&mut converted, item, &layer, TILES_06, &bytes_of(&tiles))?;
        is_changed = true;
    }
    if remove_tangents(&mut converted) {
        is_changed = true;
    }
    Ok(is_changed.then_some(converted))
}

/// Converts a map of 0.6 to the format of 0.7: packs the tiles of plain layers, and gives layers a name. Returns `None` if
/// the map has that format already.
///
/// # Errors
/// [`MapError`] if a layer is not valid. The map is not changed then.
pub fn to_07(file: &DataFile) -> Result<Option<DataFile>, MapError> {
    let mut converted = file.clone();
    let mut is_changed = false;
    for (item, layer) in tile_layers(file)? {
        if layer.version >= TILES_07 || layer.flags.special().is_some() {
            continue;
        }
        let tiles = MapReader::with_limit(file, MAX_BYTES).tiles(&layer)?;
        if let Some(ints) = converted.item_mut(item) {
            // Older items have no name, and DDNet's end with indices that 0.7 does not know.
            if layer.version < TILES_06 {
                ints.truncate(NAMED_LAYER_INTS.saturating_sub(3));
                ints.extend(super::item::pack_name::<3>(b""));
            }
            ints.truncate(NAMED_LAYER_INTS);
        }
        set_tiles(&mut converted, item, &layer, TILES_07, &pack_tiles(&tiles))?;
        is_changed = true;
    }
    Ok(is_changed.then_some(converted))
}

fn tile_layers(file: &DataFile) -> Result<Vec<(usize, TileLayer)>, MapError> {
    let layers = MapReader::new(file).layers()?;
    let tiles = layers.into_iter().filter_map(|layer| match layer.content {
        LayerContent::Tiles(tiles) => Some((layer.item, tiles)),
        _ => None,
    });
    Ok(tiles.collect())
}

fn bytes_of(tiles: &[FileTile]) -> Vec<u8> {
    tiles.iter().flat_map(|tile| tile.to_bytes()).collect()
}

/// Replaces the tiles of a layer and its version.
fn set_tiles(
    file: &mut DataFile,
    item: usize,
    layer: &TileLayer,
    version: i32,
    bytes: &[u8],
) -> Result<(), MapError> {
    let unwritable = MapError::new(item, MapErrorKind::Unwritable);
    *file.item_mut(item).and_then(|ints| ints.get_mut(3)).ok_or(unwritable)? = version;
    file.set_blob(layer.data.ok_or(unwritable)?, bytes)
}

/// Removes the tangents of envelopes. Returns whether there were any.
fn remove_tangents(file: &mut DataFile) -> bool {
    let indices = |file: &DataFile, wanted| -> Vec<usize> {
        file.items_of(ItemType::Plain(wanted)).map(|(index, _)| index).collect()
    };
    let mut is_changed = false;
    for index in indices(file, item_type::ENVELOPE) {
        let version = file.item_mut(index).and_then(|ints| ints.first_mut());
        if let Some(version) = version.filter(|version| **version >= BEZIER_VERSION) {
            *version = ENVELOPE_06;
            is_changed = true;
        }
    }
    if is_changed {
        for index in indices(file, item_type::ENVELOPE_POINTS) {
            if let Some(ints) = file.item_mut(index) {
                let points = ints.chunks_exact(BEZIER_POINT_INTS);
                *ints = points.flat_map(|point| point.iter().take(POINT_INTS)).copied().collect();
            }
        }
    }
    is_changed
}
