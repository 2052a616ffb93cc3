use std::sync::Arc;

use super::field::Field;
use super::search;
use crate::core::Core;
use crate::game_map::GameMap;
use crate::input::TeeInput;
use crate::tuning::Tuning;
use crate::vector::Vec2;

/// A way through a map, tick by tick.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path {
    /// The input of each tick.
    pub inputs: Vec<TeeInput>,
    /// The position after each tick.
    pub positions: Vec<Vec2>,
}

/// The reason why no path was found.
#[derive(Clone, Debug, PartialEq)]
pub enum NoPath {
    /// No free tiles connect the start with the goal.
    NotConnected,
    /// The search ended before it reached the goal.
    GaveUp {
        /// The path to the position on the ground that is nearest to the goal along free tiles.
        nearest: Path,
        /// Distance from there to the goal along free tiles.
        distance: f32,
    },
}

/// A finder of paths to a goal on a map.
#[derive(Clone, Debug)]
pub struct PathFinder {
    map: Arc<GameMap>,
    tuning: Tuning,
    field: Field,
}

impl PathFinder {
    /// Creates a path finder. A path ends in the tile of one of the goals. `tuning` has the tunings of the server.
    #[must_use]
    pub fn new(map: Arc<GameMap>, tuning: Tuning, goals: impl IntoIterator<Item = Vec2>) -> Self {
        let field = Field::new(map.grid(), goals);
        Self { map, tuning, field }
    }

    /// Returns the distance from a position to the goal along free tiles, or `None` if none connect them. A tile that
    /// freezes counts four times.
    #[must_use]
    pub fn distance(&self, from: Vec2) -> Option<f32> {
        self.field.distance(self.map.grid(), from)
    }

    /// Searches a path from the state of a tee. `max_states` limits the search: each state takes about half a kilobyte of
    /// memory and a tenth of a millisecond.
    ///
    /// # Errors
    /// [`NoPath`] if there is no path or the limit is reached.
    pub fn find(&self, start: &Core, max_states: usize) -> Result<Path, NoPath> {
        search::find(&self.map, &self.tuning, &self.field, start, max_states)
    }
}
