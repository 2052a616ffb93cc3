//! The tiles of a map that the physics uses.

use super::error::{MapError, MapErrorKind};
use super::layer::{LayerContent, TileLayer};
use super::layer_data::TileFlags;
use super::reader::MapReader;
use super::tiles::FileTile;
use crate::grid::{GridLayers, MAX_GRID_TILES};
use crate::tile::MapTile;

/// Returns the layers of a map that the physics uses. The last layer of a kind wins, as in DDNet.
///
/// # Errors
/// [`MapErrorKind::NoGameLayer`] if there is no game layer; another [`MapError`] if a layer is not valid or smaller than
/// the game layer.
pub fn grid_layers(reader: &MapReader<'_>) -> Result<GridLayers, MapError> {
    let layers = reader.layers()?;
    let tile_layers: Vec<(usize, &TileLayer)> = layers
        .iter()
        .filter_map(|layer| match &layer.content {
            LayerContent::Tiles(tiles) => Some((layer.item, tiles)),
            _ => None,
        })
        .collect();
    let last = |flag: TileFlags| {
        let mut wanted = tile_layers.iter().filter(|(_, layer)| layer.flags.contains(flag));
        wanted.next_back().copied()
    };
    let (item, game) = last(TileFlags::GAME).ok_or(MapError::new(0, MapErrorKind::NoGameLayer))?;
    if game.count() > MAX_GRID_TILES {
        return Err(MapError::field(
            item,
            "number of tiles",
            i64::try_from(game.count()).unwrap_or(i64::MAX),
        ));
    }
    let special = |flag| last(flag).map(|(_, layer)| layer).filter(|layer| layer.special.is_some());
    Ok(GridLayers {
        width: game.width,
        height: game.height,
        game: reader.tiles(game)?.into_iter().map(map_tile).collect(),
        front: fit(game, special(TileFlags::FRONT), |layer| reader.front_tiles(layer))?
            .into_iter()
            .map(map_tile)
            .collect(),
        tele: fit(game, special(TileFlags::TELE), |layer| reader.tele_tiles(layer))?,
        speedup: fit(game, special(TileFlags::SPEEDUP), |layer| reader.speedup_tiles(layer))?,
        switch: fit(game, special(TileFlags::SWITCH), |layer| reader.switch_tiles(layer))?,
        tune: fit(game, special(TileFlags::TUNE), |layer| reader.tune_tiles(layer))?,
    })
}

const fn map_tile(tile: FileTile) -> MapTile {
    MapTile { index: tile.index, flags: tile.flags }
}

/// Reads a special layer in the size of the game layer. A layer that does not exist is empty. DDNet uses the tiles one
/// after another, whatever the width of the layer is.
fn fit<T>(
    game: &TileLayer,
    layer: Option<&TileLayer>,
    read: impl Fn(&TileLayer) -> Result<Vec<T>, MapError>,
) -> Result<Vec<T>, MapError> {
    let Some(layer) = layer else { return Ok(Vec::new()) };
    let as_game = TileLayer { width: game.width, height: game.height, ..layer.clone() };
    read(&as_game)
}
