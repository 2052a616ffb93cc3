use crate::grid::{Grid, bits};
use crate::number::{float, round, truncate};
use crate::rules::Rules;
use crate::tile::{flags, id};
use crate::vector::Vec2;

/// Maximum samples of a line. The games have no limit, and hang.
const MAX_SAMPLES: i32 = 1 << 20;

/// The first solid position on a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LineHit {
    /// The position in the solid tile.
    pub at: Vec2,
    /// The last sampled position before it.
    pub before: Vec2,
    /// True if the hook does not hold on the tile.
    pub is_unhookable: bool,
}

/// The first special position on the line of a hook in DDNet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum HookLineHit {
    Ground(Vec2),
    Unhookable(Vec2),
    /// A teleporter for hooks with a number.
    Teleporter(Vec2, u8),
}

impl Grid {
    /// Returns the first solid position from `from` to `to`.
    #[must_use]
    pub fn intersect_line(&self, rules: Rules, from: Vec2, to: Vec2) -> Option<LineHit> {
        if rules != Rules::Teeworlds06 && !self.may_have(from, to, 0.0, bits::SOLID) {
            return None;
        }
        let mut before = from;
        for at in samples(rules, from, to) {
            let found = self.bits_at(at.x, at.y);
            if found & bits::SOLID != 0 {
                return Some(LineHit { at, before, is_unhookable: found & bits::NO_HOOK != 0 });
            }
            before = at;
        }
        None
    }

    /// Returns the first position at which a hook of DDNet stops or passes a teleporter.
    pub(crate) fn intersect_hook_line(&self, rules: Rules, from: Vec2, to: Vec2) -> Option<HookLineHit> {
        if !self.may_have(from, to, 0.0, bits::SOLID | bits::HOOK) {
            return None;
        }
        let offset = through_offset(from, to);
        for at in samples(rules, from, to) {
            let (x, y) = (round(at.x), round(at.y));
            let index = self.index_at(x, y);
            let tele = self.tele(index);
            if tele.id == id::TELE_IN_HOOK && tele.number > 0 {
                return Some(HookLineHit::Teleporter(at, tele.number));
            }
            let found = self.bits(index);
            if found & bits::SOLID != 0 {
                let back = self.index_at(x.wrapping_add(offset.0), y.wrapping_add(offset.1));
                if !self.is_through(index, back, from, to) {
                    let is_unhookable = found & bits::NO_HOOK != 0;
                    let hit = if is_unhookable { HookLineHit::Unhookable } else { HookLineHit::Ground };
                    return Some(hit(at));
                }
            } else if self.is_hook_blocker(index, from, to) {
                return Some(HookLineHit::Unhookable(at));
            }
        }
        None
    }

    /// Returns whether a hook passes a solid tile. `back` is the tile before it.
    fn is_through(&self, index: usize, back: usize, from: Vec2, to: Vec2) -> bool {
        let front = self.front(index);
        if matches!(front.index, id::THROUGH_ALL | id::THROUGH_CUT) {
            return true;
        }
        if front.index == id::THROUGH_DIR && is_along(front.flags, from, to) {
            return true;
        }
        self.game(back).index == id::THROUGH || self.front(back).index == id::THROUGH
    }

    fn is_hook_blocker(&self, index: usize, from: Vec2, to: Vec2) -> bool {
        [self.game(index), self.front(index)].into_iter().any(|tile| match tile.index {
            id::THROUGH_ALL => true,
            id::THROUGH_DIR => is_along(tile.flags, to, from),
            _ => false,
        })
    }
}

/// Returns whether a line goes in the direction of a hook-through tile.
fn is_along(rotation: u8, from: Vec2, to: Vec2) -> bool {
    match rotation {
        flags::ROTATION_0 => from.y > to.y,
        flags::ROTATION_90 => from.x < to.x,
        flags::ROTATION_180 => from.y < to.y,
        flags::ROTATION_270 => from.x > to.x,
        _ => false,
    }
}

/// Returns the way back by one tile along the larger part of a line.
fn through_offset(from: Vec2, to: Vec2) -> (i32, i32) {
    let back = from - to;
    if back.x.abs() > back.y.abs() {
        (if back.x < 0.0 { -32 } else { 32 }, 0)
    } else {
        (0, if back.y < 0.0 { -32 } else { 32 })
    }
}

/// Returns the positions of a line at which the games test the tiles.
fn samples(rules: Rules, from: Vec2, to: Vec2) -> impl Iterator<Item = Vec2> {
    let distance = from.distance(to);
    let steps = truncate(distance + 1.0).min(MAX_SAMPLES);
    let is_old = rules == Rules::Teeworlds06;
    // 0.6 does not test the end, and divides by the distance.
    let (count, divisor) = if is_old { (steps, distance) } else { (steps.wrapping_add(1), float(steps)) };
    (0..count).map(move |step| from.mix(to, float(step) / divisor))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::GridLayers;
    use crate::tile::MapTile;

    /// Returns a row of tiles.
    fn row(rules: Rules, tiles: &[u8]) -> Grid {
        let game: Vec<MapTile> = tiles.iter().map(|index| MapTile { index: *index, flags: 0 }).collect();
        let width = u32::try_from(game.len()).unwrap();
        Grid::new(rules, GridLayers { width, height: 1, game, ..GridLayers::default() }).unwrap()
    }

    #[test]
    fn a_line_ends_at_the_first_solid_position() {
        let grid = row(Rules::Teeworlds07, &[0, 0, 3]);
        let hit =
            grid.intersect_line(Rules::Teeworlds07, Vec2::new(0.0, 16.0), Vec2::new(90.0, 16.0)).unwrap();
        assert!(hit.at.x > 63.4 && hit.before.x < 63.6 && hit.is_unhookable, "{hit:?}");
        assert_eq!(grid.intersect_line(Rules::Teeworlds07, Vec2::ZERO, Vec2::new(63.0, 0.0)), None);
    }

    #[test]
    fn the_end_of_a_line_is_not_tested_in_0_6() {
        let grid = row(Rules::Teeworlds07, &[0, 1]);
        let (from, to) = (Vec2::new(30.0, 0.0), Vec2::new(31.5, 0.0));
        assert!(grid.intersect_line(Rules::Teeworlds07, from, to).is_some());
        assert!(grid.intersect_line(Rules::Teeworlds06, from, to).is_none());
    }

    #[test]
    fn a_hook_passes_a_wall_that_has_a_way_through_in_front() {
        let grid = row(Rules::Ddnet20, &[0, id::THROUGH, 1, 0, 1]);
        let (from, to) = (Vec2::new(10.0, 16.0), Vec2::new(150.0, 16.0));
        let hit = grid.intersect_hook_line(Rules::Ddnet20, from, to).unwrap();
        assert!(matches!(hit, HookLineHit::Ground(at) if at.x > 127.0), "{hit:?}");
        let back = grid.intersect_hook_line(Rules::Ddnet20, Vec2::new(110.0, 16.0), from).unwrap();
        assert!(matches!(back, HookLineHit::Ground(at) if at.x > 90.0), "{back:?}");
    }
}
