use std::collections::BTreeMap;

use super::change::Changes;
use super::map::{MapGeometry, Topology};
use super::tile::Tile;
use crate::number::Known;
use crate::v30::{MapInfo, TileInfo};

/// The map and what is known of its tiles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TileMap {
    shape: Option<MapGeometry>,
    tiles: BTreeMap<i32, Tile>,
}

impl TileMap {
    /// The size and the topology, once the game has a map.
    #[must_use]
    pub const fn shape(&self) -> Option<&MapGeometry> {
        self.shape.as_ref()
    }

    /// What is known of a tile, by its number. Nothing of those that nobody has seen.
    #[must_use]
    pub fn tile(&self, number: i32) -> Option<&Tile> {
        self.tiles.get(&number)
    }

    /// What is known of the tile in a column and a row.
    #[must_use]
    pub fn tile_at(&self, x: i32, y: i32) -> Option<&Tile> {
        self.tile(self.shape?.tile(x, y)?)
    }

    /// All known tiles in the order of their numbers.
    pub fn tiles(&self) -> impl ExactSizeIterator<Item = &Tile> {
        self.tiles.values()
    }

    /// The known neighbours of a tile.
    pub fn neighbours(&self, tile: i32) -> impl Iterator<Item = &Tile> {
        let around = self.shape.into_iter().flat_map(move |shape| shape.neighbours(tile));
        around.filter_map(|(_, tile)| self.tile(tile))
    }

    pub(super) fn begin(&mut self, info: &MapInfo) {
        let shape = MapGeometry::new(info.xsize, info.ysize, Topology::from_bits(info.topology_id));
        *self = Self { shape: shape.ok(), tiles: BTreeMap::new() };
    }

    pub(super) fn put(&mut self, info: &TileInfo, changes: &mut Changes) {
        if !self.shape.is_some_and(|shape| shape.contains(info.tile)) {
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
