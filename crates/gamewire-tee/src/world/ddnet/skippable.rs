use super::speedup;
use crate::grid::bits;
use crate::world::state::World;

impl World {
    /// Handles the tiles that act only where a tee is: death and speedups. Returns whether the tee lives.
    pub(super) fn handle_skippable_tiles(&mut self, id: usize, index: Option<usize>) -> bool {
        let Some(at) = self.tee(id).map(|tee| tee.at) else { return false };
        let is_near_death = self.grid().bits_at(at.x, at.y) & bits::NEAR_DEATH != 0;
        let is_dead = is_near_death && (self.touches_death(at) || self.touches_front_death(at));
        if is_dead || self.is_outside(at) {
            self.die(id);
            return false;
        }
        let Some(tile) = index.map(|index| self.grid().speedup(index)).filter(|tile| tile.force > 0) else {
            return true;
        };
        let (rules, tuning) = (self.rules, *self.tuning_of(id));
        let Some(restrictions) = self.tee(id).map(|tee| tee.ddnet.restrictions) else { return false };
        if let Some(core) = self.core_mut(id) {
            let (velocity, can_stop) = speedup::apply(rules, &tuning, tile, core.velocity);
            core.velocity = if can_stop { restrictions.clamp(velocity) } else { velocity };
        }
        true
    }

    fn touches_front_death(&self, at: crate::vector::Vec2) -> bool {
        let reach = crate::rules::TEE_SIZE / 3.0;
        [(reach, -reach), (reach, reach), (-reach, -reach), (-reach, reach)].into_iter().any(|(x, y)| {
            let position = crate::vector::Vec2::new(at.x + x, at.y + y);
            self.grid().front(self.grid().rounded_index(position)).index == crate::tile::id::DEATH
        })
    }
}
