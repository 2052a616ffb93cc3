//! Properties of a tee that follow from its state.

use gamewire_tee::core::CoreItem;
use gamewire_tee::world::World;

/// Returns the number of ticks that a weapon needs to reload after an attack without a hit.
pub(crate) const fn reload_after(weapon: usize) -> i32 {
    match weapon {
        0 | 1 => 6,
        2 | 3 => 25,
        _ => 40,
    }
}

/// Returns whether a tee has just spawned, by its core: its hook has no position yet.
pub(crate) const fn is_new(core: &CoreItem) -> bool {
    core.hook_x == 0
        && core.hook_y == 0
        && core.velocity_x == 0
        && core.velocity_y == 0
        && core.hook_state == 0
}

/// Returns whether the hook of a tee flies from the exit of a teleporter.
pub(crate) fn has_teleported_hook(world: &World, id: usize) -> bool {
    world.core(id).is_some_and(|core| core.ddnet.hook_tele_base.is_some())
}
