use crate::grid::{Grid, bits};
use crate::number::{float, truncate};
use crate::rules::Rules;
use crate::vector::Vec2;

/// Maximum steps of one move. The games have no limit, and hang.
const MAX_STEPS: i32 = 1 << 17;

/// The result of moving a box.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct BoxMove {
    pub(crate) at: Vec2,
    pub(crate) velocity: Vec2,
    /// True if the box touched a deadly tile (0.7).
    pub(crate) is_dead: bool,
    /// True if an elastic floor was hit.
    pub(crate) is_grounded: bool,
}

impl Grid {
    /// Returns whether one of the corners of a box has the bit.
    fn test_box(&self, at: Vec2, size: f32, bit: u8) -> bool {
        let half = size * 0.5;
        let (left, right, top, bottom) = (at.x - half, at.x + half, at.y - half, at.y + half);
        self.bits_at(left, top) & bit != 0
            || self.bits_at(right, top) & bit != 0
            || self.bits_at(left, bottom) & bit != 0
            || self.bits_at(right, bottom) & bit != 0
    }

    /// Moves a box by a velocity in small steps. A wall sets the velocity toward it to 0, or reflects it by the elasticity.
    pub(crate) fn move_box(
        &self,
        rules: Rules,
        at: Vec2,
        velocity: Vec2,
        size: f32,
        elasticity: Vec2,
    ) -> BoxMove {
        let mut moved = BoxMove { at, velocity, ..BoxMove::default() };
        let distance = velocity.length();
        let last = truncate(distance).min(MAX_STEPS);
        if distance.is_nan() || f64::from(distance) <= 0.00001 {
            return moved;
        }
        let fraction = 1.0 / float(last.wrapping_add(1));
        // Far from walls, only the steps remain, because their sum is rounded at each.
        let is_free = !self.may_have(at, at + velocity, size, bits::SOLID | bits::DEATH);
        for _ in 0..=last {
            let BoxMove { at, velocity, .. } = moved;
            if rules.is_ddnet() && velocity == Vec2::ZERO {
                break;
            }
            let mut next = at + velocity * fraction;
            if rules.is_ddnet() && next == at {
                break;
            }
            if is_free {
                moved.at = next;
                continue;
            }
            if rules.is_07() && self.test_box(next, size * (2.0 / 3.0), bits::DEATH) {
                moved.is_dead = true;
            }
            if self.test_box(next, size, bits::SOLID) {
                let mut is_hit = false;
                if self.test_box(Vec2::new(at.x, next.y), size, bits::SOLID) {
                    if rules.is_ddnet() && elasticity.y > 0.0 && moved.velocity.y > 0.0 {
                        moved.is_grounded = true;
                    }
                    next.y = at.y;
                    moved.velocity.y *= -elasticity.y;
                    is_hit = true;
                }
                if self.test_box(Vec2::new(next.x, at.y), size, bits::SOLID) {
                    next.x = at.x;
                    moved.velocity.x *= -elasticity.x;
                    is_hit = true;
                }
                if !is_hit {
                    if rules.is_ddnet() && elasticity.y > 0.0 && moved.velocity.y > 0.0 {
                        moved.is_grounded = true;
                    }
                    next = at;
                    moved.velocity.x *= -elasticity.x;
                    moved.velocity.y *= -elasticity.y;
                }
            }
            moved.at = next;
        }
        moved
    }

    /// Moves a point of a laser. Returns the position and the direction, which a wall reflects.
    pub(crate) fn move_point(&self, at: Vec2, velocity: Vec2, elasticity: f32) -> (Vec2, Vec2) {
        let next = at + velocity;
        if !self.is_solid(next) {
            return (next, velocity);
        }
        let mut reflected = velocity;
        let mut is_hit = false;
        if self.is_solid(Vec2::new(next.x, at.y)) {
            reflected.x *= -elasticity;
            is_hit = true;
        }
        if self.is_solid(Vec2::new(at.x, next.y)) {
            reflected.y *= -elasticity;
            is_hit = true;
        }
        if !is_hit {
            reflected *= -elasticity;
        }
        (at, reflected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::GridLayers;
    use crate::tile::{MapTile, id};

    fn room(inside: u8) -> Grid {
        let tile = |index| MapTile { index, flags: 0 };
        let is_inside = |at: u32| (1..4).contains(&(at % 5)) && (1..4).contains(&(at / 5));
        let game = (0..25).map(|at| tile(if is_inside(at) { inside } else { id::SOLID })).collect();
        Grid::new(Rules::Teeworlds07, GridLayers { width: 5, height: 5, game, ..GridLayers::default() })
            .unwrap()
    }

    #[test]
    fn a_box_stops_at_a_wall_and_slides_along_it() {
        let moved = room(0).move_box(
            Rules::Teeworlds07,
            Vec2::new(80.0, 80.0),
            Vec2::new(100.0, 10.0),
            28.0,
            Vec2::ZERO,
        );
        assert!(moved.at.x > 112.0 && moved.at.x < 114.5, "{moved:?}");
        assert_eq!(moved.velocity, Vec2::new(-0.0, 10.0));
        assert!((moved.at.y - 90.0).abs() < 0.01);
    }

    #[test]
    fn a_deadly_tile_is_noticed_in_0_7_only() {
        let (at, velocity) = (Vec2::new(80.0, 80.0), Vec2::new(1.0, 0.0));
        let grid = room(id::DEATH);
        assert!(grid.move_box(Rules::Teeworlds07, at, velocity, 28.0, Vec2::ZERO).is_dead);
        assert!(!grid.move_box(Rules::Ddnet20, at, velocity, 28.0, Vec2::ZERO).is_dead);
    }

    #[test]
    fn p1_an_endless_velocity_ends() {
        let grid = room(0);
        for speed in [1e30, f32::INFINITY, f32::NAN] {
            grid.move_box(Rules::Teeworlds07, Vec2::new(80.0, 80.0), Vec2::new(speed, 1.0), 28.0, Vec2::ZERO);
        }
    }
}
