//! DDNet's snapshot objects, identified by UUID (docs/protocols/teeworlds.md, "Snapshots"). Newer releases append
//! fields. The appended fields have the defaults of DDNet 20.1.

use crate::shared::definition::objects;
use crate::shared::extended::value::{
    AuthLevel, CharacterFlags, EntityClass, FeatureFlags, LaserFlags, LaserKind, LegacyProjectileFlags,
    MoreFeatureFlags, PickupFlags, PlayerStateFlags, ProjectileFlags,
};
use crate::shared::objects::Common;
use crate::shared::value::{Powerup, Tick, Weapon};

objects! {
    /// A snapshot object of DDNet.
    pub enum ExtendedObject: u128, golden "ddnet/object";

    /// DDNet's additions to a character.
    0x76ce_455b_f9eb_3a48_add7_e04b_941d_045c = "character@netobj.ddnet.tw"
        => DdnetCharacter "ddnet_character" {
        flags: CharacterFlags,
        freeze_end: Tick,
        jumps: i32 as -1..=255 => 2,
        tele_checkpoint: i32 => -1,
        strong_weak_id: i32 as 0..=127,
        jumped_total: i32 as -1..=255 => -1,
        ninja_activation_tick: Tick => Tick(-1),
        freeze_start: Tick => Tick(-1),
        target_x: i32,
        target_y: i32,
        tune_zone_override: i32 as -1..=255 => -1,
    }
    /// DDNet's additions to a player.
    0x22ca_938d_1380_3e2b_9e7b_d255_8ea6_be11 = "player@netobj.ddnet.tw" => DdnetPlayer "ddnet_player" {
        flags: PlayerStateFlags,
        auth_level: AuthLevel,
        /// Whole seconds of the best time in the race; -1 for none, -2 if the score has the time.
        finish_time_seconds: i32 as -2..=i32::MAX => -2,
        /// Milliseconds in addition to the seconds.
        finish_time_millis: i32 as 0..=999,
    }
    /// Rules and features of the game.
    0x933d_ea6a_da79_30ea_a98f_8af0_3689_a945 = "gameinfo@netobj.ddnet.tw" => GameInfoEx "game_info_ex" {
        flags: FeatureFlags,
        version: i32,
        flags2: MoreFeatureFlags,
        /// Players that a team needs to start; 0 if the server has no such rule.
        min_team_size: i32 as 0..=128,
        /// Players that a team may have; 0 if the server has no such rule.
        max_team_size: i32 as 0..=128,
    }
    /// A projectile as older DDNet releases send it.
    0x0e6d_b85c_2b61_386f_bbf2_d0d0_471b_9272 = "projectile@netobj.ddnet.tw"
        => DdraceProjectile "ddrace_projectile" {
        x: i32,
        y: i32,
        angle: i32,
        data: LegacyProjectileFlags,
        kind: Weapon,
        start_tick: Tick,
    }
    /// A laser beam with its owner and kind.
    0x29de_68a2_6928_31b8_8360_a230_7e0d_844f = "laser@netobj.ddnet.tw" => DdnetLaser "ddnet_laser" {
        to_x: i32,
        to_y: i32,
        from_x: i32,
        from_y: i32,
        start_tick: Tick,
        /// Client id of the owner; -1 for none.
        owner: i32 as -1..=127,
        kind: LaserKind as i32::MIN..=i32::MAX,
        switch_number: i32 => -1,
        subtype: i32 => -1,
        flags: LaserFlags,
    }
    /// A projectile with its owner and flags.
    0x6550_fbce_f317_3b31_8ffe_d2b3_7f3a_b40e = "ddnet-projectile@netobj.ddnet.tw"
        => DdnetProjectile "ddnet_projectile" {
        x: i32,
        y: i32,
        vel_x: i32,
        vel_y: i32,
        kind: Weapon,
        start_tick: Tick,
        /// Client id of the owner; -1 for none.
        owner: i32 as -1..=127,
        switch_number: i32,
        tune_zone: i32 as 0..=255,
        flags: ProjectileFlags,
    }
    /// A pickup with its switch.
    0xea5e_4a51_58fb_3684_96e4_e0d2_67f4_ca65 = "pickup@netobj.ddnet.tw" => DdnetPickup "ddnet_pickup" {
        x: i32,
        y: i32,
        kind: Powerup as 0..=i32::MAX,
        subtype: i32 as 0..=i32::MAX,
        switch_number: i32,
        flags: PickupFlags,
    }
    /// Camera of the watched player.
    0xd133_07b2_9a19_37cb_8f8c_07c7_1852_1883 = "spectator-info@netobj.ddnet.org"
        => DdnetSpectatorInfo "ddnet_spectator_info" {
        has_camera_info: bool,
        zoom: i32 as 0..=i32::MAX,
        deadzone: i32 as 0..=i32::MAX,
        follow_factor: i32 as 0..=i32::MAX,
        spectator_count: i32 as 0..=127,
    }
    /// Number of spectators of the player.
    0x5e5c_a96f_c728_30fd_bfb3_155b_0769_2556 = "spectator-count@netobj.ddnet.org"
        => SpectatorCount "spectator_count" {
        num_spectators: i32 as 0..=i32::MAX,
    }
    /// A birthday effect.
    0x1fd3_5746_6263_358c_b4d6_6ef6_0e0e_faaa = "birthday@netevent.ddnet.org" => Birthday "birthday" {
        at: Common,
    }
    /// A player finished the race.
    0x68bf_8939_ef55_3878_9082_1352_7eb0_a597 = "finish@netevent.ddnet.org" => Finish "finish" {
        at: Common,
    }
    /// Position of a watched character.
    0x4b80_1c74_e24c_3ce0_b92c_b754_d02c_fc8a = "spec-char@netobj.ddnet.tw" => SpecChar "spec_char" {
        x: i32,
        y: i32,
    }
    /// State of the map's switches, and when they end.
    0xec15_e669_ce11_3367_ae8e_b90e_5b27_b9d5 = "switch-state@netobj.ddnet.tw" => SwitchState "switch_state" {
        highest_switch_number: i32,
        status: [i32; 8],
        switch_numbers: [i32; 4],
        end_ticks: [i32; 4],
    }
    /// Switch, layer and class of another object with the same id.
    0x2de9_aec3_32e4_3986_8f7e_e745_9da7_f535 = "entity-ex@netobj.ddnet.tw" => EntityEx "entity_ex" {
        switch_number: i32,
        layer: i32,
        entity_class: EntityClass as i32::MIN..=i32::MAX,
    }
    /// Best time of the server on this map.
    0x9ebf_c6ed_bf50_30ca_988a_0ce8_921a_d85f = "map-best-time@netobj.ddnet.org" => MapBestTime "map_best_time" {
        /// Whole seconds; -1 if no player has finished.
        seconds: i32 as -1..=i32::MAX,
        /// Milliseconds in addition to the seconds.
        millis: i32 as 0..=999,
    }
    /// A sound of the map at a position.
    0x54ec_ad2e_bfad_3be5_8903_621b_a052_458e = "map-sound-world@netevent.ddnet.org"
        => MapSoundWorld "map_sound_world" {
        at: Common,
        sound_id: i32,
    }
}
