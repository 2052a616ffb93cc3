use super::state::World;
use crate::number::round;
use crate::rules::{Rules, TEE_SIZE};
use crate::vector::Vec2;

/// Tiles that a tee can be outside of the map.
const MAX_OUTSIDE: i32 = 200;

impl World {
    /// Plays one tick, in the order of the servers. Inputs must be set before.
    pub fn step(&mut self) {
        self.tick = self.tick.wrapping_add(1);
        self.died = [0; 2];
        self.random = [0; 2];
        self.tick_projectiles();
        self.tick_lasers();
        self.tick_pickups();
        self.for_each_tee(Self::tick_tee);
        self.for_each_tee(Self::move_tee);
        if self.rules.is_ddnet() {
            self.switches.tick(self.tick);
        }
        self.exits.clear();
    }

    fn tick_tee(&mut self, id: usize) {
        if self.rules.is_ddnet() {
            self.ddnet_before_core(id);
        }
        let Some(input) = self.tee(id).map(|tee| (!tee.is_reckoned).then_some(tee.input)) else { return };
        self.with_core(id, |core, context, others| core.tick(context, id, others, input.as_ref()));
        if self.rules.is_ddnet() {
            self.handle_weapons(id);
            self.ddnet_after_core(id);
            return;
        }
        let Some(tee) = self.tee(id) else { return };
        let is_dead = self.rules == Rules::Teeworlds06 && self.touches_death(tee.at);
        if is_dead || self.is_outside(tee.at) {
            self.die(id);
            return;
        }
        self.handle_weapons(id);
    }

    /// Returns whether a tee at a position touches a deadly tile (0.6 and DDNet).
    pub(crate) fn touches_death(&self, at: Vec2) -> bool {
        let reach = TEE_SIZE / 3.0;
        [(reach, -reach), (reach, reach), (-reach, -reach), (-reach, reach)]
            .into_iter()
            .any(|(x, y)| self.grid.is_deadly(Vec2::new(at.x + x, at.y + y)))
    }

    /// Returns whether a position is so far outside that a tee dies there.
    pub(crate) fn is_outside(&self, at: Vec2) -> bool {
        let is_07 = self.rules.is_07();
        let is_beyond = |position: f32, size: i32| {
            let tile = round(position) / 32;
            let max = size.saturating_add(MAX_OUTSIDE);
            tile < -MAX_OUTSIDE || if is_07 { tile >= max } else { tile > max }
        };
        is_beyond(at.x, self.grid.width()) || is_beyond(at.y, self.grid.height())
    }

    fn move_tee(&mut self, id: usize) {
        let moved = self.with_core(id, |core, context, others| {
            core.advance(context, id, others);
            core.quantize();
            (core.at, core.is_dead)
        });
        let Some((at, is_dead)) = moved else { return };
        if let Some(tee) = self.tee_mut(id) {
            tee.at = at;
        }
        if is_dead && self.rules.is_07() {
            self.die(id);
        }
    }

    /// Removes a tee that dies.
    pub(crate) fn die(&mut self, id: usize) {
        if let Some(bits) = self.died.get_mut(id / 64) {
            *bits |= 1 << (id % 64);
        }
        self.remove(id);
    }

    /// Returns the tees that touch a circle, in the order of ticks.
    pub(super) fn tees_near(&self, at: Vec2, radius: f32) -> impl Iterator<Item = usize> + '_ {
        self.ids().filter(move |id| self.tee(*id).is_some_and(|tee| tee.at.distance(at) < radius + TEE_SIZE))
    }

    /// Returns the first tee on a line, and the position on the line. Tees for which `is_target` is false are left out.
    pub(super) fn tee_on_line(
        &self,
        from: Vec2,
        to: Vec2,
        radius: f32,
        is_target: impl Fn(usize) -> bool,
    ) -> Option<(usize, Vec2)> {
        let mut best = from.distance(to) * 100.0;
        let mut found = None;
        for id in self.ids().filter(|id| is_target(*id)) {
            let Some(tee) = self.tee(id) else { continue };
            let nearest = if self.rules.is_ddnet() {
                let Some(nearest) = Vec2::nearest_on_line_ddnet(from, to, tee.at) else { continue };
                nearest
            } else {
                Vec2::nearest_on_line(from, to, tee.at)
            };
            if tee.at.distance(nearest) < TEE_SIZE + radius {
                let distance = from.distance(nearest);
                if distance < best {
                    (best, found) = (distance, Some((id, nearest)));
                }
            }
        }
        found
    }
}
