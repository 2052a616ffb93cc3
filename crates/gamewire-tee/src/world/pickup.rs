use super::entity::{NINJA_SPAWN_SECONDS, Pickup, PickupKind};
use super::state::World;
use super::weapons::set_weapon;
use crate::rules::TICKS_PER_SECOND;
use crate::vector::Vec2;
use crate::weapon::{MAX_AMMO, weapon_id};

/// Distance at which a tee takes a pickup.
const REACH: f32 = 40.0;
const REACH_DDNET: f32 = 14.0 + 6.0 + 28.0;
/// Seconds until a pickup appears again.
const SPAWN_SECONDS: i32 = 15;

impl World {
    pub(super) fn tick_pickups(&mut self) {
        let (rules, tick) = (self.rules, self.tick);
        for index in 0..self.pickups.len() {
            let Some(pickup) = self.pickups.get_mut(index) else { return };
            if let Some(spawn_tick) = pickup.spawn_tick {
                if tick <= spawn_tick {
                    continue;
                }
                pickup.spawn_tick = None;
            }
            let pickup = *pickup;
            if rules.is_ddnet() {
                self.take_in_reach(&pickup);
                continue;
            }
            let nearest = self.ids().filter_map(|id| Some((id, self.tee(id)?.at.distance(pickup.at))));
            let mut best: Option<(usize, f32)> = None;
            for (id, distance) in nearest.filter(|(_, distance)| *distance < REACH) {
                if best.is_none_or(|(_, other)| distance < other) {
                    best = Some((id, distance));
                }
            }
            let is_taken = best.is_some_and(|(id, _)| self.take(id, pickup.kind));
            if let Some(pickup) = self.pickups.get_mut(index).filter(|_| is_taken) {
                let is_ninja = pickup.kind == PickupKind::Ninja;
                let seconds = if is_ninja { NINJA_SPAWN_SECONDS } else { SPAWN_SECONDS };
                pickup.spawn_tick = Some(tick.wrapping_add(seconds.wrapping_mul(TICKS_PER_SECOND)));
            }
        }
    }

    /// Gives a pickup of Teeworlds to a tee. Returns whether the tee needed it.
    fn take(&mut self, id: usize, kind: PickupKind) -> bool {
        if kind == PickupKind::Ninja {
            self.give_ninja(id);
            return true;
        }
        let Some(tee) = self.tee_mut(id) else { return false };
        match kind {
            PickupKind::Armor | PickupKind::Health => {
                let value = if kind == PickupKind::Armor { &mut tee.armor } else { &mut tee.health };
                let is_needed = *value < 10;
                *value = value.saturating_add(1).min(10);
                is_needed
            }
            PickupKind::Weapon(weapon) => {
                let Some(slot) = tee.weapons.get_mut(weapon) else { return false };
                let is_needed = slot.ammo < MAX_AMMO || !slot.is_owned;
                if is_needed {
                    (slot.is_owned, slot.ammo) = (true, MAX_AMMO);
                }
                is_needed
            }
            PickupKind::Ninja => true,
        }
    }

    /// Gives a pickup of DDNet to all tees in its reach.
    fn take_in_reach(&mut self, pickup: &Pickup) {
        let mut position = 0_usize;
        while let Some(id) = self.order.get(position).map(|id| usize::from(*id)) {
            position = position.saturating_add(1);
            if self.tee(id).is_none_or(|tee| tee.at.distance(pickup.at) >= REACH_DDNET) {
                continue;
            }
            match pickup.kind {
                PickupKind::Health => self.freeze(id, 3),
                PickupKind::Armor => self.take_weapons(id),
                PickupKind::Ninja => self.give_ninja(id),
                PickupKind::Weapon(weapon) => {
                    if let Some(slot) = self.tee_mut(id).and_then(|tee| tee.weapons.get_mut(weapon)) {
                        (slot.is_owned, slot.ammo) = (true, -1);
                    }
                }
            }
        }
    }

    /// Takes the weapons that a tee of DDNet has found, and the ninja.
    fn take_weapons(&mut self, id: usize) {
        let Some(tee) = self.tee_mut(id) else { return };
        for slot in tee.weapons.iter_mut().skip(weapon_id::SHOTGUN) {
            (slot.is_owned, slot.ammo) = (false, 0);
        }
        tee.ninja.direction = Vec2::ZERO;
        tee.ninja.activation_tick = -500;
        tee.ninja.move_ticks = 0;
        tee.ninja.old_speed = 0;
        if tee.active_weapon >= weapon_id::SHOTGUN {
            set_weapon(tee, weapon_id::HAMMER);
        }
    }
}
