//! Positions, directions and distances of tiles, which depend on the topology of the map.

use std::collections::{HashMap, VecDeque};

use thiserror::Error;

use crate::packets::MapInfo;

#[cfg(test)]
mod tests;

/// Size and topology of a map.
///
/// The number of a tile is `x + y * xsize`, where `x` is its column and `y` its row. Directions and distances are
/// relative to *map positions*. On a map that is not isometric a map position is the column and row; on an isometric
/// map it is rotated by 45 degrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct MapGeometry {
    xsize: i32,
    ysize: i32,
    topology: Topology,
}

/// The shape of the grid, and the edges of the map that wrap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Topology {
    /// The west and east edges wrap.
    pub wraps_x: bool,
    /// The north and south edges wrap.
    pub wraps_y: bool,
    /// The grid is rotated by 45 degrees, with rows half a tile apart.
    pub is_isometric: bool,
    /// Tiles have six neighbors instead of eight.
    pub is_hexagonal: bool,
}

impl Topology {
    /// Returns the topology in a MAP_INFO packet. Since 3.2, the bits for wrapping edges are in a separate field.
    pub const fn of(info: &MapInfo) -> Self {
        Self::of_parts(info.topology_id, info.wrap_id)
    }

    /// Returns the topology in the fields of a packet.
    pub(crate) const fn of_parts(topology: u8, wrap: Option<u8>) -> Self {
        match wrap {
            Some(wrap) => Self::from_bits((topology & 3) << 2 | wrap & 3),
            None => Self::from_bits(topology),
        }
    }

    /// Returns the topology for these bits: 1 and 2 wrap x and y, 4 is isometric, 8 is hexagonal.
    pub const fn from_bits(bits: u8) -> Self {
        Self {
            wraps_x: bits & 1 != 0,
            wraps_y: bits & 2 != 0,
            is_isometric: bits & 4 != 0,
            is_hexagonal: bits & 8 != 0,
        }
    }
}

/// The error for an invalid map size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("invalid map size {xsize} x {ysize}")]
pub struct BadMapSize {
    /// Number of columns.
    pub xsize: u16,
    /// Number of rows.
    pub ysize: u16,
}

impl MapGeometry {
    /// Maximum number of tiles of a map (Freeciv's limit).
    pub const MAX_TILES: i32 = 2_048_000;

    /// Creates the geometry of a map.
    ///
    /// # Errors
    /// [`BadMapSize`] if the map has no tile, or more than [`MAX_TILES`](Self::MAX_TILES).
    pub fn new(xsize: u16, ysize: u16, topology: Topology) -> Result<Self, BadMapSize> {
        let is_small =
            i32::from(xsize).checked_mul(i32::from(ysize)).is_some_and(|tiles| tiles <= Self::MAX_TILES);
        if xsize == 0 || ysize == 0 || !is_small {
            return Err(BadMapSize { xsize, ysize });
        }
        Ok(Self { xsize: i32::from(xsize), ysize: i32::from(ysize), topology })
    }

    /// Returns the number of columns.
    pub const fn xsize(&self) -> i32 {
        self.xsize
    }

    /// Returns the number of rows.
    pub const fn ysize(&self) -> i32 {
        self.ysize
    }

    /// Returns the topology.
    pub const fn topology(&self) -> Topology {
        self.topology
    }
}

#[allow(
    clippy::arithmetic_side_effects,
    reason = "sizes are at most MAX_TILES, coordinates a few times that"
)]
impl MapGeometry {
    /// Returns the number of tiles.
    pub const fn tiles(&self) -> i32 {
        self.xsize * self.ysize
    }

    /// Returns whether the map has a tile with this number.
    pub const fn contains(&self, tile: i32) -> bool {
        0 <= tile && tile < self.tiles()
    }

    /// Returns the tile in a column and a row.
    pub const fn tile(&self, x: i32, y: i32) -> Option<i32> {
        if 0 <= x && x < self.xsize && 0 <= y && y < self.ysize { Some(x + y * self.xsize) } else { None }
    }

    /// Returns the column and the row of a tile.
    pub const fn column_and_row(&self, tile: i32) -> Option<(i32, i32)> {
        if self.contains(tile) { Some((tile % self.xsize, tile / self.xsize)) } else { None }
    }

    /// Returns the map position of a tile.
    pub fn map_position(&self, tile: i32) -> Option<(i32, i32)> {
        self.column_and_row(tile).map(|(x, y)| self.map_position_of(x, y))
    }

    /// Returns the tile at a map position. The position may be beyond edges that wrap.
    pub fn at_map_position(&self, x: i32, y: i32) -> Option<i32> {
        let far = 4 * Self::MAX_TILES.unsigned_abs();
        if x.unsigned_abs() > far || y.unsigned_abs() > far {
            return None;
        }
        let (x, y) = self.column_and_row_of(x, y);
        let x = if self.topology.wraps_x { x.rem_euclid(self.xsize) } else { x };
        let y = if self.topology.wraps_y { y.rem_euclid(self.ysize) } else { y };
        self.tile(x, y)
    }

    /// Returns the neighbor in a direction.
    pub fn step(&self, tile: i32, direction: Direction8) -> Option<i32> {
        if !direction.is_valid(self.topology) {
            return None;
        }
        let ((x, y), (dx, dy)) = (self.map_position(tile)?, direction.vector());
        self.at_map_position(x + dx, y + dy)
    }

    /// Iterates over the neighbors of a tile and their directions.
    pub fn neighbors(self, tile: i32) -> impl Iterator<Item = (Direction8, i32)> {
        Direction8::ALL
            .into_iter()
            .filter_map(move |direction| Some((direction, self.step(tile, direction)?)))
    }

    /// Returns the number of steps between two tiles, ignoring obstacles.
    pub fn distance(&self, from: i32, to: i32) -> Option<i32> {
        self.vectors(from, to)?.map(|vector| self.steps(vector)).min()
    }

    /// Returns the squared distance, which is the unit of city and vision radii. On a map with eight neighbors, a
    /// diagonal step counts with its geometric length.
    pub fn square_distance(&self, from: i32, to: i32) -> Option<i64> {
        let square = |(x, y)| {
            if self.topology.is_hexagonal {
                i64::from(self.steps((x, y))).pow(2)
            } else {
                i64::from(x).pow(2) + i64::from(y).pow(2)
            }
        };
        self.vectors(from, to)?.map(square).min()
    }

    /// Iterates over the tiles within a squared radius, including the center, by ascending number.
    pub fn within(self, middle: i32, square_radius: u16) -> impl Iterator<Item = i32> {
        let reach = i32::from(square_radius.isqrt()) + 1;
        let center = self.map_position(middle);
        let around = (-reach..=reach).flat_map(move |dx| (-reach..=reach).map(move |dy| (dx, dy)));
        let mut tiles: Vec<i32> = around
            .filter_map(|(dx, dy)| center.and_then(|(x, y)| self.at_map_position(x + dx, y + dy)))
            .filter(|tile| self.square_distance(middle, *tile) <= Some(i64::from(square_radius)))
            .collect();
        tiles.sort_unstable();
        tiles.dedup();
        tiles.into_iter()
    }

    /// Returns the vectors from one tile to another in map positions. With wrapping edges there are several.
    fn vectors(self, from: i32, to: i32) -> Option<impl Iterator<Item = (i32, i32)>> {
        let ((from_x, from_y), (to_x, to_y)) = (self.column_and_row(from)?, self.column_and_row(to)?);
        let around = |wraps: bool| if wraps { -1..=1 } else { 0..=0 };
        let (columns, rows) = (around(self.topology.wraps_x), around(self.topology.wraps_y));
        let start = self.map_position_of(from_x, from_y);
        Some(columns.flat_map(move |column| {
            rows.clone().map(move |row| {
                let end = self.map_position_of(to_x + column * self.xsize, to_y + row * self.ysize);
                (end.0 - start.0, end.1 - start.1)
            })
        }))
    }

    /// Returns the number of steps of a vector.
    const fn steps(&self, (x, y): (i32, i32)) -> i32 {
        let (long, short) = if x.abs() > y.abs() { (x.abs(), y.abs()) } else { (y.abs(), x.abs()) };
        // On a hexagonal map, a vector along one of the two diagonals takes two steps per tile.
        let is_same_sign = (x < 0) == (y < 0);
        let is_long_diagonal = self.topology.is_hexagonal && is_same_sign != self.topology.is_isometric;
        if is_long_diagonal && short > 0 { long + short } else { long }
    }

    const fn map_position_of(self, x: i32, y: i32) -> (i32, i32) {
        if !self.topology.is_isometric {
            return (x, y);
        }
        // Two rows down are one step south and one step east, so half of the rows, rounded up, are steps.
        let map_x = (y + (y & 1)) / 2 + x;
        (map_x, y - map_x + self.xsize)
    }

    const fn column_and_row_of(self, x: i32, y: i32) -> (i32, i32) {
        if !self.topology.is_isometric {
            return (x, y);
        }
        let row = x + y - self.xsize;
        ((2 * x - row - (row & 1)) / 2, row)
    }
}

impl MapGeometry {
    /// Returns a shortest path between two tiles, or `None` if there is no path. `is_open` returns whether a tile can
    /// be on the path. It is not called for the first and last tile.
    pub fn path(&self, from: i32, to: i32, is_open: impl Fn(i32) -> bool) -> Option<Vec<Direction8>> {
        if !self.contains(from) || !self.contains(to) {
            return None;
        }
        // Search backwards, so that the steps are in order.
        let mut next: HashMap<i32, (Direction8, i32)> = HashMap::new();
        let mut edge = VecDeque::from([to]);
        while let Some(tile) = edge.pop_front() {
            if tile == from {
                return Some(self.collect_steps(from, to, &next));
            }
            for (direction, neighbor) in self.neighbors(tile) {
                let is_new = neighbor != to && !next.contains_key(&neighbor);
                if is_new && (neighbor == from || is_open(neighbor)) {
                    next.insert(neighbor, (direction.opposite(), tile));
                    edge.push_back(neighbor);
                }
            }
        }
        None
    }

    fn collect_steps(&self, from: i32, to: i32, next: &HashMap<i32, (Direction8, i32)>) -> Vec<Direction8> {
        let mut path = Vec::new();
        let mut at = from;
        while at != to
            && let Some((direction, tile)) = next.get(&at)
        {
            path.push(*direction);
            at = *tile;
        }
        path
    }
}

/// One of the eight directions of the map, numbered as on the wire (Freeciv's `direction8`).
///
/// Directions are relative to map positions. On an isometric map these differ from rows and columns: there, north leads
/// up and to the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(i8)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Direction8 {
    /// 0: x - 1, y - 1.
    Northwest = 0,
    /// 1: y - 1.
    North = 1,
    /// 2: x + 1, y - 1.
    Northeast = 2,
    /// 3: x - 1.
    West = 3,
    /// 4: x + 1.
    East = 4,
    /// 5: x - 1, y + 1.
    Southwest = 5,
    /// 6: y + 1.
    South = 6,
    /// 7: x + 1, y + 1.
    Southeast = 7,
}

use Direction8::{East, North, Northeast, Northwest, South, Southeast, Southwest, West};

impl Direction8 {
    /// All directions in the order of their numbers.
    pub const ALL: [Self; 8] = [Northwest, North, Northeast, West, East, Southwest, South, Southeast];

    /// Returns the direction with this number on the wire, or `None` for -1 and all unknown numbers.
    pub fn from_number(number: i8) -> Option<Self> {
        Self::ALL.get(usize::try_from(number).ok()?).copied()
    }

    /// Returns the number on the wire.
    #[must_use]
    pub const fn number(self) -> i8 {
        self as i8
    }

    /// Returns the offset of a step in map positions.
    #[must_use]
    pub const fn vector(self) -> (i32, i32) {
        match self {
            Northwest => (-1, -1),
            North => (0, -1),
            Northeast => (1, -1),
            West => (-1, 0),
            East => (1, 0),
            Southwest => (-1, 1),
            South => (0, 1),
            Southeast => (1, 1),
        }
    }

    /// Returns the opposite direction.
    #[must_use]
    pub fn opposite(self) -> Self {
        // The numbers follow the rows of the eight neighbors, so the numbers of opposite directions add up to 7.
        Self::from_number(7_i8.saturating_sub(self.number())).unwrap_or(self)
    }

    /// Returns whether the direction leads to a neighbor. On a hexagonal map, two directions do not.
    #[must_use]
    pub const fn is_valid(self, topology: Topology) -> bool {
        match self {
            Northeast | Southwest => !(topology.is_hexagonal && topology.is_isometric),
            Northwest | Southeast => !topology.is_hexagonal || topology.is_isometric,
            North | West | East | South => true,
        }
    }

    /// Returns whether the direction crosses an edge of the tile. On a hexagonal map all valid directions do.
    #[must_use]
    pub const fn is_cardinal(self, topology: Topology) -> bool {
        matches!(self, North | West | East | South) || topology.is_hexagonal && self.is_valid(topology)
    }
}
