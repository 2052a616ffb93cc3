use super::state::Core;
use crate::number::{float, round};
use crate::vector::Vec2;

/// A core as snapshots contain it, without its tick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CoreItem {
    /// Position to the right.
    pub x: i32,
    /// Position downwards.
    pub y: i32,
    /// Velocity to the right, in 256ths.
    pub velocity_x: i32,
    /// Velocity downwards, in 256ths.
    pub velocity_y: i32,
    /// Angle of the aim in 256ths of a radian.
    pub angle: i32,
    /// -1 for left, 0 for none, 1 for right.
    pub direction: i32,
    /// Bit 0: the jump key was used. Bit 1: the jump in the air was used.
    pub jumped: i32,
    /// The tee that the hook holds, or -1.
    pub hooked: i32,
    /// State of the hook.
    pub hook_state: i32,
    /// Ticks for which the hook has held something.
    pub hook_tick: i32,
    /// Position of the end of the hook to the right.
    pub hook_x: i32,
    /// Position of the end of the hook downwards.
    pub hook_y: i32,
    /// Direction of the hook to the right, in 256ths.
    pub hook_dx: i32,
    /// Direction of the hook downwards, in 256ths.
    pub hook_dy: i32,
}

impl CoreItem {
    /// Names of the values in the order of [`CoreItem::to_wire`].
    pub const NAMES: [&'static str; 14] = [
        "x",
        "y",
        "vel_x",
        "vel_y",
        "angle",
        "direction",
        "jumped",
        "hooked_player",
        "hook_state",
        "hook_tick",
        "hook_x",
        "hook_y",
        "hook_dx",
        "hook_dy",
    ];

    /// Returns the values in the order of the wire, without the tick.
    #[must_use]
    pub const fn to_wire(&self) -> [i32; 14] {
        [
            self.x,
            self.y,
            self.velocity_x,
            self.velocity_y,
            self.angle,
            self.direction,
            self.jumped,
            self.hooked,
            self.hook_state,
            self.hook_tick,
            self.hook_x,
            self.hook_y,
            self.hook_dx,
            self.hook_dy,
        ]
    }

    /// Creates an item from values in the order of the wire, without the tick.
    #[must_use]
    pub const fn from_wire(ints: [i32; 14]) -> Self {
        let [x, y, velocity_x, velocity_y, angle, direction, jumped, hooked, rest @ ..] = ints;
        let [hook_state, hook_tick, hook_x, hook_y, hook_dx, hook_dy] = rest;
        Self {
            x,
            y,
            velocity_x,
            velocity_y,
            angle,
            direction,
            jumped,
            hooked,
            hook_state,
            hook_tick,
            hook_x,
            hook_y,
            hook_dx,
            hook_dy,
        }
    }
}

impl Core {
    /// Returns the core as a snapshot contains it.
    #[must_use]
    pub fn to_item(&self) -> CoreItem {
        CoreItem {
            x: round(self.at.x),
            y: round(self.at.y),
            velocity_x: round(self.velocity.x * 256.0),
            velocity_y: round(self.velocity.y * 256.0),
            angle: self.angle,
            direction: self.direction,
            jumped: self.jumped,
            hooked: self.hooked,
            hook_state: self.hook_state,
            hook_tick: self.hook_tick,
            hook_x: round(self.hook_at.x),
            hook_y: round(self.hook_at.y),
            hook_dx: round(self.hook_direction.x * 256.0),
            hook_dy: round(self.hook_direction.y * 256.0),
        }
    }

    /// Sets the values of a snapshot. The state of DDNet stays.
    pub fn set_item(&mut self, item: &CoreItem) {
        self.at = Vec2::new(float(item.x), float(item.y));
        self.velocity = Vec2::new(float(item.velocity_x) / 256.0, float(item.velocity_y) / 256.0);
        self.hook_at = Vec2::new(float(item.hook_x), float(item.hook_y));
        self.hook_direction = Vec2::new(float(item.hook_dx) / 256.0, float(item.hook_dy) / 256.0);
        self.hook_tick = item.hook_tick;
        self.hook_state = item.hook_state;
        self.hooked = item.hooked;
        self.jumped = item.jumped;
        self.direction = item.direction;
        self.angle = item.angle;
    }

    /// Rounds the core to the precision of snapshots, as servers do after each tick.
    pub fn quantize(&mut self) {
        let item = self.to_item();
        self.set_item(&item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_is_read_back_without_loss() {
        let ints = [1, -2, 3, -4, 5, -1, 3, 7, 5, 11, 12, 13, 255, -256];
        let mut core = Core::new(Vec2::ZERO);
        core.set_item(&CoreItem::from_wire(ints));
        assert_eq!(core.to_item().to_wire(), ints);
    }

    #[test]
    fn an_undefined_velocity_becomes_the_smallest_one() {
        let mut core = Core::new(Vec2::ZERO);
        core.velocity.x = f32::NAN;
        core.quantize();
        assert_eq!(core.velocity.x, -8_388_608.0);
    }
}
