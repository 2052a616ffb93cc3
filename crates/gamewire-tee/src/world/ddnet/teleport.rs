use crate::core::hook_state;
use crate::tile::{TeleTile, id};
use crate::vector::Vec2;
use crate::world::state::World;

impl World {
    /// Teleports a tee on a teleporter.
    pub(super) fn teleport(&mut self, id: usize, tile: TeleTile) {
        let is_evil = matches!(tile.id, id::TELE_IN_EVIL | id::TELE_CHECK_IN_EVIL);
        match tile.id {
            id::TELE_IN | id::TELE_IN_EVIL if tile.number > 0 => {
                let grid = self.grid();
                let mut outs = grid.tele_outs.iter().filter(|(number, _)| *number == tile.number);
                let (out, count) = (outs.next().map(|(_, at)| *at), outs.count());
                let chosen = self.exit_of(id).filter(|_| count > 0);
                if let Some(out) = chosen.or(out) {
                    // The server chooses one by a secret random number.
                    if count > 0 && chosen.is_none() {
                        self.mark_random(id);
                    }
                    self.move_to(id, out, is_evil);
                }
            }
            id::TELE_CHECK_IN | id::TELE_CHECK_IN_EVIL => {
                let checkpoint = self.tee(id).map_or(0, |tee| tee.ddnet.tele_checkpoint);
                let outs = &self.grid().tele_check_outs;
                let found = (1..=checkpoint)
                    .rev()
                    .find_map(|wanted| outs.iter().find(|(number, _)| *number == wanted).map(|(_, at)| *at));
                match found.or_else(|| self.exit_of(id)) {
                    Some(out) => self.move_to(id, out, is_evil),
                    // A spawn point, which depends on all tees.
                    None => self.mark_random(id),
                }
            }
            _ => {}
        }
    }

    fn move_to(&mut self, id: usize, out: Vec2, is_evil: bool) {
        let Some(core) = self.core_mut(id) else { return };
        core.at = out;
        core.hooked = -1;
        core.hook_state = hook_state::RETRACTED;
        core.hook_at = out;
        if is_evil {
            core.velocity = Vec2::ZERO;
            for other in self.cores.iter_mut().flatten() {
                if usize::try_from(other.hooked) == Ok(id) {
                    other.hooked = -1;
                    other.hook_state = hook_state::RETRACTED;
                }
            }
        }
    }
}
