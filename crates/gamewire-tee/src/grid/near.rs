//! Bits for the tiles around a stopper or a deadly tile: without the bit of its tile, a tee needs no test of sides and corners.

use super::{Grid, bits};
use crate::tile::id;

/// Sets the bits of all tiles that have a stopper or a deadly tile next to them.
pub(crate) fn mark(grid: &mut Grid) {
    for index in 0..grid.bits.len() {
        let is_deadly = grid.bits(index) & bits::DEATH != 0 || grid.front(index).index == id::DEATH;
        let mut near = if is_deadly { bits::NEAR_DEATH } else { 0 };
        if grid.bits(index) & bits::STOPPER != 0 {
            near |= bits::NEAR_STOPPER;
        }
        if near != 0 {
            mark_around(grid, index, near);
        }
    }
}

/// Sets bits of a tile and of the eight around it.
fn mark_around(grid: &mut Grid, index: usize, near: u8) {
    let [right, left, below, above] = grid.neighbors(index).map(|(at, _)| at);
    for row in [above, Some(index), below].into_iter().flatten() {
        let first = row.saturating_sub(usize::from(left.is_some()));
        let last = row.saturating_add(usize::from(right.is_some()));
        for bits in grid.bits.get_mut(first..=last).into_iter().flatten() {
            *bits |= near;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::GridLayers;
    use crate::rules::Rules;
    use crate::tile::MapTile;

    #[test]
    fn the_tiles_around_a_stopper_and_a_deadly_tile_are_marked() {
        let mut game = vec![MapTile::default(); 20];
        let mut front = game.clone();
        game[11] = MapTile { index: id::STOP_ALL, flags: 0 };
        front[4] = MapTile { index: id::DEATH, flags: 0 };
        let layers = GridLayers { width: 5, height: 4, game, front, ..GridLayers::default() };
        let grid = Grid::new(Rules::Ddnet20, layers).unwrap();
        let with = |bit| (0..20).filter(|index| grid.bits(*index) & bit != 0).collect::<Vec<_>>();
        assert_eq!(with(bits::NEAR_STOPPER), [5, 6, 7, 10, 11, 12, 15, 16, 17]);
        assert_eq!(with(bits::NEAR_DEATH), [3, 4, 8, 9]);
    }
}
