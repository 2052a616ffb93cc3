//! Snapshot objects of 0.7 (docs/protocols/teeworlds.md, "Snapshots").

use crate::shared::definition::objects;
use crate::shared::object::IntText;
pub use crate::shared::objects::*;
use crate::shared::value::{Emote, FROM_ZERO, Team, Tick, Weapon};
use crate::v07::value::{
    CoreEventFlags, GameFlags, GameStateFlags, PickupKind, PlayerFlags, RaceFlags, SpecMode,
};

objects! {
    /// A snapshot object of 0.7.
    pub enum Object: i32, golden "v07/object";

    /// The input of a player for one tick.
    1 => PlayerInput "player_input" {
        direction: i32 as -1..=1,
        target_x: i32,
        target_y: i32,
        jump: bool,
        fire: i32,
        hook: bool,
        player_flags: PlayerFlags,
        wanted_weapon: i32 as 0..=6,
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
        start_tick: Tick as FROM_ZERO,
    }
    /// A laser beam.
    3 => Laser "laser" {
        x: i32,
        y: i32,
        from_x: i32,
        from_y: i32,
        start_tick: Tick as FROM_ZERO,
    }
    /// A pickup.
    4 => Pickup "pickup" {
        x: i32,
        y: i32,
        kind: PickupKind,
    }
    5 => Flag "flag";
    /// State of the game.
    6 => GameData "game_data" {
        game_start_tick: Tick as FROM_ZERO,
        game_state_flags: GameStateFlags,
        game_state_end_tick: Tick as FROM_ZERO,
    }
    /// The scores of the teams.
    7 => GameDataTeam "game_data_team" {
        teamscore_red: i32,
        teamscore_blue: i32,
    }
    /// State of the flags.
    8 => GameDataFlag "game_data_flag" {
        flag_carrier_red: i32 as -3..=63,
        flag_carrier_blue: i32 as -3..=63,
        flag_drop_tick_red: Tick as FROM_ZERO,
        flag_drop_tick_blue: Tick as FROM_ZERO,
    }
    /// Position and movement of a character.
    9 => CharacterCore "character_core" {
        tick: Tick as FROM_ZERO,
        x: i32,
        y: i32,
        vel_x: i32,
        vel_y: i32,
        angle: i32,
        direction: i32 as -1..=1,
        jumped: i32 as 0..=3,
        hooked_player: i32 as -1..=63,
        hook_state: i32 as -1..=5,
        hook_tick: Tick as FROM_ZERO,
        hook_x: i32,
        hook_y: i32,
        hook_dx: i32,
        hook_dy: i32,
    }
    /// A character in the world.
    10 => Character "character" {
        core: CharacterCore,
        health: i32 as 0..=10,
        armor: i32 as 0..=10,
        ammo_count: i32,
        weapon: Weapon as -1..=5,
        emote: Emote,
        attack_tick: Tick as FROM_ZERO,
        triggered_events: CoreEventFlags,
    }
    /// A player, in the world or not.
    11 => PlayerInfo "player_info" {
        player_flags: PlayerFlags,
        score: i32,
        latency: i32,
    }
    /// View of a spectator.
    12 => SpectatorInfo "spectator_info" {
        spec_mode: SpecMode,
        spectator_id: i32 as -1..=63,
        x: i32,
        y: i32,
    }
    /// Name and appearance of a player; only in demos.
    13 => DeClientInfo "demo_client_info" {
        local: bool,
        team: Team,
        name: IntText<4>,
        clan: IntText<3>,
        country: i32,
        skin_part_names: [IntText<6>; 6],
        use_custom_colors: [bool; 6],
        skin_part_colors: [i32; 6],
    }
    /// Kind and limits of the game; only in demos.
    14 => DeGameInfo "demo_game_info" {
        game_flags: GameFlags,
        score_limit: i32 as 0..=i32::MAX,
        time_limit: i32 as 0..=i32::MAX,
        match_num: i32 as 0..=i32::MAX,
        match_current: i32 as 0..=i32::MAX,
    }
    /// Physics of the game; only in demos.
    15 => DeTuneParams "demo_tune_params" {
        tune_params: [i32; 32],
    }
    16 => Common "common";
    17 => Explosion "explosion";
    18 => Spawn "spawn";
    19 => HammerHit "hammer_hit";
    /// A character died.
    20 => Death "death" {
        at: Common,
        client_id: i32 as 0..=63,
    }
    21 => SoundWorld "sound_world";
    /// Damage that a player took.
    22 => Damage "damage" {
        at: Common,
        client_id: i32 as 0..=63,
        angle: i32,
        health_amount: i32 as 0..=9,
        armor_amount: i32 as 0..=9,
        /// The player damaged itself.
        self_damage: bool,
    }
    /// Start of a player's race.
    23 => PlayerInfoRace "player_info_race" {
        race_start_tick: Tick as FROM_ZERO,
    }
    /// State of the race.
    24 => GameDataRace "game_data_race" {
        best_time: i32 as -1..=i32::MAX,
        precision: i32 as 0..=3,
        race_flags: RaceFlags,
    }
}
