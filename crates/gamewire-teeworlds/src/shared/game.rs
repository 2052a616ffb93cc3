//! Game messages that differ between 0.6 and 0.7 only in their id.

use crate::shared::definition::message;
use crate::shared::pack::{Sanitize, Text};
use crate::shared::value::{Emoticon, Team, Weapon};

message! {
    /// The message of the day.
    SvMotd<'a> "motd" {
        text: Text<'a> as Sanitize::Lines,
    }
    /// A text in the middle of the screen.
    SvBroadcast<'a> "broadcast" {
        text: Text<'a> as Sanitize::Lines,
    }
    /// The client may enter the game.
    SvReadyToEnter "ready_to_enter" {}
    /// The player picked up a weapon.
    SvWeaponPickup "weapon_pickup" {
        weapon: Weapon,
    }
    /// Removes all vote options.
    SvVoteClearOptions "vote_clear_options" {}
    /// Adds a vote option.
    SvVoteOptionAdd<'a> "vote_option_add" {
        description: Text<'a>,
    }
    /// Removes a vote option.
    SvVoteOptionRemove<'a> "vote_option_remove" {
        description: Text<'a>,
    }
    /// Requests a team.
    ClSetTeam "set_team" {
        team: Team,
    }
    /// Kills the own character.
    ClKill "kill" {}
    /// Shows an emoticon.
    ClEmoticon "emoticon" {
        emoticon: Emoticon,
    }
    /// Votes yes or no, or withdraws the vote.
    ClVote "vote" {
        vote: i32 as -1..=1,
    }
}

/// The names of the tune params in wire order: first the names that both versions have, then `$more`, then DDNet's own
/// names.
macro_rules! tune_params {
    ($($more:literal),* $(,)?) => {
        &[
            "ground_control_speed", "ground_control_accel", "ground_friction", "ground_jump_impulse",
            "air_jump_impulse", "air_control_speed", "air_control_accel", "air_friction", "hook_length",
            "hook_fire_speed", "hook_drag_accel", "hook_drag_speed", "gravity", "velramp_start",
            "velramp_range", "velramp_curvature", "gun_curvature", "gun_speed", "gun_lifetime",
            "shotgun_curvature", "shotgun_speed", "shotgun_speeddiff", "shotgun_lifetime",
            "grenade_curvature", "grenade_speed", "grenade_lifetime", "laser_reach", "laser_bounce_delay",
            "laser_bounce_num", "laser_bounce_cost",
            $($more,)*
            "jetpack_strength", "shotgun_strength", "explosion_strength", "hammer_strength", "hook_duration",
            "hammer_fire_delay", "gun_fire_delay", "shotgun_fire_delay", "grenade_fire_delay",
            "laser_fire_delay", "ninja_fire_delay", "hammer_hit_fire_delay", "ground_elasticity_x",
            "ground_elasticity_y",
        ]
    };
}
pub(crate) use tune_params;
