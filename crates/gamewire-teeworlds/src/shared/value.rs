//! Named numbers that mean the same in 0.6 and 0.7.

use crate::shared::definition::{flags, named};

named! {
    /// A point in game time: 50 ticks are a second.
    Tick in i32::MIN..=i32::MAX;
}

impl From<i32> for Tick {
    fn from(tick: i32) -> Self {
        Self(tick)
    }
}

impl From<Tick> for i32 {
    fn from(tick: Tick) -> Self {
        tick.0
    }
}

/// The range of ticks in 0.7, which drops messages with a negative tick.
pub const FROM_ZERO: core::ops::RangeInclusive<i32> = 0..=i32::MAX;

named! {
    /// A weapon.
    Weapon in 0..=5;
    0 => HAMMER "hammer", 1 => PISTOL "pistol", 2 => SHOTGUN "shotgun", 3 => GRENADE "grenade",
    4 => RIFLE "rifle", 5 => NINJA "ninja",

    /// The expression of a tee's eyes.
    Emote in 0..=5;
    0 => NORMAL "normal", 1 => PAIN "pain", 2 => HAPPY "happy", 3 => SURPRISE "surprise",
    4 => ANGRY "angry", 5 => BLINK "blink",

    /// An emoticon over a tee.
    Emoticon in 0..=15;
    0 => OOP "oop", 1 => EXCLAMATION "exclamation", 2 => HEARTS "hearts", 3 => DROP "drop",
    4 => DOTDOT "dotdot", 5 => MUSIC "music", 6 => SORRY "sorry", 7 => GHOST "ghost",
    8 => SUSHI "sushi", 9 => SPLATTEE "splattee", 10 => DEVILTEE "deviltee", 11 => ZOMG "zomg",
    12 => ZZZ "zzz", 13 => WTF "wtf", 14 => EYES "eyes", 15 => QUESTION "question",

    /// A team; without teams every player is in `red`.
    Team in -1..=1;
    -1 => SPECTATORS "spectators", 0 => RED "red", 1 => BLUE "blue",

    /// A sound of the game.
    Sound in 0..=40;
    0 => GUN_FIRE "gun_fire", 1 => SHOTGUN_FIRE "shotgun_fire", 2 => GRENADE_FIRE "grenade_fire",
    3 => HAMMER_FIRE "hammer_fire", 4 => HAMMER_HIT "hammer_hit", 5 => NINJA_FIRE "ninja_fire",
    6 => GRENADE_EXPLODE "grenade_explode", 7 => NINJA_HIT "ninja_hit",
    8 => RIFLE_FIRE "rifle_fire", 9 => RIFLE_BOUNCE "rifle_bounce",
    10 => WEAPON_SWITCH "weapon_switch", 11 => PLAYER_PAIN_SHORT "player_pain_short",
    12 => PLAYER_PAIN_LONG "player_pain_long", 13 => BODY_LAND "body_land",
    14 => PLAYER_AIRJUMP "player_airjump", 15 => PLAYER_JUMP "player_jump",
    16 => PLAYER_DIE "player_die", 17 => PLAYER_SPAWN "player_spawn",
    18 => PLAYER_SKID "player_skid", 19 => TEE_CRY "tee_cry", 20 => HOOK_LOOP "hook_loop",
    21 => HOOK_ATTACH_GROUND "hook_attach_ground", 22 => HOOK_ATTACH_PLAYER "hook_attach_player",
    23 => HOOK_NOATTACH "hook_noattach", 24 => PICKUP_HEALTH "pickup_health",
    25 => PICKUP_ARMOR "pickup_armor", 26 => PICKUP_GRENADE "pickup_grenade",
    27 => PICKUP_SHOTGUN "pickup_shotgun", 28 => PICKUP_NINJA "pickup_ninja",
    29 => WEAPON_SPAWN "weapon_spawn", 30 => WEAPON_NOAMMO "weapon_noammo", 31 => HIT "hit",
    32 => CHAT_SERVER "chat_server", 33 => CHAT_CLIENT "chat_client",
    34 => CHAT_HIGHLIGHT "chat_highlight", 35 => CTF_DROP "ctf_drop", 36 => CTF_RETURN "ctf_return",
    37 => CTF_GRAB_PL "ctf_grab_pl", 38 => CTF_GRAB_EN "ctf_grab_en",
    39 => CTF_CAPTURE "ctf_capture", 40 => MENU "menu",

    /// The type of a pickup.
    Powerup in 0..=7;
    0 => HEALTH "health", 1 => ARMOR "armor", 2 => WEAPON "weapon", 3 => NINJA "ninja",
    4 => ARMOR_SHOTGUN "armor_shotgun", 5 => ARMOR_GRENADE "armor_grenade",
    6 => ARMOR_NINJA "armor_ninja", 7 => ARMOR_LASER "armor_laser",

    /// The subject that a spectator watches.
    SpecMode in 0..=3;
    0 => FREEVIEW "freeview", 1 => PLAYER "player", 2 => FLAGRED "flagred",
    3 => FLAGBLUE "flagblue",
}

flags! {
    /// Events of a character in one tick.
    CoreEventFlags in 0..=31;
    GROUND_JUMP "ground_jump", AIR_JUMP "air_jump", HOOK_ATTACH_PLAYER "hook_attach_player",
    HOOK_ATTACH_GROUND "hook_attach_ground", HOOK_HIT_NOHOOK "hook_hit_nohook",

    /// Display settings of a race.
    RaceFlags in 0..=7;
    HIDE_KILLMSG "hide_killmsg", FINISHMSG_AS_CHAT "finishmsg_as_chat",
    KEEP_WANTED_WEAPON "keep_wanted_weapon",
}
