//! Speedups.

use crate::elementary::{PI, atanf, cosf, logarithm, sinf};
use crate::number::{float, truncate, truncate_double};
use crate::rules::Rules;
use crate::tile::{SpeedupTile, id};
use crate::tuning::Tuning;
use crate::vector::Vec2;

/// Smallest part of a direction that counts.
const MIN_PART: f32 = 0.000_000_1;

/// Returns the velocity of a tee on a speedup, before stoppers. The flag is true if stoppers apply.
pub(super) fn apply(rules: Rules, tuning: &Tuning, tile: SpeedupTile, velocity: Vec2) -> (Vec2, bool) {
    let angle = float(tile.angle.into()) * (PI / 180.0);
    let direction = Vec2::new(cosf(angle), sinf(angle));
    let (force, max_speed) = (i32::from(tile.force), i32::from(tile.max_speed));
    if tile.id == id::SPEEDUP_NEW && rules == Rules::Ddnet20 {
        return (new_kind(tuning, direction, force, max_speed, velocity), true);
    }
    if force == 255 && max_speed != 0 {
        return (direction * float(max_speed / 5), false);
    }
    (old_kind(direction, force, max_speed, velocity), true)
}

fn old_kind(direction: Vec2, force: i32, max_speed: i32, velocity: Vec2) -> Vec2 {
    if max_speed == 0 {
        return velocity + direction * float(force);
    }
    let max_speed = max_speed.max(5);
    let speed_angle = way(direction) - way(velocity);
    let squared = velocity.x * velocity.x + velocity.y * velocity.y;
    let speed = f64::from(squared).sqrt() as f32;
    let left = float(max_speed) / 5.0 - cosf(speed_angle) * speed;
    // The absolute value of the smallest integer, which NaN becomes, is negative in the game.
    let step = if truncate(left).wrapping_abs() > force {
        if left > MIN_PART { float(force) } else { -float(force) }
    } else {
        left
    };
    velocity + direction * step
}

/// Returns the angle of a vector as the game computes it, from 0 to a whole turn.
fn way(of: Vec2) -> f32 {
    let angle = if of.x > MIN_PART {
        -atanf(of.y / of.x)
    } else if of.x < MIN_PART {
        atanf(of.y / of.x) + PI
    } else if of.y > 0.0 {
        PI / 2.0
    } else {
        -PI / 2.0
    };
    if angle < 0.0 { 2.0 * PI + angle } else { angle }
}

fn new_kind(tuning: &Tuning, direction: Vec2, force: i32, max_speed: i32, velocity: Vec2) -> Vec2 {
    let max_speed = if max_speed == 0 {
        let curvature = f64::from(tuning.velramp_curvature.max(1.01));
        let ramp = f64::from(tuning.velramp_range) / (50.0 * logarithm(curvature));
        truncate_double(ramp.max(f64::from(tuning.velramp_start / 50.0)) * 5.0)
    } else {
        max_speed
    };
    let along = direction.dot(velocity);
    let max = float(max_speed) / 5.0;
    let step = if along + float(force) > max { max - along } else { float(force) };
    velocity + direction * step
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_speedup_without_a_limit_adds_its_force() {
        let tile = SpeedupTile { force: 4, max_speed: 0, id: 28, angle: 0 };
        let tuning = Tuning::new(Rules::Ddnet20);
        let (velocity, _) = apply(Rules::Ddnet20, &tuning, tile, Vec2::new(1.0, 2.0));
        assert_eq!(velocity, Vec2::new(5.0, 2.0));
    }

    #[test]
    fn the_new_kind_stops_at_its_limit() {
        let tile = SpeedupTile { force: 10, max_speed: 50, id: id::SPEEDUP_NEW, angle: 0 };
        let tuning = Tuning::new(Rules::Ddnet20);
        let (velocity, _) = apply(Rules::Ddnet20, &tuning, tile, Vec2::new(4.0, 2.0));
        assert_eq!(velocity, Vec2::new(10.0, 2.0));
    }
}
