use super::entity::Projectile;
use super::state::World;
use crate::elementary::{atan2f, cosf, sinf};
use crate::input::{TeeInput, presses};
use crate::number::{clamp, float, mix, truncate};
use crate::rules::{Rules, TEE_SIZE};
use crate::tee::Tee;
use crate::vector::Vec2;
use crate::weapon::{
    AMMO_REGENERATION_TICKS, EMPTY_RELOAD_TICKS, MAX_AMMO, NINJA_MOVE_TICKS, hammer_hit_reload_ticks,
    reload_ticks, weapon_id,
};

/// Angles of the pellets of the shotgun, relative to the aim.
const PELLET_ANGLES: [f32; 5] = [-0.185, -0.070, 0.0, 0.070, 0.185];
/// Maximum steps through the weapons by one input.
const MAX_WEAPON_STEPS: i32 = 128;
/// Number of inputs that a tee must have received before its weapons react.
const MIN_INPUTS: u8 = 2;

impl World {
    /// Lets the weapons react to an input: in Teeworlds when it arrives, in DDNet before each tick.
    pub fn direct_input(&mut self, id: usize, input: TeeInput) {
        let is_ddnet = self.rules.is_ddnet();
        let Some(tee) = self.tee_mut(id) else { return };
        tee.latest_previous = tee.latest;
        tee.latest = input.with_aim();
        if is_ddnet {
            tee.inputs = tee.inputs.saturating_add(1);
        }
        let min_inputs = if is_ddnet { 1 } else { MIN_INPUTS };
        if tee.inputs > min_inputs {
            switch_weapon(tee);
            self.fire(id);
        }
        if let Some(tee) = self.tee_mut(id) {
            tee.latest_previous = tee.latest;
        }
    }

    /// Advances the weapons of a tee by one tick.
    pub(super) fn handle_weapons(&mut self, id: usize) {
        self.tick_ninja(id);
        if self.rules.is_ddnet() {
            self.tick_jetpack(id);
        }
        let Some(tee) = self.tee_mut(id) else { return };
        if tee.reload != 0 {
            tee.reload = tee.reload.wrapping_sub(1);
            return;
        }
        self.fire(id);
        if self.rules.is_ddnet() {
            return;
        }
        let tick = self.tick;
        let Some(tee) = self.tee_mut(id) else { return };
        let is_reloaded = tee.reload <= 0;
        if tee.active_weapon != weapon_id::GUN {
            return;
        }
        let Some(gun) = tee.active_slot() else { return };
        if !is_reloaded {
            gun.regeneration_start = -1;
            return;
        }
        if gun.regeneration_start < 0 {
            gun.regeneration_start = tick;
        }
        if tick.wrapping_sub(gun.regeneration_start) >= AMMO_REGENERATION_TICKS {
            gun.ammo = gun.ammo.saturating_add(1).min(MAX_AMMO);
            gun.regeneration_start = -1;
        }
    }

    /// Fires the weapon of a tee, if the input requests it.
    fn fire(&mut self, id: usize) {
        let (rules, tick) = (self.rules, self.tick);
        let has_jetpack = self.core(id).is_some_and(|core| core.ddnet.has_jetpack);
        let reload = {
            let tuning = self.tuning_of(id);
            |weapon| reload_ticks(rules, tuning, weapon)
        };
        let reload: [i32; weapon_id::COUNT] = ::core::array::from_fn(reload);
        let Some(tee) = self.tee_mut(id) else { return };
        if tee.reload != 0 {
            return;
        }
        apply_switch(tee);
        let weapon = tee.active_weapon;
        let has_ammo = tee.active_slot().is_some_and(|slot| slot.ammo != 0);
        let is_automatic = match weapon {
            weapon_id::SHOTGUN | weapon_id::GRENADE | weapon_id::LASER => true,
            weapon_id::GUN if has_jetpack => rules.is_ddnet(),
            _ => rules.is_ddnet() && tee.ddnet.was_frozen,
        };
        let is_pressed = presses(tee.latest_previous.fire, tee.latest.fire) > 0;
        let is_held = is_automatic && tee.latest.fire & 1 != 0 && has_ammo;
        if !is_pressed && !is_held {
            return;
        }
        if rules.is_ddnet() && tee.ddnet.freeze_ticks > 0 {
            return;
        }
        if !has_ammo {
            if !rules.is_ddnet() {
                tee.reload = EMPTY_RELOAD_TICKS;
            }
            return;
        }
        let aim = Vec2::new(float(tee.latest.target_x), float(tee.latest.target_y));
        let direction = aim.normalized(rules.is_ddnet());
        let at = tee.at;
        tee.attack_tick = tick;
        let start = at + direction * TEE_SIZE * 0.75;
        let mut hammer_reload = 0;
        match weapon {
            weapon_id::HAMMER => hammer_reload = self.hammer(id, start),
            weapon_id::GUN if !(rules.is_ddnet() && has_jetpack) => {
                let life = truncate(50.0 * self.tuning_of(id).gun_lifetime);
                self.add_projectile(id, weapon, start, direction, life, false);
            }
            weapon_id::SHOTGUN if rules.is_ddnet() => self.add_laser(id, at, direction, true),
            weapon_id::SHOTGUN => self.shotgun(id, start, direction),
            weapon_id::GRENADE => {
                let life = truncate(50.0 * self.tuning_of(id).grenade_lifetime);
                self.add_projectile(id, weapon, start, direction, life, true);
            }
            weapon_id::LASER => self.add_laser(id, at, direction, false),
            weapon_id::NINJA => self.start_dash(id, direction),
            _ => {}
        }
        let Some(tee) = self.tee_mut(id) else { return };
        if let Some(slot) = tee.active_slot().filter(|slot| slot.ammo > 0) {
            slot.ammo = slot.ammo.wrapping_sub(1);
        }
        tee.reload =
            if hammer_reload != 0 { hammer_reload } else { reload.get(weapon).copied().unwrap_or(0) };
    }

    fn start_dash(&mut self, id: usize, direction: Vec2) {
        let is_ddnet = self.rules.is_ddnet();
        let speed = self.core(id).map_or(0.0, |core| core.velocity.length());
        if let Some(tee) = self.tee_mut(id) {
            tee.ninja.hit = [0; 2];
            tee.ninja.direction = direction;
            tee.ninja.move_ticks = NINJA_MOVE_TICKS;
            // The games store the speed as an integer.
            tee.ninja.old_speed = truncate(if is_ddnet { clamp(speed, 0.0, 6000.0) } else { speed });
        }
    }

    /// Hits the tees in front. Returns the reload ticks after a hit, or 0.
    fn hammer(&mut self, id: usize, start: Vec2) -> i32 {
        let rules = self.rules;
        if rules.is_ddnet() && self.tee(id).is_some_and(|tee| tee.is_hit_disabled(weapon_id::HAMMER)) {
            return 0;
        }
        let Some(at) = self.tee(id).map(|tee| tee.at) else { return 0 };
        let (mut position, mut hits) = (0_usize, 0_u32);
        loop {
            let other = self.tees_near(start, TEE_SIZE * 0.5).nth(position);
            let Some(other) = other else { break };
            position = position.saturating_add(1);
            let Some(target) = self.tee(other).filter(|_| other != id) else { continue };
            let target_at = target.at;
            if rules.is_ddnet() {
                if !self.can_collide(id, other) {
                    continue;
                }
            } else if self.grid.intersect_line(rules, start, target_at).is_some() {
                continue;
            }
            let offset = target_at - at;
            let direction = if offset.length() > 0.0 {
                offset.normalized(rules.is_ddnet())
            } else {
                Vec2::new(0.0, -1.0)
            };
            let push = (direction + Vec2::new(0.0, -1.1)).normalized(rules.is_ddnet()) * 10.0;
            if rules.is_ddnet() {
                self.hammer_push(id, other, push);
            } else {
                let count = self.order.len();
                self.take_damage(other, Vec2::new(0.0, -1.0) + push, 3, Some(id));
                position = position.saturating_sub(count.saturating_sub(self.order.len()));
            }
            hits = hits.saturating_add(1);
        }
        if hits > 0 { hammer_hit_reload_ticks(rules, self.tuning_of(id)) } else { 0 }
    }

    fn shotgun(&mut self, id: usize, start: Vec2, direction: Vec2) {
        let tuning = *self.tuning_of(id);
        let life = truncate(50.0 * tuning.shotgun_lifetime);
        let center = (PELLET_ANGLES.len() / 2) as f32;
        for (index, spread) in PELLET_ANGLES.into_iter().enumerate() {
            let mut angle = angle_of(self.rules, direction);
            angle += spread;
            let offset = 1.0 - ((index as f32 - center).abs() / center);
            let speed = mix(tuning.shotgun_speeddiff, 1.0, offset);
            let pellet = Vec2::new(cosf(angle), sinf(angle)) * speed;
            self.add_projectile(id, weapon_id::SHOTGUN, start, pellet, life, false);
        }
    }

    pub(super) fn add_projectile(
        &mut self,
        owner: usize,
        weapon: usize,
        at: Vec2,
        direction: Vec2,
        life: i32,
        is_explosive: bool,
    ) {
        let tuning = if self.rules.is_ddnet() {
            self.zone_tuning(self.grid.tune_zone(self.grid.rounded_index(at)))
        } else {
            &self.tuning
        };
        let (curvature, speed) = match weapon {
            weapon_id::GRENADE => (tuning.grenade_curvature, tuning.grenade_speed),
            weapon_id::SHOTGUN => (tuning.shotgun_curvature, tuning.shotgun_speed),
            _ => (tuning.gun_curvature, tuning.gun_speed),
        };
        let start_tick = self.tick;
        self.push_projectile(Projectile {
            owner: Some(owner),
            weapon,
            start: at,
            direction,
            start_tick,
            life,
            is_explosive,
            curvature,
            speed,
        });
    }
}

fn angle_of(rules: Rules, direction: Vec2) -> f32 {
    if rules == Rules::Teeworlds06 {
        let angle = crate::elementary::atanf(direction.y / direction.x);
        return if direction.x < 0.0 { angle + crate::elementary::PI } else { angle };
    }
    atan2f(direction.y, direction.x)
}

/// Selects another weapon if the input requests it.
fn switch_weapon(tee: &mut Tee) {
    let mut wanted = tee.queued_weapon.unwrap_or(tee.active_weapon);
    let is_owned = |weapon: usize| tee.weapons.get(weapon).is_some_and(|slot| slot.is_owned);
    let mut walk = |count: i32, step: usize| {
        let mut left = if count < MAX_WEAPON_STEPS { count } else { 0 };
        while left > 0 {
            wanted = wanted.saturating_add(step) % weapon_id::COUNT;
            if is_owned(wanted) {
                left = left.wrapping_sub(1);
            }
        }
    };
    walk(presses(tee.latest_previous.next_weapon, tee.latest.next_weapon), 1);
    walk(
        presses(tee.latest_previous.prev_weapon, tee.latest.prev_weapon),
        weapon_id::COUNT.saturating_sub(1),
    );
    if tee.latest.wanted_weapon != 0 {
        // The games read the movement input here, not the weapon input.
        wanted = usize::try_from(tee.input.wanted_weapon.wrapping_sub(1)).unwrap_or(usize::MAX);
    }
    if wanted != tee.active_weapon && is_owned(wanted) {
        tee.queued_weapon = Some(wanted);
    }
    apply_switch(tee);
}

/// Activates the selected weapon, unless the tee reloads or has the ninja.
fn apply_switch(tee: &mut Tee) {
    let has_ninja = tee.weapons.get(weapon_id::NINJA).is_some_and(|slot| slot.is_owned);
    if tee.reload != 0 || has_ninja {
        return;
    }
    if let Some(weapon) = tee.queued_weapon {
        set_weapon(tee, weapon);
    }
}

/// Activates a weapon.
pub(super) fn set_weapon(tee: &mut Tee, weapon: usize) {
    if weapon == tee.active_weapon {
        return;
    }
    tee.last_weapon = tee.active_weapon;
    tee.queued_weapon = None;
    tee.active_weapon = weapon;
    if let Some(slot) = tee.active_slot() {
        slot.regeneration_start = -1;
    }
}
