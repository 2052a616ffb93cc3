//! Named numbers and flags of 0.7.

use crate::shared::definition::{flags, named};
pub use crate::shared::value::{CoreEventFlags, RaceFlags, SpecMode};

named! {
    /// The recipients of a line of chat.
    ChatMode in 0..=3;
    0 => NONE "none", 1 => ALL "all", 2 => TEAM "team", 3 => WHISPER "whisper",

    /// The type of a pickup.
    PickupKind in 0..=7;
    0 => HEALTH "health", 1 => ARMOR "armor", 2 => GRENADE "grenade", 3 => SHOTGUN "shotgun",
    4 => LASER "laser", 5 => NINJA "ninja", 6 => GUN "gun", 7 => HAMMER "hammer",

    /// The subject or the result of a vote.
    VoteKind in 0..=6;
    0 => UNKNOWN "unknown", 1 => START_OP "start_op", 2 => START_KICK "start_kick",
    3 => START_SPEC "start_spec", 4 => END_ABORT "end_abort", 5 => END_PASS "end_pass",
    6 => END_FAIL "end_fail",

    /// An event of the game.
    GameEvent in 0..=10;
    0 => TEAM_SWAP "team_swap", 1 => SPEC_INVALIDID "spec_invalidid",
    2 => TEAM_SHUFFLE "team_shuffle", 3 => TEAM_BALANCE "team_balance", 4 => CTF_DROP "ctf_drop",
    5 => CTF_RETURN "ctf_return", 6 => TEAM_ALL "team_all",
    7 => TEAM_BALANCE_VICTIM "team_balance_victim", 8 => CTF_GRAB "ctf_grab",
    9 => CTF_CAPTURE "ctf_capture", 10 => GAME_PAUSED "game_paused",
}

flags! {
    /// State of a player; only DDNet has the flag `aim`.
    PlayerFlags in 0..=255;
    ADMIN "admin", CHATTING "chatting", SCOREBOARD "scoreboard", READY "ready", DEAD "dead",
    WATCHING "watching", BOT "bot", AIM "aim",

    /// Kind of the game.
    GameFlags in 0..=15;
    TEAMS "teams", FLAGS "flags", SURVIVAL "survival", RACE "race",

    /// State of the game.
    GameStateFlags in 0..=63;
    WARMUP "warmup", SUDDENDEATH "suddendeath", ROUNDOVER "roundover", GAMEOVER "gameover",
    PAUSED "paused", STARTCOUNTDOWN "startcountdown",
}
