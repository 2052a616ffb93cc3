use super::entity::Laser;
use super::state::World;
use crate::vector::Vec2;
use crate::weapon::weapon_id;

/// Divisor of the jetpack's strength.
const JETPACK_DIVISOR: f32 = 6.11;

impl World {
    /// Hits a tee of DDNet with the hammer.
    pub(super) fn hammer_push(&mut self, id: usize, other: usize, push: Vec2) {
        let strength = self.tuning_of(id).hammer_strength;
        let Some(restrictions) = self.tee(other).map(|tee| tee.ddnet.restrictions) else { return };
        let Some(velocity) = self.core(other).map(|core| core.velocity) else { return };
        let change = restrictions.clamp(velocity + push) - velocity;
        self.take_damage(other, (Vec2::new(0.0, -1.0) + change) * strength, 0, Some(id));
        self.unfreeze(other);
    }

    /// Pushes a tee with a jetpack while its fire key is held.
    pub(super) fn tick_jetpack(&mut self, id: usize) {
        let has_jetpack = self.core(id).is_some_and(|core| core.ddnet.has_jetpack);
        let Some(tee) = self.tee(id).filter(|_| has_jetpack) else { return };
        let is_firing = tee.active_weapon == weapon_id::GUN && tee.latest.fire & 1 != 0;
        if !is_firing || tee.ddnet.freeze_ticks > 0 {
            return;
        }
        let aim =
            Vec2::new(crate::number::float(tee.latest.target_x), crate::number::float(tee.latest.target_y));
        let direction = aim.normalized(true);
        let strength = self.tuning_of(id).jetpack_strength;
        self.take_damage(id, direction * -1.0 * (strength / 100.0 / JETPACK_DIVISOR), 0, Some(id));
    }

    /// Returns whether the hits of the owner of a beam are off.
    pub(super) fn is_laser_hit_disabled(&self, laser: &Laser) -> bool {
        let weapon = if laser.is_shotgun { weapon_id::SHOTGUN } else { weapon_id::LASER };
        self.tee(laser.owner).is_some_and(|tee| tee.is_hit_disabled(weapon))
    }

    /// Pulls a tee by the beam of a shotgun, or unfreezes it by a laser.
    pub(super) fn ddnet_laser_hit(&mut self, laser: &Laser, id: usize) {
        if !laser.is_shotgun {
            self.unfreeze(id);
            return;
        }
        let strength = self.tuning_of(laser.owner).shotgun_strength;
        let Some(restrictions) = self.tee(id).map(|tee| tee.ddnet.restrictions) else { return };
        let Some(core) = self.core_mut(id) else { return };
        let offset = laser.from - core.at;
        // The game keeps the effect of an old division by zero.
        core.velocity = if offset == Vec2::ZERO {
            Vec2::new(-2_147_483_648.0, -2_147_483_648.0)
        } else {
            restrictions.clamp(core.velocity + offset.normalized(true) * strength)
        };
    }
}
