use crate::number::truncate;
use crate::world::state::World;

impl World {
    /// Prepares a tee of DDNet before its core ticks.
    pub(crate) fn ddnet_before_core(&mut self, id: usize) {
        self.tick_freeze(id);
        let Some(at) = self.tee(id).map(|tee| tee.at) else { return };
        let grid = self.grid();
        let zone = grid.tune_zone(grid.index_at(truncate(at.x), truncate(at.y)));
        if let Some(tee) = self.tee_mut(id) {
            tee.ddnet.tune_zone = zone;
        }
    }

    /// Handles the tiles of a tee of DDNet after its core and its weapons.
    pub(crate) fn ddnet_after_core(&mut self, id: usize) {
        let Some(core) = self.core_mut(id) else { return };
        if core.ddnet.has_endless_hook {
            core.hook_tick = 0;
        }
        let Some(tee) = self.tee_mut(id) else { return };
        tee.ddnet.was_frozen = false;
        if tee.ddnet.is_deep_frozen {
            self.freeze(id, 3);
        }
        self.apply_jump_rules(id);
        let Some(tee) = self.tee(id) else { return };
        let (from, to) = (tee.previous_at, tee.at);
        let current = self.grid().handled_tile(to);
        if !self.handle_skippable_tiles(id, current) {
            return;
        }
        let grid = std::sync::Arc::clone(self.shared_grid());
        let mut has_tiles = false;
        for index in grid.handled_tiles(from, to) {
            has_tiles = true;
            self.handle_tiles(id, Some(index));
        }
        if !has_tiles {
            self.handle_tiles(id, current);
        }
        let Some(at) = self.core(id).map(|core| core.at) else { return };
        if let Some(tee) = self.tee_mut(id) {
            tee.previous_at = at;
        }
    }

    /// Gives or takes jumps by the number of jumps that a tee has.
    fn apply_jump_rules(&mut self, id: usize) {
        let Some(core) = self.core_mut(id) else { return };
        let jumps = core.ddnet.jumps;
        if matches!(jumps, -1 | 0) || jumps == 1 && core.jumped > 0 {
            core.jumped |= 2;
        } else if core.ddnet.jumped_total < jumps.saturating_sub(1) && core.jumped > 1 {
            core.jumped = 1;
        }
        if core.ddnet.has_endless_jump && core.jumped > 1 {
            core.jumped = 1;
        }
    }
}
