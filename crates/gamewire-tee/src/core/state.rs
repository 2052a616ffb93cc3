use crate::collision::Restrictions;
use crate::grid::Grid;
use crate::number::clamp;
use crate::rules::Rules;
use crate::tuning::Tuning;
use crate::vector::Vec2;

/// States of a hook.
pub mod hook_state {
    /// The hook is back, and the key is still held.
    pub const RETRACTED: i32 = -1;
    /// The hook is not in use.
    pub const IDLE: i32 = 0;
    /// The hook begins to return.
    pub const RETRACT_START: i32 = 1;
    /// The hook has returned.
    pub const RETRACT_END: i32 = 3;
    /// The hook flies.
    pub const FLYING: i32 = 4;
    /// The hook holds a tile or a tee.
    pub const GRABBED: i32 = 5;
}

/// Events of a core in a tick, as bits of Teeworlds 0.7.
pub mod events {
    /// A jump from the ground.
    pub const GROUND_JUMP: u32 = 1;
    /// A jump in the air.
    pub const AIR_JUMP: u32 = 2;
    /// The hook holds a tee.
    pub const HOOK_PLAYER: u32 = 4;
    /// The hook holds a tile.
    pub const HOOK_GROUND: u32 = 8;
    /// The hook hit a tile that does not hold it.
    pub const HOOK_NO_HOOK: u32 = 16;
}

/// The state of a tee that its movement depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Core {
    /// Position of the center.
    pub at: Vec2,
    /// Velocity per tick.
    pub velocity: Vec2,
    /// Position of the end of the hook.
    pub hook_at: Vec2,
    /// Direction of the hook.
    pub hook_direction: Vec2,
    /// Ticks for which the hook has held something.
    pub hook_tick: i32,
    /// State of the hook, one of [`hook_state`].
    pub hook_state: i32,
    /// The tee that the hook holds, or -1.
    pub hooked: i32,
    /// Bit 0: the jump key was used. Bit 1: the jump in the air was used.
    pub jumped: i32,
    /// -1 for left, 0 for none, 1 for right.
    pub direction: i32,
    /// Angle of the aim in 256ths of a radian.
    pub angle: i32,
    /// Events of the tick, bits of [`events`].
    pub events: u32,
    /// True if the tee touched a deadly tile in its last move (0.7).
    pub is_dead: bool,
    /// State of DDNet.
    pub ddnet: DdnetCore,
}

/// The part of a core that only DDNet has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DdnetCore {
    /// Jumps that the tee has, normally 2; -1 for one jump in the air only.
    pub jumps: i32,
    /// Jumps used since the tee left the ground.
    pub jumped_total: i32,
    /// Exit of the teleporter that the hook passed, while it flies.
    pub hook_tele_base: Option<Vec2>,
    /// Wall that was touched: 1 right, 2 left, 0 none.
    pub colliding: i32,
    /// True if the tee left the wall of its last wall jump.
    pub left_wall: bool,
    /// True if the tee is in solo.
    pub is_solo: bool,
    /// True if the tee does not collide with others.
    pub is_collision_disabled: bool,
    /// True if the tee cannot hook others.
    pub is_hook_hit_disabled: bool,
    /// True if the tee can jump without limit.
    pub has_endless_jump: bool,
    /// True if the hook holds without limit.
    pub has_endless_hook: bool,
    /// True if the gun is a jetpack.
    pub has_jetpack: bool,
    /// Team of the tee. Tees of different teams pass each other.
    pub team: i32,
    /// True if the flying hook met something in this tick, so that the server sends the core again.
    pub is_reset: bool,
    pub(crate) restrictions: Restrictions,
}

impl DdnetCore {
    const NEW: Self = Self {
        jumps: 2,
        jumped_total: 0,
        hook_tele_base: None,
        colliding: 0,
        left_wall: true,
        is_solo: false,
        is_collision_disabled: false,
        is_hook_hit_disabled: false,
        has_endless_jump: false,
        has_endless_hook: false,
        has_jetpack: false,
        team: 0,
        is_reset: false,
        restrictions: Restrictions::NONE,
    };
}

impl Core {
    /// Creates the core of a tee that spawns at a position.
    #[must_use]
    pub const fn new(at: Vec2) -> Self {
        Self {
            at,
            velocity: Vec2::ZERO,
            hook_at: Vec2::ZERO,
            hook_direction: Vec2::ZERO,
            hook_tick: 0,
            hook_state: hook_state::IDLE,
            hooked: -1,
            jumped: 0,
            direction: 0,
            angle: 0,
            events: 0,
            is_dead: false,
            ddnet: DdnetCore::NEW,
        }
    }
}

/// The surroundings of a core.
#[derive(Clone, Copy, Debug)]
pub struct CoreContext<'a> {
    /// The rules.
    pub rules: Rules,
    /// The tiles.
    pub grid: &'a Grid,
    /// The tunings at the tee.
    pub tuning: &'a Tuning,
    /// Bits of the numbers of DDNet's switches that are off.
    pub open_switches: &'a [u64; 4],
}

impl CoreContext<'_> {
    /// The switches when all are on.
    pub const NO_OPEN_SWITCHES: &'static [u64; 4] = &[0; 4];

    /// Returns the elasticity of walls and floors.
    pub(crate) fn elasticity(&self) -> Vec2 {
        if self.rules != Rules::Ddnet20 {
            return Vec2::ZERO;
        }
        let tuning = self.tuning;
        Vec2::new(clamp(tuning.ground_elasticity_x, -1.0, 1.0), clamp(tuning.ground_elasticity_y, -1.0, 1.0))
    }

    /// Returns whether a switch is on. A switch without a number is always on.
    #[must_use]
    pub fn is_switch_on(&self, number: u8) -> bool {
        let word = self.open_switches.get(usize::from(number >> 6)).copied().unwrap_or(0);
        number == 0 || word >> (number & 63) & 1 == 0
    }
}
