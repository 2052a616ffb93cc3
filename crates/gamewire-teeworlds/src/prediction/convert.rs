//! Conversions between the items of snapshots and the cores of the movement.

use gamewire_tee::core::CoreItem;
use gamewire_tee::input::TeeInput;

use crate::model::message::{ClientId, Input};
use crate::model::world::{Character, HookState};

/// Returns the core of a character.
pub(super) fn core_of(character: &Character) -> CoreItem {
    let hook = &character.hook;
    CoreItem {
        x: character.x,
        y: character.y,
        velocity_x: character.vel_x,
        velocity_y: character.vel_y,
        angle: character.angle,
        direction: character.direction,
        jumped: character.jumped,
        hooked: ClientId::to_wire(hook.player),
        hook_state: hook.state.0,
        hook_tick: hook.tick,
        hook_x: hook.x,
        hook_y: hook.y,
        hook_dx: hook.dx,
        hook_dy: hook.dy,
    }
}

/// Sets the core of a character at a tick.
pub(super) fn set_core(character: &mut Character, core: &CoreItem, tick: i32) {
    character.tick = tick;
    (character.x, character.y) = (core.x, core.y);
    (character.vel_x, character.vel_y) = (core.velocity_x, core.velocity_y);
    (character.angle, character.direction, character.jumped) = (core.angle, core.direction, core.jumped);
    let hook = &mut character.hook;
    hook.player = ClientId::from_wire(core.hooked);
    (hook.state, hook.tick) = (HookState(core.hook_state), core.hook_tick);
    (hook.x, hook.y) = (core.hook_x, core.hook_y);
    (hook.dx, hook.dy) = (core.hook_dx, core.hook_dy);
}

impl From<&TeeInput> for Input {
    fn from(input: &TeeInput) -> Self {
        Self {
            direction: input.direction,
            target_x: input.target_x,
            target_y: input.target_y,
            jump: input.jump != 0,
            fire: input.fire,
            hook: input.hook != 0,
            player_flags: input.player_flags,
            wanted_weapon: input.wanted_weapon,
            next_weapon: input.next_weapon,
            prev_weapon: input.prev_weapon,
        }
    }
}

/// Returns an input in the form of the movement.
pub(super) fn tee_input(input: &Input) -> TeeInput {
    TeeInput {
        direction: input.direction,
        target_x: input.target_x,
        target_y: input.target_y,
        jump: input.jump.into(),
        fire: input.fire,
        hook: input.hook.into(),
        player_flags: input.player_flags,
        wanted_weapon: input.wanted_weapon,
        next_weapon: input.next_weapon,
        prev_weapon: input.prev_weapon,
    }
}
