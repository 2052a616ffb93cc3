use crate::rules::{Rules, TICKS_PER_SECOND};
use crate::weapon::weapon_id;
use crate::world::state::World;

impl World {
    /// Freezes a tee of DDNet for some seconds.
    pub(crate) fn freeze(&mut self, id: usize, seconds: i32) {
        let (tick, rules) = (self.tick, self.rules);
        let Some(tee) = self.tee_mut(id) else { return };
        let state = &mut tee.ddnet;
        let ticks = seconds.wrapping_mul(TICKS_PER_SECOND);
        if seconds <= 0 || state.freeze_ticks > ticks {
            return;
        }
        let is_free = state.freeze_ticks == 0 && rules != Rules::Ddnet16;
        if is_free || state.freeze_start < tick.wrapping_sub(TICKS_PER_SECOND) {
            state.freeze_ticks = ticks;
            state.freeze_start = tick;
        }
    }

    /// Ends the freezing of a tee.
    pub(crate) fn unfreeze(&mut self, id: usize) {
        let Some(tee) = self.tee_mut(id) else { return };
        if tee.ddnet.freeze_ticks <= 0 {
            return;
        }
        let is_owned = tee.weapons.get(tee.active_weapon).is_some_and(|slot| slot.is_owned);
        if !is_owned {
            tee.active_weapon = weapon_id::GUN;
        }
        tee.ddnet.freeze_ticks = 0;
        tee.ddnet.freeze_start = 0;
        tee.ddnet.was_frozen = true;
    }

    /// Takes the inputs of a frozen tee, and counts its time.
    pub(super) fn tick_freeze(&mut self, id: usize) {
        let Some(tee) = self.tee_mut(id) else { return };
        tee.input = tee.saved_input;
        if tee.ddnet.is_live_frozen {
            (tee.input.direction, tee.input.jump) = (0, 0);
        }
        if tee.ddnet.freeze_ticks > 0 {
            tee.ddnet.freeze_ticks = tee.ddnet.freeze_ticks.wrapping_sub(1);
            (tee.input.direction, tee.input.jump, tee.input.hook) = (0, 0, 0);
            if tee.ddnet.freeze_ticks == 1 {
                self.unfreeze(id);
            }
        }
    }
}
