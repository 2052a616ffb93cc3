use super::state::{Core, CoreContext, events, hook_state};
use crate::elementary::{PI, atan2, atan2f, atanf};
use crate::input::TeeInput;
use crate::number::{float, saturated_add, truncate};
use crate::rules::{Rules, TEE_SIZE};
use crate::vector::Vec2;

/// Maximum speed of a tee per tick.
const MAX_SPEED: f32 = 6000.0;

impl Core {
    /// Changes the velocity and the hook by the rules of a tick. `input` is missing for dead reckoning. `others` are the
    /// tees by their id, without this one.
    pub fn tick(
        &mut self,
        context: &CoreContext<'_>,
        id: usize,
        others: &mut [Option<Self>],
        input: Option<&TeeInput>,
    ) {
        self.tick_control(context, id, others, input);
        self.tick_players(context, id, others);
    }

    /// Applies gravity, input and hook.
    fn tick_control(
        &mut self,
        context: &CoreContext<'_>,
        id: usize,
        others: &[Option<Self>],
        input: Option<&TeeInput>,
    ) {
        let CoreContext { rules, grid, tuning, .. } = *context;
        if rules.is_ddnet() {
            self.ddnet.is_reset = false;
            let blocks = |number| input.is_some() && context.is_switch_on(number);
            self.ddnet.restrictions = grid.restrictions(self.at, None, blocks);
        }
        self.events = 0;
        let is_grounded = self.is_grounded(context);
        self.velocity.y += tuning.gravity;
        let (max_speed, accel, friction) = if is_grounded {
            (tuning.ground_control_speed, tuning.ground_control_accel, tuning.ground_friction)
        } else {
            (tuning.air_control_speed, tuning.air_control_accel, tuning.air_friction)
        };
        let mut aim = Vec2::ZERO;
        if let Some(input) = input {
            aim = aim_of(rules, input);
            self.direction = input.direction;
            self.angle = angle(rules, input);
            self.jump(context, is_grounded, input.jump != 0);
            self.start_hook(context, aim, input.hook != 0);
        }
        let touches_ground = |core: &mut Self| {
            if is_grounded {
                core.jumped &= !2;
                core.ddnet.jumped_total = 0;
            }
        };
        if rules.is_ddnet() {
            touches_ground(self);
        }
        match self.direction {
            i32::MIN..0 => self.velocity.x = saturated_add(-max_speed, max_speed, self.velocity.x, -accel),
            0 => self.velocity.x *= friction,
            1.. => self.velocity.x = saturated_add(-max_speed, max_speed, self.velocity.x, accel),
        }
        if !rules.is_ddnet() {
            touches_ground(self);
        }
        self.tick_hook(context, id, others, aim);
    }

    /// Returns whether the tee stands on a solid tile.
    #[must_use]
    pub fn is_grounded(&self, context: &CoreContext<'_>) -> bool {
        let half = TEE_SIZE / 2.0;
        let y = self.at.y + half + 5.0;
        context.grid.is_solid(Vec2::new(self.at.x + half, y))
            || context.grid.is_solid(Vec2::new(self.at.x - half, y))
    }

    fn jump(&mut self, context: &CoreContext<'_>, is_grounded: bool, is_held: bool) {
        if !is_held {
            self.jumped &= !1;
            return;
        }
        if self.jumped & 1 != 0 {
            return;
        }
        let is_ddnet = context.rules.is_ddnet();
        let can_leave_ground = !is_ddnet || self.jumped & 2 == 0 || self.ddnet.jumps != 0;
        if is_grounded && can_leave_ground {
            self.events |= events::GROUND_JUMP;
            self.velocity.y = -context.tuning.ground_jump_impulse;
            self.jumped |= if !is_ddnet || self.ddnet.jumps > 1 { 1 } else { 3 };
            self.ddnet.jumped_total = 0;
        } else if self.jumped & 2 == 0 {
            self.events |= events::AIR_JUMP;
            self.velocity.y = -context.tuning.air_jump_impulse;
            self.jumped |= 3;
            self.ddnet.jumped_total = self.ddnet.jumped_total.wrapping_add(1);
        }
    }

    fn start_hook(&mut self, context: &CoreContext<'_>, aim: Vec2, is_held: bool) {
        if !is_held {
            self.hooked = -1;
            self.hook_state = hook_state::IDLE;
            self.hook_at = self.at;
        } else if self.hook_state == hook_state::IDLE {
            self.hook_state = hook_state::FLYING;
            self.hook_at = self.at + aim * TEE_SIZE * 1.5;
            self.hook_direction = aim;
            self.hooked = -1;
            self.hook_tick = if context.rules.is_ddnet() {
                truncate(50.0 * (1.25 - context.tuning.hook_duration))
            } else {
                0
            };
        }
    }

    /// Limits the speed, so that the tee stays on the map.
    pub(super) fn limit_speed(&mut self, rules: Rules) {
        if self.velocity.length() > MAX_SPEED {
            self.velocity = self.velocity.normalized(rules.is_ddnet()) * MAX_SPEED;
        }
    }
}

/// Returns the direction of an aim.
pub(super) fn aim_of(rules: Rules, input: &TeeInput) -> Vec2 {
    Vec2::new(float(input.target_x), float(input.target_y)).normalized(rules.is_ddnet())
}

/// Returns the angle of an aim in 256ths of a radian.
fn angle(rules: Rules, input: &TeeInput) -> i32 {
    let (x, y) = (float(input.target_x), float(input.target_y));
    match rules {
        Rules::Teeworlds06 => {
            let mut angle = if x == 0.0 { atanf(y) } else { atanf(y / x) };
            if x < 0.0 {
                angle += PI;
            }
            truncate(angle * 256.0)
        }
        Rules::Teeworlds07 => truncate(atan2f(y, x) * 256.0),
        Rules::Ddnet16 | Rules::Ddnet20 => {
            let angle = if rules == Rules::Ddnet16 {
                atan2f(y, x)
            } else {
                atan2(f64::from(input.target_y), f64::from(input.target_x)) as f32
            };
            if angle < -(PI / 2.0) { truncate((angle + 2.0 * PI) * 256.0) } else { truncate(angle * 256.0) }
        }
    }
}
