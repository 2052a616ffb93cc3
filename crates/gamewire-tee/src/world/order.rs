use super::state::World;

impl World {
    /// Sets the order in which tees tick. Ids that are missing keep their order, after the others.
    pub fn set_order(&mut self, ids: impl IntoIterator<Item = usize>) {
        let mut sorted = 0_usize;
        for id in ids {
            let found = self.order.iter().skip(sorted).position(|other| usize::from(*other) == id);
            if let Some(offset) = found {
                let at = sorted.saturating_add(offset);
                if let Some(range) = self.order.get_mut(sorted..=at) {
                    range.rotate_right(1);
                }
                sorted = sorted.saturating_add(1);
            }
        }
    }

    /// Calls `visit` for each tee in the order of ticks. Tees that disappear meanwhile are left out.
    pub(super) fn for_each_tee(&mut self, mut visit: impl FnMut(&mut Self, usize)) {
        let mut at = 0_usize;
        while let Some(id) = self.order.get(at).copied() {
            visit(self, usize::from(id));
            // A tee that died is not in the order any more.
            if self.order.get(at) == Some(&id) {
                at = at.saturating_add(1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::grid::{Grid, GridLayers};
    use crate::rules::Rules;
    use crate::tile::MapTile;
    use crate::vector::Vec2;

    #[test]
    fn the_last_tee_that_spawned_is_the_first() {
        let layers =
            GridLayers { width: 1, height: 1, game: vec![MapTile::default()], ..GridLayers::default() };
        let grid = Grid::new(Rules::Teeworlds07, layers).unwrap();
        let mut world = World::new(Rules::Teeworlds07, Arc::new(grid));
        (0..4).for_each(|id| world.spawn(id, Vec2::ZERO));
        assert_eq!(world.ids().collect::<Vec<_>>(), [3, 2, 1, 0]);
        world.set_order([0, 2]);
        assert_eq!(world.ids().collect::<Vec<_>>(), [0, 2, 3, 1]);
        let mut seen = Vec::new();
        world.for_each_tee(|world, id| {
            seen.push(id);
            world.remove(if id == 2 { 2 } else { 9 });
        });
        assert_eq!(seen, [0, 2, 3, 1]);
        assert_eq!(world.ids().collect::<Vec<_>>(), [0, 3, 1]);
    }
}
