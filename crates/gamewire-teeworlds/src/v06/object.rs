//! Snapshot objects of 0.6 (docs/protocols/teeworlds.md, "Snapshots").
//!
//! The ranges are from DDNet 20. They include the narrower ranges of Teeworlds.

use crate::shared::definition::objects;
use crate::shared::object::IntText;
pub use crate::shared::objects::*;
use crate::shared::value::{Emote, Powerup, Sound, Team, Tick, Weapon};
use crate::v06::value::{GameFlags, GameStateFlags, PlayerFlags};

objects! {
    /// A snapshot object of 0.6.
    pub enum Object: i32, golden "v06/object";

    /// The input of a player for one tick.
    1 => PlayerInput "player_input" {
        direction: i32,
        target_x: i32,
        target_y: i32,
        jump: i32,
        fire: i32,
        hook: i32,
        player_flags: PlayerFlags,
        wanted_weapon: i32,
        next_weapon: i32,
        prev_weapon: i32,
    }
    /// A projectile, described by the position and tick of its shot.
    2 => Projectile "projectile" {
        x: i32,
        y: i32,
        vel_x: i32,
        vel_y: i32,
        kind: Weapon,
        start_tick: Tick,
    }
    /// A laser beam.
    3 => Laser "laser" {
        x: i32,
        y: i32,
        from_x: i32,
        from_y: i32,
        start_tick: Tick,
    }
    /// A pickup.
    4 => Pickup "pickup" {
        x: i32,
        y: i32,
        kind: Powerup as 0..=i32::MAX,
        subtype: i32 as 0..=i32::MAX,
    }
    5 => Flag "flag";
    /// Kind, state and limits of the game.
    6 => GameInfo "game_info" {
        game_flags: GameFlags,
        game_state_flags: GameStateFlags,
        round_start_tick: Tick,
        warmup_timer: i32,
        score_limit: i32 as 0..=i32::MAX,
        time_limit: i32 as 0..=i32::MAX,
        round_num: i32 as 0..=i32::MAX,
        round_current: i32 as 0..=i32::MAX,
    }
    /// State of the game.
    7 => GameData "game_data" {
        teamscore_red: i32,
        teamscore_blue: i32,
        flag_carrier_red: i32 as -3..=127,
        flag_carrier_blue: i32 as -3..=127,
    }
    /// Position and movement of a character.
    8 => CharacterCore "character_core" {
        tick: i32,
        x: i32,
        y: i32,
        vel_x: i32,
        vel_y: i32,
        angle: i32,
        direction: i32 as -1..=1,
        jumped: i32 as 0..=3,
        hooked_player: i32 as -1..=127,
        hook_state: i32 as -1..=5,
        hook_tick: i32,
        hook_x: i32,
        hook_y: i32,
        hook_dx: i32,
        hook_dy: i32,
    }
    /// A character in the world.
    9 => Character "character" {
        core: CharacterCore,
        player_flags: PlayerFlags,
        health: i32 as 0..=10,
        armor: i32 as 0..=10,
        ammo_count: i32 as -1..=10,
        weapon: Weapon as -1..=5,
        emote: Emote,
        attack_tick: i32 as 0..=i32::MAX,
    }
    /// A player, in the world or not.
    10 => PlayerInfo "player_info" {
        local: i32 as 0..=1,
        client_id: i32 as 0..=127,
        team: Team,
        score: i32,
        latency: i32,
    }
    /// Name and appearance of a player.
    11 => ClientInfo "client_info" {
        name: IntText<4>,
        clan: IntText<3>,
        country: i32,
        skin: IntText<6>,
        use_custom_color: i32 as 0..=1,
        color_body: i32,
        color_feet: i32,
    }
    /// View of a spectator.
    12 => SpectatorInfo "spectator_info" {
        spectator_id: i32 as -1..=127,
        x: i32,
        y: i32,
    }
    13 => Common "common";
    14 => Explosion "explosion";
    15 => Spawn "spawn";
    16 => HammerHit "hammer_hit";
    /// A character died.
    17 => Death "death" {
        at: Common,
        client_id: i32 as 0..=127,
    }
    /// A sound for all players.
    18 => SoundGlobal "sound_global" {
        at: Common,
        sound_id: Sound,
    }
    19 => SoundWorld "sound_world";
    /// Damage, shown as stars.
    20 => DamageInd "damage_ind" {
        at: Common,
        angle: i32,
    }
}
