use super::state::{Core, CoreContext, events, hook_state};
use crate::collision::HookLineHit;
use crate::rules::{Rules, TEE_SIZE};
use crate::vector::Vec2;

/// Ticks after which a hook releases a tee.
const MAX_HOLD_TICKS: i32 = 60;
/// Length below which a hook does not pull.
const MIN_PULL_LENGTH: f32 = 46.0;

/// The tile that a flying hook reaches.
enum Ground {
    None,
    Solid,
    Unhookable,
    Teleporter(u8),
}

impl Core {
    /// Moves the hook, and pulls the tee toward it.
    pub(super) fn tick_hook(
        &mut self,
        context: &CoreContext<'_>,
        id: usize,
        others: &[Option<Self>],
        aim: Vec2,
    ) {
        match self.hook_state {
            hook_state::IDLE => {
                self.hooked = -1;
                self.hook_at = self.at;
            }
            hook_state::RETRACT_START..hook_state::RETRACT_END => {
                self.hook_state = self.hook_state.wrapping_add(1);
            }
            hook_state::RETRACT_END => self.hook_state = hook_state::RETRACTED,
            hook_state::FLYING => self.fly_hook(context, id, others, aim),
            _ => {}
        }
        if self.hook_state == hook_state::GRABBED {
            self.pull(context, id, others);
        }
        if self.hook_state != hook_state::FLYING {
            self.ddnet.hook_tele_base = None;
        }
    }

    fn fly_hook(&mut self, context: &CoreContext<'_>, id: usize, others: &[Option<Self>], aim: Vec2) {
        let CoreContext { rules, grid, tuning, .. } = *context;
        let is_ddnet = rules.is_ddnet();
        let mut next = self.hook_at + self.hook_direction * tuning.hook_fire_speed;
        let base = self.ddnet.hook_tele_base.unwrap_or(self.at);
        if base.distance(next) > tuning.hook_length {
            self.hook_state = hook_state::RETRACT_START;
            let center = if rules == Rules::Ddnet16 { self.at } else { base };
            next = center + (next - center).normalized(is_ddnet) * tuning.hook_length;
            self.ddnet.is_reset = true;
        }
        let ground = if is_ddnet {
            match grid.intersect_hook_line(rules, self.hook_at, next) {
                None => Ground::None,
                Some(HookLineHit::Ground(at)) => {
                    next = at;
                    Ground::Solid
                }
                Some(HookLineHit::Unhookable(at)) => {
                    next = at;
                    Ground::Unhookable
                }
                Some(HookLineHit::Teleporter(at, number)) => {
                    next = at;
                    Ground::Teleporter(number)
                }
            }
        } else {
            match grid.intersect_line(rules, self.hook_at, next) {
                None => Ground::None,
                Some(hit) => {
                    next = hit.at;
                    if hit.is_unhookable { Ground::Unhookable } else { Ground::Solid }
                }
            }
        };
        if !matches!(ground, Ground::None) {
            self.ddnet.is_reset = true;
        }
        if tuning.player_hooking != 0.0 {
            self.hook_player(rules, id, others, next);
        }
        if self.hook_state == hook_state::FLYING {
            match ground {
                Ground::Solid => {
                    self.events |= events::HOOK_GROUND;
                    self.hook_state = hook_state::GRABBED;
                }
                Ground::Unhookable => {
                    self.events |= events::HOOK_NO_HOOK;
                    self.hook_state = hook_state::RETRACT_START;
                }
                Ground::Teleporter(number) => {
                    let mut outs = grid.tele_outs.iter().filter(|(out, _)| *out == number);
                    if let Some((_, out)) = outs.next() {
                        self.events = 0;
                        self.hooked = -1;
                        let from = *out + aim * TEE_SIZE * 1.5;
                        self.hook_at = from;
                        self.hook_direction = aim;
                        self.ddnet.hook_tele_base = Some(from);
                        return;
                    }
                }
                Ground::None => {}
            }
            self.hook_at = next;
        }
    }

    /// Lets the flying hook hold the nearest tee on its way.
    fn hook_player(&mut self, rules: Rules, id: usize, others: &[Option<Self>], next: Vec2) {
        let is_ddnet = rules.is_ddnet();
        if is_ddnet && (self.ddnet.is_hook_hit_disabled || self.ddnet.is_solo) {
            return;
        }
        let can_hook = self.hook_state == hook_state::FLYING || self.ddnet.hook_tele_base.is_none();
        if rules == Rules::Ddnet20 && !can_hook {
            return;
        }
        let mut best = 0.0;
        for (other_id, other) in (0_i32..).zip(others) {
            let Some(other) = other.as_ref().filter(|_| usize::try_from(other_id) != Ok(id)) else {
                continue;
            };
            if is_ddnet && (other.ddnet.is_solo || other.ddnet.team != self.ddnet.team) {
                continue;
            }
            let nearest = if is_ddnet {
                let Some(nearest) = Vec2::nearest_on_line_ddnet(self.hook_at, next, other.at) else {
                    continue;
                };
                nearest
            } else {
                Vec2::nearest_on_line(self.hook_at, next, other.at)
            };
            let distance = self.hook_at.distance(other.at);
            if other.at.distance(nearest) < TEE_SIZE + 2.0 && (self.hooked == -1 || distance < best) {
                self.events |= events::HOOK_PLAYER;
                self.hook_state = hook_state::GRABBED;
                self.hooked = other_id;
                best = distance;
            }
        }
    }

    /// Pulls the tee toward a hook that holds.
    fn pull(&mut self, context: &CoreContext<'_>, id: usize, others: &[Option<Self>]) {
        let CoreContext { rules, tuning, .. } = *context;
        let is_ddnet = rules.is_ddnet();
        let target = usize::try_from(self.hooked).ok().filter(|hooked| *hooked != id);
        let target = target.and_then(|hooked| others.get(hooked)).and_then(Option::as_ref);
        let target = target.filter(|other| !is_ddnet || other.ddnet.team == self.ddnet.team);
        if self.hooked != -1 {
            match target {
                Some(target) => self.hook_at = target.at,
                None => self.release_hook(),
            }
        }
        if self.hooked == -1 && self.hook_at.distance(self.at) > MIN_PULL_LENGTH {
            let mut pull = (self.hook_at - self.at).normalized(is_ddnet) * tuning.hook_drag_accel;
            if pull.y > 0.0 {
                pull.y *= 0.3;
            }
            let is_supported = pull.x < 0.0 && self.direction < 0 || pull.x > 0.0 && self.direction > 0;
            pull.x *= if is_supported { 0.95 } else { 0.75 };
            let velocity = self.velocity + pull;
            let speed = velocity.length();
            if speed < tuning.hook_drag_speed || speed < self.velocity.length() {
                self.velocity = velocity;
            }
        }
        self.hook_tick = self.hook_tick.wrapping_add(1);
        if self.hooked != -1 && (self.hook_tick > MAX_HOLD_TICKS || target.is_none()) {
            self.release_hook();
        }
    }

    /// Releases the hook. The tee does not fire it again until the player has released the key.
    pub(crate) fn release_hook(&mut self) {
        self.hooked = -1;
        self.hook_state = hook_state::RETRACTED;
        self.hook_at = self.at;
    }
}
