use crate::tile::id;
use crate::weapon::weapon_id;
use crate::world::state::World;

/// Seconds for which a tile freezes.
const FREEZE_SECONDS: i32 = 3;
/// Bits of the weapons that tiles for hits turn on and off.
const ALL_HITS: u8 =
    1 << weapon_id::HAMMER | 1 << weapon_id::SHOTGUN | 1 << weapon_id::GRENADE | 1 << weapon_id::LASER;

impl World {
    /// Handles the tiles at an index for a tee that passes it. Without an index, only stoppers are noted.
    pub(super) fn handle_tiles(&mut self, id: usize, index: Option<usize>) {
        let Some(at) = self.tee(id).map(|tee| tee.at) else { return };
        let restrictions = self.grid().restrictions(at, index, |number| self.switches.is_on(number));
        let Some(tee) = self.tee_mut(id) else { return };
        tee.ddnet.restrictions = restrictions;
        let Some(index) = index else {
            tee.ddnet.is_refilling = false;
            return;
        };
        let tele = self.grid().tele(index);
        if let Some(tee) = self.tee_mut(id).filter(|_| tele.id == id::TELE_CHECK && tele.number > 0) {
            tee.ddnet.tele_checkpoint = tele.number;
        }
        let grid = self.grid();
        let tiles = [grid.game(index).index, grid.front(index).index];
        self.handle_plain_tiles(id, tiles);
        if let Some(core) = self.core_mut(id) {
            if core.velocity.y > 0.0 && restrictions.has_floor() {
                core.jumped = 0;
                core.ddnet.jumped_total = 0;
            }
            core.velocity = restrictions.clamp(core.velocity);
        }
        self.handle_switch_tile(id, self.grid().switch(index));
        self.teleport(id, tele);
    }

    /// Handles the tiles of the game and front layer.
    fn handle_plain_tiles(&mut self, id: usize, tiles: [u8; 2]) {
        let has = |tile: u8| tiles.contains(&tile);
        let Some(core) = self.core_mut(id) else { return };
        if has(id::SOLO_ON) {
            core.ddnet.is_solo = true;
        } else if has(id::SOLO_OFF) {
            core.ddnet.is_solo = false;
        }
        let is_deep_frozen = self.tee(id).is_some_and(|tee| tee.ddnet.is_deep_frozen);
        if has(id::FREEZE) && !is_deep_frozen {
            self.freeze(id, FREEZE_SECONDS);
        } else if has(id::UNFREEZE) && !is_deep_frozen {
            self.unfreeze(id);
        }
        let Some(tee) = self.tee_mut(id) else { return };
        if has(id::DEEP_FREEZE) {
            tee.ddnet.is_deep_frozen = true;
        } else if has(id::DEEP_UNFREEZE) {
            tee.ddnet.is_deep_frozen = false;
        }
        if has(id::LIVE_FREEZE) {
            tee.ddnet.is_live_frozen = true;
        } else if has(id::LIVE_UNFREEZE) {
            tee.ddnet.is_live_frozen = false;
        }
        if has(id::HIT_ON) {
            tee.ddnet.hit_disabled = 0;
        } else if has(id::HIT_OFF) {
            tee.ddnet.hit_disabled = ALL_HITS;
        }
        let is_refilling = tee.ddnet.is_refilling;
        tee.ddnet.is_refilling = has(id::REFILL_JUMPS);
        let Some(core) = self.core_mut(id) else { return };
        let switch = |state: &mut bool, on: u8, off: u8| {
            if has(on) {
                *state = true;
            } else if has(off) {
                *state = false;
            }
        };
        switch(&mut core.ddnet.has_endless_hook, id::ENDLESS_HOOK_ON, id::ENDLESS_HOOK_OFF);
        switch(&mut core.ddnet.is_collision_disabled, id::PLAYER_COLLISION_OFF, id::PLAYER_COLLISION_ON);
        switch(&mut core.ddnet.is_hook_hit_disabled, id::HOOK_OTHERS_OFF, id::HOOK_OTHERS_ON);
        switch(&mut core.ddnet.has_endless_jump, id::ENDLESS_JUMP_ON, id::ENDLESS_JUMP_OFF);
        if has(id::WALL_JUMP) && core.velocity.y > 0.0 && core.ddnet.colliding != 0 && core.ddnet.left_wall {
            core.ddnet.left_wall = false;
            core.ddnet.jumped_total = core.ddnet.jumps.saturating_sub(2).max(0);
            core.jumped = 1;
        }
        switch(&mut core.ddnet.has_jetpack, id::JETPACK_ON, id::JETPACK_OFF);
        if has(id::REFILL_JUMPS) && !is_refilling {
            core.jumped = 0;
            core.ddnet.jumped_total = 0;
        }
    }
}
