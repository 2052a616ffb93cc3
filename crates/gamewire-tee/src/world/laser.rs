use super::entity::{Laser, MAX_ENTITIES};
use super::state::World;
use crate::number::float;
use crate::rules::Rules;
use crate::vector::Vec2;

impl World {
    pub(super) fn add_laser(&mut self, owner: usize, at: Vec2, direction: Vec2, is_shotgun: bool) {
        let mut laser = Laser {
            owner,
            at,
            from: at,
            direction,
            energy: self.tuning_of(owner).laser_reach,
            bounce_tick: 0,
            bounces: 0,
            is_shotgun,
        };
        self.bounce(&mut laser);
        if self.lasers.len() >= MAX_ENTITIES {
            self.lasers.pop();
        }
        self.lasers.insert(0, laser);
    }

    pub(super) fn tick_lasers(&mut self) {
        let mut index = 0_usize;
        while let Some(mut laser) = self.lasers.get(index).copied() {
            let delay = self.tuning_of(laser.owner).laser_bounce_delay;
            let passed = self.tick.wrapping_sub(laser.bounce_tick);
            let is_due = if self.rules == Rules::Teeworlds06 {
                float(self.tick) > float(laser.bounce_tick) + 50.0 * delay / 1000.0
            } else {
                float(passed) > 50.0 * delay / 1000.0
            };
            if is_due {
                if laser.energy < 0.0 {
                    self.lasers.remove(index);
                    continue;
                }
                self.bounce(&mut laser);
                if let Some(slot) = self.lasers.get_mut(index) {
                    *slot = laser;
                }
            }
            index = index.saturating_add(1);
        }
    }

    /// Sends a beam to the next wall or tee.
    fn bounce(&mut self, laser: &mut Laser) {
        let rules = self.rules;
        laser.bounce_tick = self.tick;
        if laser.energy < 0.0 {
            return;
        }
        let tuning = *self.tuning_of(laser.owner);
        let start = laser.at;
        let to = start + laser.direction * laser.energy;
        let wall = self.grid.intersect_line(rules, start, to);
        let end = wall.map_or(to, |wall| wall.before);
        if self.laser_hits(laser, start, end) {
            laser.energy = -1.0;
            return;
        }
        laser.from = start;
        laser.at = end;
        if wall.is_none() {
            laser.energy = -1.0;
            return;
        }
        let (at, direction) = self.grid.move_point(end, laser.direction * 4.0, 1.0);
        laser.at = at;
        laser.direction = direction.normalized(rules.is_ddnet());
        laser.energy -= start.distance(at) + tuning.laser_bounce_cost;
        laser.bounces = laser.bounces.saturating_add(1);
        if float(laser.bounces) > tuning.laser_bounce_num {
            laser.energy = -1.0;
        }
    }

    /// Lets a beam act on the first tee on its way. Returns whether there is one.
    fn laser_hits(&mut self, laser: &mut Laser, start: Vec2, end: Vec2) -> bool {
        let (rules, owner) = (self.rules, laser.owner);
        let can_hit_owner = rules.is_ddnet() && laser.bounces > 0;
        // In DDNet, a tee with hits off hits itself only.
        let can_hit_others = !rules.is_ddnet() || !self.is_laser_hit_disabled(laser);
        let is_target = |id: usize| {
            if id == owner {
                can_hit_owner
            } else {
                can_hit_others && (!rules.is_ddnet() || self.can_collide(owner, id))
            }
        };
        let Some((id, at)) = self.tee_on_line(start, end, 0.0, is_target) else { return false };
        laser.from = start;
        laser.at = at;
        if rules.is_ddnet() {
            self.ddnet_laser_hit(laser, id);
        } else {
            let damage = if rules.is_07() { 5 } else { crate::number::truncate(self.tuning.laser_damage) };
            self.take_damage(id, Vec2::ZERO, damage, Some(owner));
        }
        true
    }
}
