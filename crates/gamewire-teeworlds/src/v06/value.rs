//! Named numbers and flags of 0.6.

use crate::shared::definition::{flags, named};
pub use crate::shared::value::Powerup;

named! {
    /// The recipients of a line of chat. Teeworlds has only `all` (0) and `team` (1); DDNet has the others
    /// as well.
    ChatTeam in -2..=3;
    -2 => EVERYONE "everyone", -1 => SPECTATORS "spectators", 0 => ALL "all", 1 => TEAM "team",
    2 => WHISPER_SEND "whisper_send", 3 => WHISPER_RECEIVE "whisper_receive",
}

flags! {
    /// State of a player; only DDNet has the flags from `aim` on.
    PlayerFlags in 0..=256;
    PLAYING "playing", IN_MENU "in_menu", CHATTING "chatting", SCOREBOARD "scoreboard", AIM "aim",
    SPEC_CAM "spec_cam", INPUT_ABSOLUTE "input_absolute", INPUT_MANUAL "input_manual",

    /// Kind of the game.
    GameFlags in 0..=256;
    TEAMS "teams", FLAGS "flags",

    /// State of the game; only DDNet has `racetime`.
    GameStateFlags in 0..=256;
    GAMEOVER "gameover", SUDDENDEATH "suddendeath", PAUSED "paused", RACETIME "racetime",
}
