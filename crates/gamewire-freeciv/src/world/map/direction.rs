use super::geometry::Topology;

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
