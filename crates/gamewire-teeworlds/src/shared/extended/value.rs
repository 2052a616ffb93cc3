//! Named numbers and flags of DDNet.

use crate::shared::definition::{flags, named};

named! {
    /// State of saving a game.
    SaveState in 0..=4;
    0 => PENDING "pending", 1 => DONE "done", 2 => FALLBACKFILE "fallbackfile",
    3 => WARNING "warning", 4 => ERROR "error",

    /// Access level of a player on the remote console.
    AuthLevel in 0..=3;
    0 => NO "no", 1 => HELPER "helper", 2 => MOD "mod", 3 => ADMIN "admin",

    /// The type of a laser beam.
    LaserKind in i32::MIN..=i32::MAX;
    0 => RIFLE "rifle", 1 => SHOTGUN "shotgun", 2 => DOOR "door", 3 => FREEZE "freeze",
    4 => DRAGGER "dragger", 5 => GUN "gun", 6 => PLASMA "plasma",

    /// The class of a map object.
    EntityClass in i32::MIN..=i32::MAX;
    0 => PROJECTILE "projectile", 1 => DOOR "door", 2 => DRAGGER_WEAK "dragger_weak",
    3 => DRAGGER_NORMAL "dragger_normal", 4 => DRAGGER_STRONG "dragger_strong",
    5 => GUN_NORMAL "gun_normal", 6 => GUN_EXPLOSIVE "gun_explosive", 7 => GUN_FREEZE "gun_freeze",
    8 => GUN_UNFREEZE "gun_unfreeze", 9 => LIGHT "light", 10 => PICKUP "pickup",
}

flags! {
    /// Abilities and restrictions of a character.
    CharacterFlags in i32::MIN..=i32::MAX;
    SOLO "solo", JETPACK "jetpack", COLLISION_DISABLED "collision_disabled",
    ENDLESS_HOOK "endless_hook", ENDLESS_JUMP "endless_jump", SUPER "super",
    HAMMER_HIT_DISABLED "hammer_hit_disabled", SHOTGUN_HIT_DISABLED "shotgun_hit_disabled",
    GRENADE_HIT_DISABLED "grenade_hit_disabled", LASER_HIT_DISABLED "laser_hit_disabled",
    HOOK_HIT_DISABLED "hook_hit_disabled", TELEGUN_GUN "telegun_gun",
    TELEGUN_GRENADE "telegun_grenade", TELEGUN_LASER "telegun_laser", WEAPON_HAMMER "weapon_hammer",
    WEAPON_GUN "weapon_gun", WEAPON_SHOTGUN "weapon_shotgun", WEAPON_GRENADE "weapon_grenade",
    WEAPON_LASER "weapon_laser", WEAPON_NINJA "weapon_ninja",
    MOVEMENTS_DISABLED "movements_disabled", IN_FREEZE "in_freeze", PRACTICE_MODE "practice_mode",
    LOCK_MODE "lock_mode", TEAM0_MODE "team0_mode", INVINCIBLE "invincible",

    /// Activity of a player.
    PlayerStateFlags in i32::MIN..=i32::MAX;
    AFK "afk", PAUSED "paused", SPEC "spec",

    /// Rules and features of a game.
    FeatureFlags in i32::MIN..=i32::MAX;
    TIMESCORE "timescore", GAMETYPE_RACE "gametype_race", GAMETYPE_FASTCAP "gametype_fastcap",
    GAMETYPE_FNG "gametype_fng", GAMETYPE_DDRACE "gametype_ddrace", GAMETYPE_DDNET "gametype_ddnet",
    GAMETYPE_BLOCK_WORLDS "gametype_block_worlds", GAMETYPE_VANILLA "gametype_vanilla",
    GAMETYPE_PLUS "gametype_plus", FLAG_STARTS_RACE "flag_starts_race", RACE "race",
    UNLIMITED_AMMO "unlimited_ammo", DDRACE_RECORD_MESSAGE "ddrace_record_message",
    RACE_RECORD_MESSAGE "race_record_message", ALLOW_EYE_WHEEL "allow_eye_wheel",
    ALLOW_HOOK_COLL "allow_hook_coll", ALLOW_ZOOM "allow_zoom", BUG_DDRACE_GHOST "bug_ddrace_ghost",
    BUG_DDRACE_INPUT "bug_ddrace_input", BUG_FNG_LASER_RANGE "bug_fng_laser_range",
    BUG_VANILLA_BOUNCE "bug_vanilla_bounce", PREDICT_FNG "predict_fng",
    PREDICT_DDRACE "predict_ddrace", PREDICT_DDRACE_TILES "predict_ddrace_tiles",
    PREDICT_VANILLA "predict_vanilla", ENTITIES_DDNET "entities_ddnet",
    ENTITIES_DDRACE "entities_ddrace", ENTITIES_RACE "entities_race", ENTITIES_FNG "entities_fng",
    ENTITIES_VANILLA "entities_vanilla", DONT_MASK_ENTITIES "dont_mask_entities",
    ENTITIES_BW "entities_bw",

    /// More rules and features of a game.
    MoreFeatureFlags in i32::MIN..=i32::MAX;
    ALLOW_X_SKINS "allow_x_skins", GAMETYPE_CITY "gametype_city",
    GAMETYPE_FDDRACE "gametype_fddrace", ENTITIES_FDDRACE "entities_fddrace",
    HUD_HEALTH_ARMOR "hud_health_armor", HUD_AMMO "hud_ammo", HUD_DDRACE "hud_ddrace",
    NO_WEAK_HOOK "no_weak_hook", NO_SKIN_CHANGE_FOR_FROZEN "no_skin_change_for_frozen",
    DDRACE_TEAM "ddrace_team", PREDICT_EVENTS "predict_events",
    SUPPORTS_128_TEAMS "supports_128_teams",

    /// Features of the server.
    CapabilityFlags in i32::MIN..=i32::MAX;
    DDNET "ddnet", CHAT_TIMEOUT_CODE "chat_timeout_code", ANY_PLAYER_FLAG "any_player_flag",
    PING_EX "ping_ex", ALLOW_DUMMY "allow_dummy", SYNC_WEAPON_INPUT "sync_weapon_input",

    /// Owner and behavior of a projectile of older DDNet releases. The lowest 8 bits are the client id of the owner.
    LegacyProjectileFlags in i32::MIN..=i32::MAX;
    CLIENT_ID_BIT0 "client_id_bit0", CLIENT_ID_BIT1 "client_id_bit1", CLIENT_ID_BIT2 "client_id_bit2",
    CLIENT_ID_BIT3 "client_id_bit3", CLIENT_ID_BIT4 "client_id_bit4", CLIENT_ID_BIT5 "client_id_bit5",
    CLIENT_ID_BIT6 "client_id_bit6", CLIENT_ID_BIT7 "client_id_bit7", NO_OWNER "no_owner",
    IS_DDNET "is_ddnet", BOUNCE_HORIZONTAL "bounce_horizontal", BOUNCE_VERTICAL "bounce_vertical",
    EXPLOSIVE "explosive", FREEZE "freeze",

    /// Behavior of a projectile.
    ProjectileFlags in i32::MIN..=i32::MAX;
    BOUNCE_HORIZONTAL "bounce_horizontal", BOUNCE_VERTICAL "bounce_vertical", EXPLOSIVE "explosive",
    FREEZE "freeze", NORMALIZE_VEL "normalize_vel",

    /// Behavior of a laser beam.
    LaserFlags in i32::MIN..=i32::MAX;
    NO_PREDICT "no_predict",

    /// Orientation of a pickup.
    PickupFlags in i32::MIN..=i32::MAX;
    XFLIP "xflip", YFLIP "yflip", ROTATE "rotate", NO_PREDICT "no_predict",
}
