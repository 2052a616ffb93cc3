//! The map of the demo's game.

use std::collections::BTreeMap;

use gamewire_freeciv::packets::{MapInfo, OwnedPacket, Packet, TileInfo};
use gamewire_freeciv::world::map::{BadMapSize, MapGeometry, Topology};

use super::rules::{OCEAN, TerrainRule, terrain};

/// Columns and rows of the map.
const WIDTH: u16 = 32;
const HEIGHT: u16 = 20;
/// The owner number of tiles without an owner.
const NOBODY: u16 = 255;
/// Squared radius of the tiles that a city works and owns.
pub(super) const RADIUS: u16 = 5;

/// An island and the owners of its tiles.
#[derive(Debug)]
pub(super) struct Land {
    pub(super) geometry: MapGeometry,
    owners: BTreeMap<i32, u16>,
}

impl Land {
    pub(super) fn new() -> Result<Self, BadMapSize> {
        let geometry = MapGeometry::new(WIDTH, HEIGHT, Topology::from_bits(0))?;
        Ok(Self { geometry, owners: BTreeMap::new() })
    }

    /// Returns the tile where a nation starts. The nations start apart from each other.
    pub(super) fn start(&self, nation: u16) -> i32 {
        let (column, row) = (nation % 4, nation / 4 % 4);
        let place = |number: u16, step: u16| i32::from(number.saturating_mul(step).saturating_add(3));
        self.geometry.tile(place(column, 8), place(row, 4)).unwrap_or_default()
    }

    /// Returns the terrain of a tile.
    pub(super) fn terrain(&self, tile: i32) -> &'static TerrainRule {
        terrain(self.number(tile))
    }

    pub(super) fn is_land(&self, tile: i32) -> bool {
        self.number(tile) != OCEAN
    }

    /// Makes `owner` the owner of the tiles around a new city, unless they have an owner. Returns the packets of these
    /// tiles.
    pub(super) fn claim(&mut self, city: i32, owner: u16) -> Vec<OwnedPacket> {
        let tiles: Vec<i32> = self.geometry.within(city, RADIUS).collect();
        tiles.iter().for_each(|tile| _ = self.owners.entry(*tile).or_insert(owner));
        tiles.iter().map(|tile| self.packet(*tile)).collect()
    }

    pub(super) fn owner(&self, tile: i32) -> Option<u16> {
        self.owners.get(&tile).copied()
    }

    /// Returns the packets of the whole map.
    pub(super) fn packets(&self) -> Vec<OwnedPacket> {
        let info = MapInfo { xsize: WIDTH, ysize: HEIGHT, ..MapInfo::default() };
        let tiles = (0..self.geometry.tiles()).map(|tile| self.packet(tile));
        core::iter::once(Packet::from(&info).into()).chain(tiles).collect()
    }

    fn packet(&self, tile: i32) -> OwnedPacket {
        let info = TileInfo {
            tile,
            continent: self.is_land(tile).into(),
            known: 2,
            owner: self.owner(tile).unwrap_or(NOBODY),
            extras_owner: NOBODY,
            terrain: self.number(tile),
            resource: u8::MAX,
            ..TileInfo::default()
        };
        Packet::from(&info).into()
    }

    /// Returns the number of a tile's terrain: one of three kinds of land, or ocean at the border of the map.
    fn number(&self, tile: i32) -> u8 {
        let Some((column, row)) = self.geometry.column_and_row(tile) else { return OCEAN };
        let is_shore = |place: i32, size: u16| place == 0 || place.saturating_add(1) == i32::from(size);
        if is_shore(column, WIDTH) || is_shore(row, HEIGHT) {
            return OCEAN;
        }
        let mixed = column.saturating_mul(7) ^ row.saturating_mul(5);
        [1, 2, 1, 3].into_iter().cycle().nth(usize::try_from(mixed % 8).unwrap_or(0)).unwrap_or(1)
    }
}
