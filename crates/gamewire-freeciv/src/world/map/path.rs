use std::collections::{BTreeMap, VecDeque};

use super::direction::Direction8;
use super::geometry::MapGeometry;

impl MapGeometry {
    /// Returns a shortest path between two tiles over tiles for which `is_open` returns true. It is not called for
    /// the first and last tile. `None` if there is no path.
    #[must_use]
    pub fn path(&self, from: i32, to: i32, is_open: impl Fn(i32) -> bool) -> Option<Vec<Direction8>> {
        if !self.contains(from) || !self.contains(to) {
            return None;
        }
        // Search backwards, so that the steps come out in order.
        let mut next: BTreeMap<i32, (Direction8, i32)> = BTreeMap::new();
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

    fn collect_steps(&self, from: i32, to: i32, next: &BTreeMap<i32, (Direction8, i32)>) -> Vec<Direction8> {
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
