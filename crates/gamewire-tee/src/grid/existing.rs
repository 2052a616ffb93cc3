//! The rule for the tiles that DDNet handles when a tee passes them.

use super::Grid;
use crate::tile::{flags, id};

const fn is_handled(index: u8) -> bool {
    matches!(index, 9..=129 | 144 | 145)
}

/// Returns whether DDNet handles a tile: because of the tile itself, or because of a stopper next to it.
pub(crate) fn exists(grid: &Grid, index: usize) -> bool {
    let tele = grid.tele(index).id;
    let is_tele = matches!(
        tele,
        id::TELE_IN_EVIL | id::TELE_IN | id::TELE_CHECK | id::TELE_CHECK_IN | id::TELE_CHECK_IN_EVIL
    );
    is_handled(grid.game(index).index)
        || is_handled(grid.front(index).index)
        || is_tele
        || grid.speedup(index).force > 0
        || grid.door(index).index != 0
        || grid.switch(index).id != 0
        || grid.tune_zone(index) != 0
        || is_beside_stopper(grid, index)
}

fn is_beside_stopper(grid: &Grid, index: usize) -> bool {
    grid.neighbors(index).into_iter().filter_map(|(at, flag)| Some((at?, flag))).any(|(at, flag)| {
        let (game, front, door) = (grid.game(at), grid.front(at), grid.door(at));
        [(game.index, game.flags), (front.index, front.flags), (door.index, door.flags)].into_iter().any(
            |(index, flags)| match index {
                id::STOP_BOTH | id::STOP_ALL => true,
                id::STOP => flags & flags::ALL == flag,
                _ => false,
            },
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::GridLayers;
    use crate::rules::Rules;
    use crate::tile::MapTile;

    #[test]
    fn the_tile_beside_a_stopper_exists_if_the_stopper_points_to_it() {
        let tile = |index, flags| MapTile { index, flags };
        let game = vec![tile(0, 0), tile(id::STOP, flags::ROTATION_270), tile(0, 0)];
        let layers = GridLayers { width: 3, height: 1, game, ..GridLayers::default() };
        let grid = Grid::new(Rules::Ddnet20, layers).unwrap();
        let exists: Vec<bool> = (0..3).map(|index| exists(&grid, index)).collect();
        assert_eq!(exists, [true, true, false]);
    }
}
