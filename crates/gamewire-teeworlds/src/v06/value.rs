//! Numbers with names of 0.6.

use crate::shared::definition::{flags, named};
pub use crate::shared::value::Powerup;

named! {
    /// To whom a line of chat goes. Teeworlds has `all` as 0 and `team` as 1 only; the others are
    /// DDNet's.
    ChatTeam in -2..=3;
    -2 => EVERYONE "everyone", -1 => SPECTATORS "spectators", 0 => ALL "all", 1 => TEAM "team",
    2 => WHISPER_SEND "whisper_send", 3 => WHISPER_RECEIVE "whisper_receive",
}

flags! {
    /// What a player is about; the flags from `aim` on are DDNet's.
    PlayerFlags in 0..=256;
    PLAYING "playing", IN_MENU "in_menu", CHATTING "chatting", SCOREBOARD "scoreboard", AIM "aim",
    SPEC_CAM "spec_cam", INPUT_ABSOLUTE "input_absolute", INPUT_MANUAL "input_manual",
}

flags! {
    /// What kind of game it is.
    GameFlags in 0..=256;
    TEAMS "teams", FLAGS "flags",
}

flags! {
    /// What state the game is in; `racetime` is DDNet's.
    GameStateFlags in 0..=256;
    GAMEOVER "gameover", SUDDENDEATH "suddendeath", PAUSED "paused", RACETIME "racetime",
}
