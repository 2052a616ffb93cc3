use std::collections::{BTreeMap, VecDeque};

use super::direction::Direction8;
use super::shape::MapGeometry;

impl MapGeometry {
    /// A way of the fewest steps from one tile to another over tiles that `is_open`; whether the
    /// last one is open does not matter. `None` if there is no way.
    #[must_use]
    pub fn path(&self, from: i32, to: i32, is_open: impl Fn(i32) -> bool) -> Option<Vec<Direction8>> {
        if !self.contains(from) || !self.contains(to) {
            return None;
        }
        // Backwards, so that the way reads forwards.
        let mut next: BTreeMap<i32, (Direction8, i32)> = BTreeMap::new();
        let mut edge = VecDeque::from([to]);
        while let Some(tile) = edge.pop_front() {
            if tile == from {
                return Some(self.follow(from, to, &next));
            }
            for (direction, neighbour) in self.neighbours(tile) {
                let is_new = neighbour != to && !next.contains_key(&neighbour);
                if is_new && (neighbour == from || is_open(neighbour)) {
                    next.insert(neighbour, (direction.opposite(), tile));
                    edge.push_back(neighbour);
                }
            }
        }
        None
    }

    fn follow(&self, from: i32, to: i32, next: &BTreeMap<i32, (Direction8, i32)>) -> Vec<Direction8> {
        let mut way = Vec::new();
        let mut at = from;
        while at != to
            && let Some((direction, tile)) = next.get(&at)
        {
            way.push(*direction);
            at = *tile;
        }
        way
    }
}
