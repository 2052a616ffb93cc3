use super::state::{Core, CoreContext};
use crate::elementary::powf;
use crate::number::{float, truncate};
use crate::rules::{Rules, TEE_SIZE};
use crate::tuning::Tuning;
use crate::vector::Vec2;

/// Maximum tested positions of a move.
const MAX_STEPS: i32 = 1 << 17;

impl Core {
    /// Moves the tee by its velocity, up to a wall or another tee. `others` are the tees by their id.
    pub fn advance(&mut self, context: &CoreContext<'_>, id: usize, others: &[Option<Self>]) {
        let CoreContext { rules, grid, tuning, .. } = *context;
        let is_ddnet = rules.is_ddnet();
        let ramp = velocity_ramp(tuning, self.velocity.length() * 50.0);
        self.velocity.x *= ramp;
        let before = self.velocity.x;
        let moved = grid.move_box(rules, self.at, self.velocity, TEE_SIZE, context.elasticity());
        self.velocity = moved.velocity;
        self.is_dead = moved.is_dead;
        if is_ddnet {
            if moved.is_grounded {
                self.jumped &= !2;
                self.ddnet.jumped_total = 0;
            }
            self.touch_wall(before);
        }
        self.velocity.x *= 1.0 / ramp;
        let can_collide = !is_ddnet || !(self.ddnet.is_collision_disabled || self.ddnet.is_solo);
        let stop = if tuning.player_collision != 0.0 && can_collide {
            self.stop_at_players(rules, id, others, moved.at)
        } else {
            None
        };
        self.at = stop.unwrap_or(moved.at);
    }

    /// Remembers the wall that the tee touches, for wall jumps.
    fn touch_wall(&mut self, before: f32) {
        self.ddnet.colliding = 0;
        // The constants of the game are floats here.
        if self.velocity.x < 0.001 && self.velocity.x > -0.001 {
            if before > 0.0 {
                self.ddnet.colliding = 1;
            } else if before < 0.0 {
                self.ddnet.colliding = 2;
            }
        } else {
            self.ddnet.left_wall = true;
        }
    }

    /// Returns the position at which another tee stops a move to `to`. `None` if none does.
    fn stop_at_players(&self, rules: Rules, id: usize, others: &[Option<Self>], to: Vec2) -> Option<Vec2> {
        let is_ddnet = rules.is_ddnet();
        let distance = self.at.distance(to);
        // For a move of length 0, the games divide by 0: the position is not a number, and no tee is near it.
        if distance.is_nan() || distance <= 0.0 || !self.has_neighbor(id, others, distance) {
            return None;
        }
        let end = truncate(distance + 1.0).min(MAX_STEPS);
        let mut last = self.at;
        for step in 0..end {
            let amount = float(step) / distance;
            let at = self.at.mix(to, amount);
            for (other_id, other) in others.iter().enumerate() {
                let Some(other) = other.as_ref().filter(|_| other_id != id) else { continue };
                let is_apart = other.ddnet.is_solo
                    || other.ddnet.is_collision_disabled
                    || other.ddnet.team != self.ddnet.team;
                if is_ddnet && is_apart {
                    continue;
                }
                let gap = at.distance(other.at);
                let is_hit = gap < TEE_SIZE && (rules != Rules::Teeworlds06 || gap > 0.0);
                if is_hit {
                    if amount > 0.0 {
                        return Some(last);
                    }
                    return Some(if to.distance(other.at) > gap { to } else { self.at });
                }
            }
            last = at;
        }
        None
    }

    /// Returns whether another tee may be in the way of a move.
    fn has_neighbor(&self, id: usize, others: &[Option<Self>], distance: f32) -> bool {
        let reach = distance + TEE_SIZE + 2.0;
        others.iter().enumerate().any(|(other_id, other)| {
            other.as_ref().is_some_and(|other| {
                other_id != id
                    && (other.at.x - self.at.x).abs() <= reach
                    && (other.at.y - self.at.y).abs() <= reach
            })
        })
    }
}

/// Returns the factor of the horizontal speed at a speed per second.
fn velocity_ramp(tuning: &Tuning, speed: f32) -> f32 {
    if speed < tuning.velramp_start {
        return 1.0;
    }
    1.0 / powf(tuning.velramp_curvature, (speed - tuning.velramp_start) / tuning.velramp_range)
}
