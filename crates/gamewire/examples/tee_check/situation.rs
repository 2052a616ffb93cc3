//! Properties of a tee that follow from its state.

use gamewire_tee::core::{CoreContext, CoreItem, evolve};
use gamewire_tee::tuning::Tuning;
use gamewire_tee::world::World;

use super::capture::{Recording, SeenTee};

/// Maximum number of ticks that a core is evolved, as in the games' clients.
const MAX_EVOLVED: i32 = 1000;

/// Returns the core of the server at the tick of a snapshot.
pub(crate) fn server_core(world: &World, defaults: &Tuning, tick: i32, seen: &SeenTee) -> CoreItem {
    let ticks = tick.saturating_sub(seen.core_tick);
    if seen.core_tick == 0 || !(0..=MAX_EVOLVED).contains(&ticks) {
        return seen.core;
    }
    let context = CoreContext {
        rules: world.rules,
        grid: world.grid(),
        tuning: defaults,
        open_switches: CoreContext::NO_OPEN_SWITCHES,
    };
    evolve(&context, &seen.core, ticks.unsigned_abs())
}

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

/// Returns whether a tee died and spawned since the snapshot before: it has just spawned, the server announced its death, or
/// its last attack is older than before.
pub(crate) fn is_next_life(
    recording: &Recording,
    before: &World,
    id: usize,
    seen: &SeenTee,
    tick: i32,
) -> bool {
    let was_new = before.core(id).is_some_and(|core| is_new(&core.to_item()));
    is_new(&seen.core) && !was_new
        || recording.has_died(id, before.tick, tick)
        || before.tee(id).is_some_and(|tee| seen.attack_tick < tee.attack_tick)
}
