use crate::tile::{SwitchTile, id};
use crate::weapon::weapon_id;
use crate::world::state::World;

/// Number of jumps on a tile that means one jump in the air only.
const AIR_JUMP_ONLY: u8 = 255;

impl World {
    /// Handles a tile of the switch layer for a tee that passes it.
    pub(super) fn handle_switch_tile(&mut self, id: usize, tile: SwitchTile) {
        let tick = self.tick;
        let timed = Some(tile.delay);
        match tile.id {
            id::SWITCH_OPEN if tile.number > 0 => self.switches.set(tile.number, true, tick, None),
            id::SWITCH_CLOSE if tile.number > 0 => self.switches.set(tile.number, false, tick, None),
            id::SWITCH_TIMED_OPEN if tile.number > 0 => self.switches.set(tile.number, true, tick, timed),
            id::SWITCH_TIMED_CLOSE if tile.number > 0 => self.switches.set(tile.number, false, tick, timed),
            _ => {}
        }
        let is_on = self.switches.is_on(tile.number);
        let Some(tee) = self.tee_mut(id) else { return };
        match tile.id {
            id::FREEZE if is_on && !tee.ddnet.is_deep_frozen => self.freeze(id, tile.delay.into()),
            id::DEEP_FREEZE if is_on => tee.ddnet.is_deep_frozen = true,
            id::DEEP_UNFREEZE if is_on => tee.ddnet.is_deep_frozen = false,
            id::LIVE_FREEZE if is_on => tee.ddnet.is_live_frozen = true,
            id::LIVE_UNFREEZE if is_on => tee.ddnet.is_live_frozen = false,
            id::HIT_ON => tee.ddnet.hit_disabled &= !hit_bit(tile.delay),
            id::HIT_OFF => tee.ddnet.hit_disabled |= hit_bit(tile.delay),
            id::SWITCH_JUMPS => {
                let jumps = if tile.delay == AIR_JUMP_ONLY { -1 } else { tile.delay.into() };
                if let Some(core) = self.core_mut(id) {
                    core.ddnet.jumps = jumps;
                }
            }
            _ => {}
        }
    }
}

/// Returns the bit of a weapon for the hits that a tile turns on or off.
fn hit_bit(weapon: u8) -> u8 {
    if usize::from(weapon) < weapon_id::NINJA { 1 << weapon } else { 0 }
}
