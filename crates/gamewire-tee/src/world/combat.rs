use super::state::World;
use crate::number::{clamp, truncate};
use crate::rules::Rules;
use crate::vector::Vec2;
use crate::weapon::weapon_id;

/// Radius of an explosion, and of its part of full strength.
const EXPLOSION_RADIUS: f32 = 135.0;
const EXPLOSION_INNER_RADIUS: f32 = 48.0;

impl World {
    /// Pushes a tee and takes its health.
    pub(super) fn take_damage(&mut self, id: usize, force: Vec2, damage: i32, from: Option<usize>) {
        let is_ddnet = self.rules.is_ddnet();
        let Some(restrictions) = self.tee(id).map(|tee| tee.ddnet.restrictions) else { return };
        if let Some(core) = self.core_mut(id) {
            core.velocity += force;
            if is_ddnet {
                core.velocity = restrictions.clamp(core.velocity);
                return;
            }
        }
        let Some(tee) = self.tee_mut(id) else { return };
        let mut damage = if from == Some(id) { (damage / 2).max(1) } else { damage };
        if damage != 0 {
            if tee.armor > 0 {
                if damage > 1 {
                    tee.health = tee.health.wrapping_sub(1);
                    damage = damage.wrapping_sub(1);
                }
                let absorbed = damage.min(tee.armor);
                tee.armor = tee.armor.wrapping_sub(absorbed);
                damage = damage.wrapping_sub(absorbed);
            }
            tee.health = tee.health.wrapping_sub(damage);
        }
        if tee.health <= 0 {
            self.die(id);
        }
    }

    /// Pushes the tees near an explosion.
    pub(super) fn explode(&mut self, at: Vec2, owner: Option<usize>, can_hit_others: bool) {
        let is_ddnet = self.rules.is_ddnet();
        let strength = match owner {
            Some(owner) => self.tuning_of(owner).explosion_strength,
            None => self.tuning.explosion_strength,
        };
        let mut position = 0_usize;
        loop {
            let id = self.tees_near(at, EXPLOSION_RADIUS).nth(position);
            let Some(id) = id else { return };
            position = position.saturating_add(1);
            let Some(tee) = self.tee(id) else { continue };
            let offset = tee.at - at;
            let distance = offset.length();
            let direction = if distance == 0.0 { Vec2::new(0.0, 1.0) } else { offset.normalized(is_ddnet) };
            let range = EXPLOSION_RADIUS - EXPLOSION_INNER_RADIUS;
            let share = 1.0 - clamp((distance - EXPLOSION_INNER_RADIUS) / range, 0.0, 1.0);
            let (force, damage) = match self.rules {
                Rules::Teeworlds07 => (direction * 12.0 * share, truncate(share * 6.0)),
                Rules::Teeworlds06 => (direction * (6.0 * share) * 2.0, truncate(6.0 * share)),
                Rules::Ddnet16 | Rules::Ddnet20 => {
                    (direction * (strength * share) * 2.0, truncate(strength * share))
                }
            };
            if damage == 0 {
                continue;
            }
            if is_ddnet && owner != Some(id) {
                let is_hit_off = owner.and_then(|owner| self.tee(owner));
                let is_hit_off = is_hit_off.is_some_and(|tee| tee.is_hit_disabled(weapon_id::GRENADE));
                if is_hit_off || !can_hit_others || owner.is_some_and(|owner| !self.can_collide(owner, id)) {
                    continue;
                }
            }
            let count = self.order.len();
            self.take_damage(id, force, damage, owner);
            // The tee is gone, so the next one has its position.
            position = position.saturating_sub(count.saturating_sub(self.order.len()));
        }
    }

    /// Returns whether tees of DDNet act on each other.
    pub(crate) fn can_collide(&self, one: usize, two: usize) -> bool {
        if one == two {
            return true;
        }
        let (Some(one), Some(two)) = (self.core(one), self.core(two)) else { return true };
        !(one.ddnet.is_solo || two.ddnet.is_solo) && one.ddnet.team == two.ddnet.team
    }
}
