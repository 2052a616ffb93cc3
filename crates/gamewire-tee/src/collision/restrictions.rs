use crate::grid::{Grid, bits};
use crate::tile::{flags, id};
use crate::vector::Vec2;

/// Directions in which a tee of DDNet cannot move, because of stoppers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Restrictions(u8);

/// Distance from the center of a tee to the tested positions on its four sides.
const REACH: f32 = 18.0;

impl Restrictions {
    /// No restriction.
    pub(crate) const NONE: Self = Self(0);
    const LEFT: u8 = 1;
    const RIGHT: u8 = 2;
    const UP: u8 = 4;
    const DOWN: u8 = 8;
    const ALL: u8 = 15;

    /// Returns the velocity without the parts that are not possible.
    pub(crate) fn clamp(self, velocity: Vec2) -> Vec2 {
        let mut result = velocity;
        if velocity.x > 0.0 && self.has(Self::RIGHT) || velocity.x < 0.0 && self.has(Self::LEFT) {
            result.x = 0.0;
        }
        if velocity.y > 0.0 && self.has(Self::DOWN) || velocity.y < 0.0 && self.has(Self::UP) {
            result.y = 0.0;
        }
        result
    }

    /// Returns whether a tee cannot fall.
    pub(crate) const fn has_floor(self) -> bool {
        self.has(Self::DOWN)
    }

    const fn has(self, direction: u8) -> bool {
        self.0 & direction != 0
    }

    /// Returns the directions that a stopper blocks.
    const fn of_tile(index: u8, rotation: u8) -> u8 {
        let rotation = rotation & flags::ALL;
        match (index, rotation) {
            (id::STOP, flags::ROTATION_0) => Self::DOWN,
            (id::STOP, flags::ROTATION_90) => Self::LEFT,
            (id::STOP, flags::ROTATION_180) => Self::UP,
            (id::STOP, flags::ROTATION_270) => Self::RIGHT,
            (id::STOP, 2) => Self::UP,
            (id::STOP, 10) => Self::RIGHT,
            (id::STOP, 1) => Self::DOWN,
            (id::STOP, 9) => Self::LEFT,
            (id::STOP_BOTH, _) if rotation & flags::ROTATE == 0 => Self::DOWN | Self::UP,
            (id::STOP_BOTH, _) => Self::LEFT | Self::RIGHT,
            (id::STOP_ALL, _) => Self::ALL,
            _ => 0,
        }
    }
}

impl Grid {
    /// Returns the restrictions of a tee at a position. `center` replaces the tile at the position itself.
    /// `is_switch_on` returns whether the door with a number blocks.
    pub(crate) fn restrictions(
        &self,
        at: Vec2,
        center: Option<usize>,
        is_switch_on: impl Fn(u8) -> bool,
    ) -> Restrictions {
        let is_near = self.bits_at(at.x, at.y) & bits::NEAR_STOPPER != 0;
        if !is_near && center.is_none_or(|center| self.bits(center) & bits::STOPPER == 0) {
            return Restrictions::NONE;
        }
        let positions = [
            (Vec2::ZERO, 0),
            (Vec2::new(REACH, 0.0), Restrictions::RIGHT),
            (Vec2::new(0.0, REACH), Restrictions::DOWN),
            (Vec2::new(-REACH, 0.0), Restrictions::LEFT),
            (Vec2::new(0.0, -REACH), Restrictions::UP),
        ];
        let mut blocked = 0;
        for (offset, mask) in positions {
            let index = match center {
                Some(center) if mask == 0 => center,
                _ => self.rounded_index(at + offset),
            };
            if self.bits(index) & bits::STOPPER == 0 {
                continue;
            }
            let (game, front, door) = (self.game(index), self.front(index), self.door(index));
            let door_index = if door.index != 0 && is_switch_on(door.number) { door.index } else { 0 };
            let tiles = [(game.index, game.flags), (front.index, front.flags), (door_index, door.flags)];
            for (tile, rotation) in tiles {
                let found = Restrictions::of_tile(tile, rotation);
                // At the center, only stoppers of one direction block, because the tee could not leave others.
                blocked |= if mask == 0 && tile == id::STOP { found } else { found & mask };
            }
        }
        Restrictions(blocked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::GridLayers;
    use crate::rules::Rules;
    use crate::tile::MapTile;

    fn row(index: u8, rotation: u8) -> Grid {
        let stopper = MapTile { index, flags: rotation };
        let game = vec![MapTile::default(), stopper, MapTile::default()];
        Grid::new(Rules::Ddnet20, GridLayers { width: 3, height: 1, game, ..GridLayers::default() }).unwrap()
    }

    #[test]
    fn a_stopper_blocks_the_way_onto_it() {
        let grid = row(id::STOP, flags::ROTATION_270);
        let on = |_: u8| true;
        let near = grid.restrictions(Vec2::new(20.0, 16.0), None, on);
        assert_eq!(near.clamp(Vec2::new(5.0, 5.0)), Vec2::new(0.0, 5.0));
        let far = grid.restrictions(Vec2::new(10.0, 16.0), None, on);
        assert_eq!(far.clamp(Vec2::new(5.0, 5.0)), Vec2::new(5.0, 5.0));
        let other_side = grid.restrictions(Vec2::new(72.0, 16.0), None, on);
        assert_eq!(other_side.clamp(Vec2::new(-5.0, 5.0)), Vec2::new(-5.0, 5.0));
        let inside = grid.restrictions(Vec2::new(48.0, 16.0), None, on);
        assert_eq!(inside.clamp(Vec2::new(5.0, 5.0)), Vec2::new(0.0, 5.0));
    }

    #[test]
    fn a_stopper_of_all_directions_does_not_hold_a_tee_inside() {
        let grid = row(id::STOP_ALL, 0);
        let inside = grid.restrictions(Vec2::new(48.0, 16.0), None, |_| true);
        assert_eq!(inside.clamp(Vec2::new(5.0, 0.0)), Vec2::new(5.0, 0.0));
    }
}
