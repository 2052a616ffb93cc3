//! The character of a player.

use crate::collision::Restrictions;
use crate::input::TeeInput;
use crate::rules::Rules;
use crate::vector::Vec2;
use crate::weapon::{MAX_AMMO, WeaponSlot, weapon_id};

/// The character of a player, without its core: weapons, health and the state of DDNet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tee {
    /// Position after the last move.
    pub at: Vec2,
    /// Position before the last move (DDNet).
    pub(crate) previous_at: Vec2,
    /// True if the input is not known: the tee moves by dead reckoning, as clients show the tees of others.
    pub is_reckoned: bool,
    /// Input of the movement.
    pub(crate) input: TeeInput,
    /// Input of DDNet before freezing changed it.
    pub(crate) saved_input: TeeInput,
    /// Inputs of the weapons.
    pub(crate) latest: TeeInput,
    pub(crate) latest_previous: TeeInput,
    /// Number of inputs since the tee spawned, up to a few.
    pub(crate) inputs: u8,
    /// The weapons by [`weapon_id`].
    pub weapons: [WeaponSlot; weapon_id::COUNT],
    /// Weapon in the hand.
    pub active_weapon: usize,
    /// Weapon before it.
    pub last_weapon: usize,
    /// Weapon that replaces the active one when it is reloaded.
    pub queued_weapon: Option<usize>,
    /// Ticks until the weapon can fire.
    pub reload: i32,
    /// Tick of the last attack.
    pub attack_tick: i32,
    /// Health, up to 10.
    pub health: i32,
    /// Armor, up to 10.
    pub armor: i32,
    /// The ninja.
    pub ninja: Ninja,
    /// State of DDNet.
    pub ddnet: DdnetTee,
}

/// The state of a ninja.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ninja {
    /// Tick at which the tee became a ninja.
    pub activation_tick: i32,
    /// Ticks of the dash that are left.
    pub move_ticks: i32,
    pub(crate) direction: Vec2,
    pub(crate) old_speed: i32,
    /// Bits of the tees that the dash has hit.
    pub(crate) hit: [u64; 2],
}

/// The part of a character that only DDNet has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DdnetTee {
    /// Ticks for which the tee is frozen.
    pub freeze_ticks: i32,
    /// Tick at which the tee was frozen.
    pub freeze_start: i32,
    /// True if the tee freezes again and again.
    pub is_deep_frozen: bool,
    /// True if the tee cannot move but hook and shoot.
    pub is_live_frozen: bool,
    /// True if the tee was unfrozen in this tick, so that a held key fires.
    pub(crate) was_frozen: bool,
    /// Bits of the weapons that do not hit other tees.
    pub hit_disabled: u8,
    /// Number of the last teleport checkpoint.
    pub tele_checkpoint: u8,
    /// Tune zone.
    pub tune_zone: u8,
    /// True if the tee is on a tile that refills jumps.
    pub(crate) is_refilling: bool,
    pub(crate) restrictions: Restrictions,
}

impl Tee {
    /// Creates the character of a tee that spawns.
    #[must_use]
    pub fn new(rules: Rules, at: Vec2) -> Self {
        let mut weapons = [WeaponSlot { regeneration_start: -1, ..WeaponSlot::default() }; weapon_id::COUNT];
        let [hammer, gun, ..] = &mut weapons;
        (hammer.is_owned, hammer.ammo) = (true, -1);
        (gun.is_owned, gun.ammo) = (true, if rules.is_ddnet() { -1 } else { MAX_AMMO });
        let input = TeeInput::at_spawn(rules);
        Self {
            at,
            previous_at: at,
            is_reckoned: false,
            input,
            saved_input: input,
            latest: input,
            latest_previous: input,
            inputs: 0,
            weapons,
            active_weapon: weapon_id::GUN,
            last_weapon: weapon_id::HAMMER,
            queued_weapon: None,
            reload: 0,
            attack_tick: 0,
            health: 10,
            armor: 0,
            ninja: Ninja::default(),
            ddnet: DdnetTee {
                freeze_ticks: 0,
                freeze_start: 0,
                is_deep_frozen: false,
                is_live_frozen: false,
                was_frozen: false,
                hit_disabled: 0,
                tele_checkpoint: 0,
                tune_zone: 0,
                is_refilling: false,
                restrictions: Restrictions::NONE,
            },
        }
    }

    /// Moves the character to the position of its core, without a way between that passes tiles.
    pub const fn place(&mut self, at: Vec2) {
        self.at = at;
        self.previous_at = at;
    }

    /// Sets the freezing of a tee of DDNet, as snapshots show it: the tick at which it ends, 0 for none and -1 for a deep
    /// freeze, and the tick at which it began.
    pub const fn set_freeze(&mut self, tick: i32, end: i32, start: i32) {
        self.ddnet.is_deep_frozen = end == -1;
        self.ddnet.freeze_start = start;
        self.ddnet.freeze_ticks = match end {
            0 => 0,
            -1 => 150,
            _ => end.saturating_sub(tick),
        };
    }

    /// Returns the freezing of a tee of DDNet at a tick, as snapshots show it.
    #[must_use]
    pub const fn freeze_end(&self, tick: i32) -> i32 {
        if self.ddnet.is_deep_frozen {
            -1
        } else if self.ddnet.freeze_ticks == 0 {
            0
        } else {
            tick.saturating_add(self.ddnet.freeze_ticks)
        }
    }

    /// Returns the input of the movement.
    #[must_use]
    pub const fn input(&self) -> &TeeInput {
        &self.input
    }

    /// Returns the slot of the weapon in the hand.
    pub(crate) fn active_slot(&mut self) -> Option<&mut WeaponSlot> {
        self.weapons.get_mut(self.active_weapon)
    }

    /// Returns whether the hits of a weapon are off (DDNet).
    pub(crate) const fn is_hit_disabled(&self, weapon: usize) -> bool {
        self.ddnet.hit_disabled >> weapon & 1 != 0
    }
}
