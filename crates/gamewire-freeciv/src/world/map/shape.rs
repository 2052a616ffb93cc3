use thiserror::Error;

use super::direction::Direction8;
use super::topology::Topology;

/// The size of a map and how its tiles lie.
///
/// A tile has a number, `x + y * xsize` by its column and row. Directions and distances are those
/// of *map positions*: the same pair on a map that is not isometric, else turned by 45 degrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MapGeometry {
    xsize: i32,
    ysize: i32,
    topology: Topology,
}

/// A size that no map of the game has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a map of {xsize} by {ysize} tiles")]
pub struct BadMapSize {
    /// The number of columns.
    pub xsize: u16,
    /// The number of rows.
    pub ysize: u16,
}

impl MapGeometry {
    /// No map of the game has more tiles.
    pub const MAX_TILES: i32 = 2_048_000;

    /// A map with so many columns and rows.
    ///
    /// # Errors
    /// It has no tile, or more than [`MAX_TILES`](Self::MAX_TILES).
    pub fn new(xsize: u16, ysize: u16, topology: Topology) -> Result<Self, BadMapSize> {
        let is_small =
            i32::from(xsize).checked_mul(i32::from(ysize)).is_some_and(|tiles| tiles <= Self::MAX_TILES);
        if xsize == 0 || ysize == 0 || !is_small {
            return Err(BadMapSize { xsize, ysize });
        }
        Ok(Self { xsize: i32::from(xsize), ysize: i32::from(ysize), topology })
    }

    /// The number of columns.
    #[must_use]
    pub const fn xsize(&self) -> i32 {
        self.xsize
    }

    /// The number of rows.
    #[must_use]
    pub const fn ysize(&self) -> i32 {
        self.ysize
    }

    /// How tiles join.
    #[must_use]
    pub const fn topology(&self) -> Topology {
        self.topology
    }
}

#[allow(
    clippy::arithmetic_side_effects,
    reason = "sizes are at most MAX_TILES, coordinates a few times that"
)]
impl MapGeometry {
    /// How many tiles there are.
    #[must_use]
    pub const fn tiles(&self) -> i32 {
        self.xsize * self.ysize
    }

    /// Whether a number is that of a tile.
    #[must_use]
    pub const fn contains(&self, tile: i32) -> bool {
        0 <= tile && tile < self.tiles()
    }

    /// The tile in a column and a row.
    #[must_use]
    pub const fn tile(&self, x: i32, y: i32) -> Option<i32> {
        if 0 <= x && x < self.xsize && 0 <= y && y < self.ysize { Some(x + y * self.xsize) } else { None }
    }

    /// The column and the row of a tile.
    #[must_use]
    pub const fn column_and_row(&self, tile: i32) -> Option<(i32, i32)> {
        if self.contains(tile) { Some((tile % self.xsize, tile / self.xsize)) } else { None }
    }

    /// The map position of a tile.
    #[must_use]
    pub fn map_position(&self, tile: i32) -> Option<(i32, i32)> {
        self.column_and_row(tile).map(|(x, y)| self.map_position_of(x, y))
    }

    /// The tile at a map position, around the edges that meet.
    #[must_use]
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

    /// The neighbour in a direction, if there is one.
    #[must_use]
    pub fn step(&self, tile: i32, direction: Direction8) -> Option<i32> {
        if !direction.is_valid(self.topology) {
            return None;
        }
        let ((x, y), (dx, dy)) = (self.map_position(tile)?, direction.vector());
        self.at_map_position(x + dx, y + dy)
    }

    /// The neighbours of a tile and where they lie.
    pub fn neighbours(self, tile: i32) -> impl Iterator<Item = (Direction8, i32)> {
        Direction8::ALL
            .into_iter()
            .filter_map(move |direction| Some((direction, self.step(tile, direction)?)))
    }

    /// The direction from a tile to a neighbour.
    #[must_use]
    pub fn direction_to(&self, from: i32, to: i32) -> Option<Direction8> {
        self.neighbours(from).find(|(_, tile)| *tile == to).map(|(direction, _)| direction)
    }

    /// How many steps one tile is from another, whatever lies between.
    #[must_use]
    pub fn distance(&self, from: i32, to: i32) -> Option<i32> {
        self.vectors(from, to)?.map(|vector| self.steps(vector)).min()
    }

    /// The square of the distance, as radii of cities and of sight are measured. On a map with
    /// eight neighbours a diagonal step counts as its length.
    #[must_use]
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

    /// The tiles whose square distance is at most this, the one in the middle included.
    pub fn within(self, middle: i32, square_radius: u16) -> impl Iterator<Item = i32> {
        let reach = i32::from(square_radius.isqrt()) + 1;
        let centre = self.map_position(middle);
        let around = (-reach..=reach).flat_map(move |dx| (-reach..=reach).map(move |dy| (dx, dy)));
        let mut seen: Vec<i32> = around
            .filter_map(|(dx, dy)| centre.and_then(|(x, y)| self.at_map_position(x + dx, y + dy)))
            .filter(|tile| self.square_distance(middle, *tile) <= Some(i64::from(square_radius)))
            .collect();
        seen.sort_unstable();
        seen.dedup();
        seen.into_iter()
    }

    /// The ways from one tile to another in map positions: one, or several around the edges.
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

    /// How many steps a vector takes.
    const fn steps(&self, (x, y): (i32, i32)) -> i32 {
        let (long, short) = if x.abs() > y.abs() { (x.abs(), y.abs()) } else { (y.abs(), x.abs()) };
        // Of a hexagonal map one of the two diagonals is two steps.
        let is_same_sign = (x < 0) == (y < 0);
        let is_long_way = self.topology.is_hexagonal && is_same_sign != self.topology.is_isometric;
        if is_long_way && short > 0 { long + short } else { long }
    }

    const fn map_position_of(self, x: i32, y: i32) -> (i32, i32) {
        if !self.topology.is_isometric {
            return (x, y);
        }
        // Two rows down are one tile south and one east; the even row before is half of it.
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
