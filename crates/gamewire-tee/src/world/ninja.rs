use super::state::World;
use crate::number::float;
use crate::rules::TEE_SIZE;
use crate::vector::Vec2;
use crate::weapon::{NINJA_SPEED, NINJA_TICKS, weapon_id};

impl World {
    /// Makes a tee a ninja.
    pub(super) fn give_ninja(&mut self, id: usize) {
        let tick = self.tick;
        let Some(tee) = self.tee_mut(id) else { return };
        tee.ninja.activation_tick = tick;
        if let Some(slot) = tee.weapons.get_mut(weapon_id::NINJA) {
            (slot.is_owned, slot.ammo) = (true, -1);
        }
        if tee.active_weapon != weapon_id::NINJA {
            tee.last_weapon = tee.active_weapon;
        }
        tee.active_weapon = weapon_id::NINJA;
    }

    /// Moves a ninja in its dash, and ends the ninja after its time.
    pub(super) fn tick_ninja(&mut self, id: usize) {
        let (tick, rules) = (self.tick, self.rules);
        let Some(tee) = self.tee_mut(id).filter(|tee| tee.active_weapon == weapon_id::NINJA) else { return };
        if tick.wrapping_sub(tee.ninja.activation_tick) > NINJA_TICKS {
            if let Some(slot) = tee.weapons.get_mut(weapon_id::NINJA) {
                slot.is_owned = false;
            }
            // A weapon that was chosen meanwhile is taken at the next chance.
            tee.active_weapon = tee.last_weapon;
            if tee.ninja.move_ticks > 0 && !rules.is_ddnet() {
                let (direction, speed) = (tee.ninja.direction, tee.ninja.old_speed);
                if let Some(core) = self.core_mut(id) {
                    core.velocity = direction * float(speed);
                }
            }
            return;
        }
        tee.ninja.move_ticks = tee.ninja.move_ticks.saturating_sub(1);
        let ninja = tee.ninja;
        let at = tee.at;
        if let Some(core) = self.core_mut(id).filter(|_| ninja.move_ticks == 0) {
            core.velocity = ninja.direction * float(ninja.old_speed);
        }
        if ninja.move_ticks <= 0 {
            return;
        }
        let dash = ninja.direction * NINJA_SPEED;
        self.with_core(id, |core, context, _| {
            core.at = context.grid.move_box(rules, core.at, dash, TEE_SIZE, context.elasticity()).at;
            core.velocity = Vec2::ZERO;
        });
        self.dash_hits(id, at);
    }

    fn dash_hits(&mut self, id: usize, at: Vec2) {
        let radius = TEE_SIZE * 2.0;
        let mut position = 0_usize;
        loop {
            let other = self.tees_near(at, radius).nth(position);
            let Some(other) = other else { return };
            position = position.saturating_add(1);
            let Some(target) = self.tee(other).filter(|_| other != id) else { continue };
            if target.at.distance(at) > radius || self.rules.is_ddnet() && !self.can_collide(id, other) {
                continue;
            }
            let Some(tee) = self.tee_mut(id) else { return };
            let Some(bits) = tee.ninja.hit.get_mut(other / 64) else { continue };
            if *bits >> (other % 64) & 1 != 0 {
                continue;
            }
            *bits |= 1 << (other % 64);
            let count = self.order.len();
            self.take_damage(other, Vec2::new(0.0, -10.0), 9, Some(id));
            position = position.saturating_sub(count.saturating_sub(self.order.len()));
        }
    }
}
