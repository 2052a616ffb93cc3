use std::collections::BTreeMap;

use super::change::Changes;
use super::map::{MapGeometry, Topology};
use super::tile::Tile;
use crate::number::Known;
use crate::v30::{MapInfo, TileInfo};

/// The map and its known tiles.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TileMap {
    geometry: Option<MapGeometry>,
    tiles: BTreeMap<i32, Tile>,
}

impl TileMap {
    /// Returns the size and topology, once the server has sent the map.
    #[must_use]
    pub const fn geometry(&self) -> Option<&MapGeometry> {
        self.geometry.as_ref()
    }

    /// Returns a tile by its number, if known.
    #[must_use]
    pub fn tile(&self, number: i32) -> Option<&Tile> {
        self.tiles.get(&number)
    }

    /// Returns the tile in a column and a row, if known.
    #[must_use]
    pub fn tile_at(&self, x: i32, y: i32) -> Option<&Tile> {
        self.tile(self.geometry?.tile(x, y)?)
    }

    /// Iterates over all known tiles by number.
    pub fn tiles(&self) -> impl ExactSizeIterator<Item = &Tile> {
        self.tiles.values()
    }

    /// Iterates over the known neighbors of a tile.
    pub fn neighbors(&self, tile: i32) -> impl Iterator<Item = &Tile> {
        let around = self.geometry.into_iter().flat_map(move |geometry| geometry.neighbors(tile));
        around.filter_map(|(_, tile)| self.tile(tile))
    }

    pub(super) fn reset(&mut self, info: &MapInfo) {
        let geometry = MapGeometry::new(info.xsize, info.ysize, Topology::from_bits(info.topology_id));
        *self = Self { geometry: geometry.ok(), tiles: BTreeMap::new() };
    }

    pub(super) fn put(&mut self, info: &TileInfo, changes: &mut Changes) {
        if !self.geometry.is_some_and(|geometry| geometry.contains(info.tile)) {
            return;
        }
        let tile = Tile::new(info);
        let old = self.tiles.get(&info.tile);
        if old == Some(&tile) {
            return;
        }
        changes.tile(info.tile, old.is_some());
        if tile.known == Known::UNKNOWN {
            self.tiles.remove(&info.tile);
        } else {
            self.tiles.insert(info.tile, tile);
        }
    }

    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }
}
