use super::entity::{MAX_ENTITIES, Projectile};
use super::state::World;
use crate::vector::Vec2;
use crate::weapon::weapon_id;

/// Radius of a projectile.
const RADIUS: f32 = 6.0;

impl World {
    pub(super) fn push_projectile(&mut self, projectile: Projectile) {
        if self.projectiles.len() >= MAX_ENTITIES {
            self.projectiles.pop();
        }
        self.projectiles.insert(0, projectile);
    }

    pub(super) fn tick_projectiles(&mut self) {
        let mut index = 0_usize;
        while let Some(projectile) = self.projectiles.get(index).copied() {
            let (is_alive, life) = self.tick_projectile(&projectile);
            if is_alive {
                if let Some(projectile) = self.projectiles.get_mut(index) {
                    projectile.life = life;
                }
                index = index.saturating_add(1);
            } else {
                self.projectiles.remove(index);
            }
        }
    }

    /// Returns whether a projectile flies on, and the rest of its life.
    fn tick_projectile(&mut self, projectile: &Projectile) -> (bool, i32) {
        let rules = self.rules;
        let (from, mut to) = (projectile.at(self.tick.wrapping_sub(1)), projectile.at(self.tick));
        let hit = self.grid.intersect_line(rules, from, to);
        if let Some(hit) = hit {
            to = hit.at;
        }
        let owner = projectile.owner.filter(|owner| self.tee(*owner).is_some());
        // By the default of `sv_destroy_bullets_on_death`.
        if rules.is_ddnet() && owner != projectile.owner {
            return (false, projectile.life);
        }
        let is_target = |id: usize| {
            Some(id) != owner
                && !(rules.is_ddnet() && owner.is_some_and(|owner| !self.can_collide(owner, id)))
        };
        let target = self.tee_on_line(from, to, RADIUS, is_target);
        if let Some((_, at)) = target {
            to = at;
        }
        let mut life = projectile.life.wrapping_sub(1);
        if rules.is_ddnet() {
            life = life.max(-1);
            return (self.tick_ddnet_projectile(projectile, to, target, hit.is_some(), life), life);
        }
        if target.is_none() && hit.is_none() && life >= 0 && !self.is_outside(to) {
            return (true, life);
        }
        if projectile.is_explosive {
            self.explode(to, projectile.owner, true);
        } else if let Some((id, _)) = target {
            self.take_damage(id, projectile.direction * 0.001, 1, projectile.owner);
        }
        (false, life)
    }

    /// Returns whether a projectile of DDNet flies on.
    fn tick_ddnet_projectile(
        &mut self,
        projectile: &Projectile,
        at: Vec2,
        target: Option<(usize, Vec2)>,
        is_hit: bool,
        life: i32,
    ) -> bool {
        let owner = projectile.owner.and_then(|owner| self.tee(owner));
        let hits_tee =
            target.is_some() && !owner.is_some_and(|owner| owner.is_hit_disabled(weapon_id::GRENADE));
        if !(hits_tee || is_hit || self.is_outside(at) || life == -1) {
            return true;
        }
        if projectile.is_explosive {
            self.explode(at, projectile.owner, true);
        }
        false
    }
}
