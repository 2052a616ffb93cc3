use std::collections::BTreeMap;

use super::change::Changes;
use super::map::{MapGeometry, Topology};
use crate::codec::{Bitvector, ProtocolVersion};
use crate::number::Known;
use crate::packets::{MapInfo, TileInfo};

/// A tile, with all that the client knows about it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Tile {
    /// Number of the tile.
    pub tile: i32,
    /// Visibility of the tile: seen now, seen before or unknown.
    pub known: Known,
    /// Id of the terrain, if known.
    pub terrain: Option<u8>,
    /// Number of the continent, or a negative number for an ocean.
    pub continent: i16,
    /// The owner.
    pub owner: Option<u16>,
    /// The owner of the bases on the tile.
    pub extras_owner: Option<u16>,
    /// Id of the city that works the tile, or is on it.
    pub worked: Option<u32>,
    /// The resource, as the id of its extra.
    pub resource: Option<u8>,
    /// The extras, as a set of their ids.
    pub extras: Bitvector<32>,
    /// The extra that a player places, as its id, and the turn in which it is complete. Servers of 3.0 do not send it.
    pub placed: Option<(u8, i16)>,
    /// Label from a scenario.
    pub label: Option<Box<str>>,
    /// Name of a special picture of the tile.
    pub sprite: Option<Box<str>>,
}

impl Tile {
    /// Value of the terrain field that means "unknown".
    const NO_TERRAIN: u8 = 255;

    pub(super) fn new(info: &TileInfo, version: ProtocolVersion) -> Self {
        let label = (!info.label.is_empty()).then(|| info.label.to_str_lossy().into());
        let sprite = (!info.spec_sprite.is_empty()).then(|| info.spec_sprite.to_str_lossy().into());
        let placed = info.placing.and_then(|extra| u8::try_from(extra).ok());
        Self {
            tile: info.tile,
            known: Known(info.known),
            terrain: (info.terrain != Self::NO_TERRAIN).then_some(info.terrain),
            continent: info.continent,
            owner: (info.owner != version.no_owner()).then_some(info.owner),
            extras_owner: (info.extras_owner != version.no_owner()).then_some(info.extras_owner),
            worked: (info.worked != 0).then_some(info.worked),
            resource: (info.resource != version.no_resource()).then_some(info.resource),
            extras: info.extras,
            placed: placed.zip(info.place_turn),
            label,
            sprite,
        }
    }

    /// Clears the extras that the ruleset does not have, because servers of 3.2 leave their bits uninitialized.
    fn keep_extras(&mut self, count: usize) {
        for bit in self.extras.iter_ones().filter(|bit| *bit >= count).collect::<Vec<_>>() {
            self.extras.set(bit, false);
        }
    }

    /// Returns whether the client sees the tile now. If so, the data is current.
    pub fn is_seen(&self) -> bool {
        self.known == Known::SEEN
    }

    /// Returns whether the extra with this id is on the tile.
    pub fn has_extra(&self, id: u8) -> bool {
        self.extras.get(id.into())
    }
}

/// The map and its known tiles.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TileMap {
    geometry: Option<MapGeometry>,
    tiles: BTreeMap<i32, Tile>,
    /// The topology of the map that the server will create.
    announced: Option<Topology>,
    latitudes: Option<(i16, i16)>,
}

impl TileMap {
    /// Returns the size and topology, once the server has sent the map.
    pub const fn geometry(&self) -> Option<&MapGeometry> {
        self.geometry.as_ref()
    }

    /// Returns the topology. Before the game, this is the topology of the future map.
    pub fn topology(&self) -> Option<Topology> {
        self.geometry.map(|geometry| geometry.topology()).or(self.announced)
    }

    /// Returns the latitudes of the north and the south edge, in thousandths of the way from the equator to the north
    /// pole. Servers before 3.2 do not send them.
    pub const fn latitudes(&self) -> Option<(i16, i16)> {
        self.latitudes
    }

    pub(super) const fn set_topology(&mut self, topology: Topology) {
        self.announced = Some(topology);
    }

    /// Returns a tile by its number, if it is known.
    pub fn tile(&self, number: i32) -> Option<&Tile> {
        self.tiles.get(&number)
    }

    /// Returns the tile in a column and a row, if it is known.
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
        let geometry = MapGeometry::new(info.xsize, info.ysize, Topology::of(info));
        *self = Self {
            geometry: geometry.ok(),
            tiles: BTreeMap::new(),
            announced: self.announced,
            latitudes: info.north_latitude.zip(info.south_latitude),
        };
    }

    /// Sets a tile. `extras` is the number of extras in the ruleset, if it is known.
    pub(super) fn put(
        &mut self,
        info: &TileInfo,
        version: ProtocolVersion,
        extras: Option<u16>,
        changes: &mut Changes,
    ) {
        if !self.geometry.is_some_and(|geometry| geometry.contains(info.tile)) {
            return;
        }
        let mut tile = Tile::new(info, version);
        if let Some(count) = extras {
            tile.keep_extras(count.into());
        }
        let old = self.tiles.get(&info.tile);
        if old == Some(&tile) {
            return;
        }
        changes.tiles.entry(info.tile).or_insert_with(|| old.is_some());
        if tile.known == Known::UNKNOWN {
            self.tiles.remove(&info.tile);
        } else {
            self.tiles.insert(info.tile, tile);
        }
    }

    pub(super) fn forget(&mut self) {
        *self = Self { announced: self.announced, ..Self::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_for_nothing_are_those_of_the_version() {
        let tile = |owner, resource, version| {
            let tile = Tile::new(&TileInfo { owner, resource, ..TileInfo::default() }, version);
            (tile.owner, tile.resource)
        };
        assert_eq!(tile(255, 128, ProtocolVersion::V3_0), (None, None));
        assert_eq!(tile(255, 128, ProtocolVersion::V3_1), (None, None));
        assert_eq!(tile(65_535, 250, ProtocolVersion::V3_2), (None, None));
        assert_eq!(tile(255, 128, ProtocolVersion::V3_2), (Some(255), Some(128)));
    }

    #[test]
    fn extras_that_the_ruleset_does_not_have_are_cleared() {
        let mut extras = Bitvector::default();
        assert!(extras.set(3, true) && extras.set(40, true));
        let mut tile = Tile::new(&TileInfo { extras, ..TileInfo::default() }, ProtocolVersion::V3_2);
        tile.keep_extras(40);
        assert_eq!(tile.extras.iter_ones().collect::<Vec<_>>(), [3]);
    }

    #[test]
    fn since_3_2_the_edges_that_wrap_are_apart_from_the_topology() {
        let info = MapInfo { topology_id: 3, wrap_id: Some(1), ..MapInfo::default() };
        assert_eq!(Topology::of(&info), Topology::from_bits(13));
        let info = MapInfo { topology_id: 13, ..MapInfo::default() };
        assert_eq!(Topology::of(&info), Topology::from_bits(13));
    }
}
