use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::grid::{Grid, bits};
use crate::tile::id;
use crate::vector::Vec2;

/// Distance of a tile that is not connected to the goal.
const FAR: u32 = u32::MAX;
/// Steps to the eight tiles around a tile, with their lengths in units of a position.
const STEPS: [(i32, i32, u32); 8] =
    [(1, 0, 32), (-1, 0, 32), (0, 1, 32), (0, -1, 32), (1, 1, 45), (1, -1, 45), (-1, 1, 45), (-1, -1, 45)];

/// Factor of the length of tiles that freeze, so that a way around them is preferred.
const FREEZE_FACTOR: u32 = 4;

/// The distance of each tile to the goal along free tiles, without regard to gravity.
#[derive(Clone, Debug)]
pub(super) struct Field {
    distances: Vec<u32>,
}

impl Field {
    pub(super) fn new(grid: &Grid, goals: impl IntoIterator<Item = Vec2>) -> Self {
        let count = grid.layers().game.len();
        let mut distances = vec![FAR; count];
        let mut queue = BinaryHeap::new();
        for goal in goals {
            queue.push((Reverse(0), grid.rounded_index(goal)));
        }
        while let Some((Reverse(distance), index)) = queue.pop() {
            let Some(known) = distances.get_mut(index).filter(|known| distance < **known) else { continue };
            *known = distance;
            for (right, down, length) in STEPS {
                if let Some(next) = step(grid, index, right, down) {
                    let length =
                        if is_freezing(grid, index) { length.saturating_mul(FREEZE_FACTOR) } else { length };
                    queue.push((Reverse(distance.saturating_add(length)), next));
                }
            }
            let tele = grid.tele(index);
            if tele.id == id::TELE_OUT && tele.number > 0 {
                let entrances = grid.layers().tele.iter().enumerate();
                queue.extend(entrances.filter_map(|(entrance, tile)| {
                    let leads_here =
                        matches!(tile.id, id::TELE_IN | id::TELE_IN_EVIL) && tile.number == tele.number;
                    leads_here.then_some((Reverse(distance), entrance))
                }));
            }
        }
        Self { distances }
    }

    /// Returns the distance from a position to the goal.
    pub(super) fn distance(&self, grid: &Grid, from: Vec2) -> Option<f32> {
        let index = grid.rounded_index(from);
        let own = self.distances.get(index).copied().filter(|own| *own != FAR)?;
        // The way leads through one of the tiles around, so that the distance changes inside a tile, too.
        let around = STEPS.iter().filter_map(|(right, down, _)| {
            let next = step(grid, index, *right, *down)?;
            let rest = self.distances.get(next).copied().filter(|rest| *rest < own)?;
            Some(rest as f32 + grid.center(next).distance(from))
        });
        Some(around.fold(own as f32 + grid.center(index).distance(from), f32::min))
    }
}

/// Returns the tile next to a tile, if a tee can move there.
fn step(grid: &Grid, index: usize, right: i32, down: i32) -> Option<usize> {
    let width = usize::try_from(grid.width()).ok()?;
    let column = i32::try_from(index.checked_rem(width)?).ok()?;
    let row = i32::try_from(index.checked_div(width)?).ok()?;
    let free = |right: i32, down: i32| {
        let (column, row) = (column.wrapping_add(right), row.wrapping_add(down));
        let is_inside = (0..grid.width()).contains(&column) && (0..grid.height()).contains(&row);
        let index = usize::try_from(row.wrapping_mul(grid.width()).wrapping_add(column)).ok()?;
        (is_inside && is_free(grid, index)).then_some(index)
    };
    // A tee does not pass between two corners.
    if right != 0 && down != 0 {
        free(right, 0)?;
        free(0, down)?;
    }
    free(right, down)
}

fn is_free(grid: &Grid, index: usize) -> bool {
    grid.bits(index) & (bits::SOLID | bits::DEATH) == 0 && grid.front(index).index != id::DEATH
}

fn is_freezing(grid: &Grid, index: usize) -> bool {
    [grid.game(index), grid.front(index)]
        .iter()
        .any(|tile| matches!(tile.index, id::FREEZE | id::DEEP_FREEZE | id::LIVE_FREEZE))
}
