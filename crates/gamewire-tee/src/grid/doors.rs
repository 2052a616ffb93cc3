//! Doors of DDNet: stoppers that a switch opens.

use super::Grid;
use crate::tile::{Door, id};

/// Entity of a door's center.
const DOOR: u8 = id::ENTITY_OFFSET + 49;
/// Entities next to the center, for beams of 3, 6 and 9 tiles.
const BEAMS: [(u8, i32); 3] =
    [(id::ENTITY_OFFSET + 19, 3), (id::ENTITY_OFFSET + 20, 6), (id::ENTITY_OFFSET + 21, 9)];

/// Puts the stoppers of all doors on the grid.
pub(crate) fn close(grid: &mut Grid) {
    let width = grid.width();
    let mut closed = Vec::new();
    for y in 0..grid.height() {
        for x in 0..width {
            let Some(center) = index(grid, x, y) else { continue };
            let is_door = grid.game(center).index == DOOR || grid.front(center).index == DOOR;
            let switch = grid.switch(center);
            if is_door || switch.id == DOOR {
                let number = if switch.id == DOOR { switch.number } else { 0 };
                beams(grid, x, y, number, switch.id == DOOR, &mut closed);
            }
        }
    }
    for (index, door) in closed {
        grid.set_door(index, door);
    }
}

/// Returns the tiles of the beams of the door at a tile.
fn beams(grid: &Grid, x: i32, y: i32, number: u8, is_switch: bool, closed: &mut Vec<(usize, Door)>) {
    for (right, down) in DIRECTIONS {
        let beside = index(grid, x.wrapping_add(right), y.wrapping_add(down));
        let found = |entity: u8| {
            beside.is_some_and(|beside| {
                if is_switch {
                    grid.switch(beside).id == entity
                } else {
                    grid.game(beside).index == entity || grid.front(beside).index == entity
                }
            })
        };
        let Some((_, length)) = BEAMS.into_iter().find(|(entity, _)| found(*entity)) else { continue };
        // The beam ends before a solid tile.
        for step in 0..=length {
            let at = index(
                grid,
                x.wrapping_add(right.wrapping_mul(step)),
                y.wrapping_add(down.wrapping_mul(step)),
            );
            let Some(at) = at else { break };
            if matches!(grid.game(at).index, id::SOLID | id::NO_HOOK) {
                break;
            }
            closed.push((at, Door { index: id::STOP_ALL, flags: 0, number }));
        }
    }
}

const DIRECTIONS: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

fn index(grid: &Grid, x: i32, y: i32) -> Option<usize> {
    let is_inside = (0..grid.width()).contains(&x) && (0..grid.height()).contains(&y);
    let index = y.wrapping_mul(grid.width()).wrapping_add(x);
    if is_inside { usize::try_from(index).ok() } else { None }
}
