//! The state of a tee that DDNet sends in addition to its core.

use gamewire_tee::core::Core;
use gamewire_tee::tee::Tee;
use gamewire_tee::weapon::weapon_id;
use gamewire_tee::world::World;

use super::capture::Fields;

/// Names of the compared values.
pub(crate) const NAMES: [&str; 4] = ["jumps", "jumped_total", "freeze_end", "flags"];

/// Flags of the state that the movement depends on.
const SOLO: i32 = 1 << 0;
const JETPACK: i32 = 1 << 1;
const COLLISION_DISABLED: i32 = 1 << 2;
const ENDLESS_HOOK: i32 = 1 << 3;
const ENDLESS_JUMP: i32 = 1 << 4;
/// The first of the flags for the hits of hammer, shotgun, grenade launcher and laser.
const HITS: [(usize, i32); 4] = [
    (weapon_id::HAMMER, 1 << 6),
    (weapon_id::SHOTGUN, 1 << 7),
    (weapon_id::GRENADE, 1 << 8),
    (weapon_id::LASER, 1 << 9),
];
const HOOK_HIT_DISABLED: i32 = 1 << 10;
/// The flag of the first weapon.
const WEAPONS: u32 = 14;
const LIVE_FROZEN: i32 = 1 << 20;
const COMPARED: i32 = SOLO
    | JETPACK
    | COLLISION_DISABLED
    | ENDLESS_HOOK
    | ENDLESS_JUMP
    | HOOK_HIT_DISABLED
    | LIVE_FROZEN
    | 0x3c0;

/// Returns the values that the server sent.
pub(crate) fn expected(fields: &Fields) -> [i32; 4] {
    let field = |name: &str| fields.get(name).copied().unwrap_or(0);
    [field("jumps"), field("jumped_total"), field("freeze_end"), field("flags") & COMPARED]
}

/// Returns the values of a computed tee.
pub(crate) fn found(tick: i32, core: &Core, tee: &Tee) -> [i32; 4] {
    let state = &core.ddnet;
    let mut flags = 0;
    for (is_set, flag) in [
        (state.is_solo, SOLO),
        (state.has_jetpack, JETPACK),
        (state.is_collision_disabled, COLLISION_DISABLED),
        (state.has_endless_hook, ENDLESS_HOOK),
        (state.has_endless_jump, ENDLESS_JUMP),
        (state.is_hook_hit_disabled, HOOK_HIT_DISABLED),
        (tee.ddnet.is_live_frozen, LIVE_FROZEN),
    ] {
        flags |= if is_set { flag } else { 0 };
    }
    for (weapon, flag) in HITS {
        flags |= if tee.ddnet.hit_disabled >> weapon & 1 != 0 { flag } else { 0 };
    }
    [state.jumps, state.jumped_total, tee.freeze_end(tick), flags]
}

/// Continues from the values that the server sent.
pub(crate) fn take_over(world: &mut World, tick: i32, id: usize, fields: &Fields) {
    let field = |name: &str| fields.get(name).copied().unwrap_or(0);
    let flags = field("flags");
    if let Some(core) = world.core_mut(id) {
        let state = &mut core.ddnet;
        state.jumps = field("jumps");
        state.jumped_total = field("jumped_total");
        state.is_solo = flags & SOLO != 0;
        state.has_jetpack = flags & JETPACK != 0;
        state.is_collision_disabled = flags & COLLISION_DISABLED != 0;
        state.has_endless_hook = flags & ENDLESS_HOOK != 0;
        state.has_endless_jump = flags & ENDLESS_JUMP != 0;
        state.is_hook_hit_disabled = flags & HOOK_HIT_DISABLED != 0;
    }
    let Some(tee) = world.tee_mut(id) else { return };
    if tee.freeze_end(tick) != field("freeze_end") {
        tee.set_freeze(tick, field("freeze_end"), field("freeze_start"));
    }
    if field("ninja_activation_tick") > 0 {
        tee.ninja.activation_tick = field("ninja_activation_tick");
    }
    tee.ddnet.is_live_frozen = flags & LIVE_FROZEN != 0;
    tee.ddnet.tele_checkpoint = u8::try_from(field("tele_checkpoint")).unwrap_or(0);
    tee.ddnet.hit_disabled = 0;
    for (weapon, flag) in HITS {
        if flags & flag != 0 {
            tee.ddnet.hit_disabled |= 1 << weapon;
        }
    }
    for (weapon, slot) in (0_u32..).zip(tee.weapons.iter_mut()) {
        let is_owned = flags >> (WEAPONS + weapon) & 1 != 0;
        if slot.is_owned != is_owned {
            (slot.is_owned, slot.ammo) = (is_owned, if is_owned { -1 } else { 0 });
        }
    }
}
