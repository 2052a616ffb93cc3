//! The tiles of a map with the rules of the game that is played on it.

use std::sync::Arc;

use crate::collision::LineHit;
use crate::grid::{Grid, GridError, GridLayers};
use crate::rules::Rules;
use crate::tile::id;
use crate::tuning::Tuning;
use crate::vector::Vec2;
use crate::world::World;

/// The owner of a spawn point or a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// All players.
    All,
    /// The red team.
    Red,
    /// The blue team.
    Blue,
}

/// A spawn point, or the stand of a flag.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MarkedPlace {
    /// The owner.
    pub side: Side,
    /// The center of the tile.
    pub at: Vec2,
}

/// The tiles of a map with the rules of the game that is played on it. It never changes.
#[derive(Clone, Debug)]
pub struct GameMap {
    defaults: Tuning,
    /// A world without tees. Creating a world searches all tiles, so callers get a clone of this one.
    world: World,
}

impl GameMap {
    /// Creates a map from its layers.
    ///
    /// # Errors
    /// [`GridError`] if the size is invalid or a layer has another size.
    pub fn new(rules: Rules, layers: GridLayers) -> Result<Self, GridError> {
        let world = World::new(rules, Arc::new(Grid::new(rules, layers)?));
        Ok(Self { defaults: Tuning::new(rules), world })
    }

    /// Reads a map file.
    ///
    /// # Errors
    /// [`ReadError`] if the bytes are not a map, or if its tiles are invalid.
    #[cfg(feature = "map")]
    pub fn read(rules: Rules, bytes: &[u8]) -> Result<Self, ReadError> {
        let file = crate::map::DataFile::parse(bytes).map_err(ReadError::Map)?;
        let layers = crate::map::grid_layers(&crate::map::MapReader::new(&file)).map_err(ReadError::Map)?;
        Self::new(rules, layers).map_err(ReadError::Grid)
    }

    /// Returns the rules.
    #[must_use]
    pub const fn rules(&self) -> Rules {
        self.world.rules
    }

    /// Returns the tiles.
    #[must_use]
    pub fn grid(&self) -> &Grid {
        self.world.grid()
    }

    /// Returns the default tunings of the game, which dead reckoning uses whatever a server sets.
    #[must_use]
    pub const fn defaults(&self) -> &Tuning {
        &self.defaults
    }

    /// Returns a world without tees on this map.
    #[must_use]
    pub fn world(&self) -> World {
        self.world.clone()
    }

    /// Returns the first solid position between two positions, or `None` if a shot passes.
    #[must_use]
    pub fn ray(&self, from: Vec2, to: Vec2) -> Option<LineHit> {
        self.grid().intersect_line(self.rules(), from, to)
    }

    /// Returns the spawn points.
    pub fn spawn_points(&self) -> impl Iterator<Item = MarkedPlace> + '_ {
        self.places([
            (id::ENTITY_OFFSET + 1, Side::All),
            (id::ENTITY_OFFSET + 2, Side::Red),
            (id::ENTITY_OFFSET + 3, Side::Blue),
        ])
    }

    /// Returns the stands of the flags.
    pub fn flag_stands(&self) -> impl Iterator<Item = MarkedPlace> + '_ {
        self.places([(id::ENTITY_OFFSET + 4, Side::Red), (id::ENTITY_OFFSET + 5, Side::Blue)])
    }

    /// Returns the centers of the tiles of the game or front layer with an index, such as 33 for the start of a race of DDNet
    /// and 34 for its finish.
    pub fn tiles_of(&self, index: u8) -> impl Iterator<Item = Vec2> + '_ {
        let grid = self.grid();
        let is_wanted = move |at: &usize| grid.game(*at).index == index || grid.front(*at).index == index;
        (0..grid.layers().game.len()).filter(is_wanted).map(|at| grid.center(at))
    }

    fn places<const N: usize>(&self, kinds: [(u8, Side); N]) -> impl Iterator<Item = MarkedPlace> + '_ {
        let grid = self.grid();
        grid.layers().game.iter().enumerate().filter_map(move |(at, tile)| {
            let (_, side) = kinds.iter().find(|(index, _)| *index == tile.index)?;
            Some(MarkedPlace { side: *side, at: grid.center(at) })
        })
    }
}

/// The reason why bytes are not a map that can be played.
#[cfg(feature = "map")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadError {
    /// The file is invalid.
    Map(crate::map::MapError),
    /// The layers are invalid.
    Grid(GridError),
}

#[cfg(feature = "map")]
impl ::core::fmt::Display for ReadError {
    fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
        match self {
            Self::Map(error) => error.fmt(f),
            Self::Grid(error) => error.fmt(f),
        }
    }
}

#[cfg(feature = "map")]
impl ::core::error::Error for ReadError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tile::MapTile;

    #[test]
    fn a_map_has_places_and_walls() {
        let tiles = [192, 0, 1, 0, 196, 33, 0, 0, 0, 194];
        let game = tiles.map(|index| MapTile { index, flags: 0 }).to_vec();
        let map = GameMap::new(
            Rules::Teeworlds07,
            GridLayers { width: 5, height: 2, game, ..GridLayers::default() },
        )
        .unwrap();
        let spawns: Vec<_> = map.spawn_points().collect();
        let place = |side, x, y| MarkedPlace { side, at: Vec2::new(x, y) };
        assert_eq!(spawns, [place(Side::All, 16.0, 16.0), place(Side::Blue, 144.0, 48.0)]);
        assert_eq!(map.flag_stands().collect::<Vec<_>>(), [place(Side::Blue, 144.0, 16.0)]);
        assert_eq!(map.tiles_of(33).collect::<Vec<_>>(), [Vec2::new(16.0, 48.0)]);
        let hit = map.ray(Vec2::new(16.0, 16.0), Vec2::new(144.0, 16.0)).unwrap();
        assert!((63.0..64.5).contains(&hit.at.x), "{hit:?}");
        assert_eq!(map.ray(Vec2::new(16.0, 48.0), Vec2::new(144.0, 48.0)), None);
    }
}
