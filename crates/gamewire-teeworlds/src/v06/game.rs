//! Game messages of 0.6, with the plain ids that DDNet added (docs/protocols/teeworlds.md, "Messages").
//!
//! The ranges are from DDNet 20. They include the narrower ranges of Teeworlds.

use crate::shared::data::{List, Names, Numbers, Texts};
use crate::shared::definition::messages;
use crate::shared::game::tune_params;
pub use crate::shared::game::*;
use crate::shared::pack::Text;
use crate::shared::value::{Emoticon, Sound};
use crate::v06::object::Projectile;
use crate::v06::value::ChatTeam;

/// The names of the tune params, in wire order. The first 33 are from Teeworlds, the others from DDNet.
pub const TUNE_PARAMS: &[&str] = tune_params!["laser_damage", "player_collision", "player_hooking"];

messages! {
    /// A game message of 0.6.
    pub enum Game<'a>: i32, golden "v06/game", sender by_prefix;

    1 => SvMotd<'a> "motd";
    2 => SvBroadcast<'a> "broadcast";
    /// A line of chat.
    3 => SvChat<'a> "chat" {
        team: ChatTeam,
        /// Client id of the sender; -1 for the server.
        client_id: i32 as -1..=127,
        /// Text of the message.
        text: Text<'a>,
    }
    /// A player died.
    4 => SvKillMsg "kill_msg" {
        killer: i32 as 0..=127,
        victim: i32 as 0..=127,
        weapon: i32 as -3..=5,
        mode_special: i32,
    }
    /// A sound for all players.
    5 => SvSoundGlobal "sound_global" {
        sound_id: Sound,
    }
    /// Physics of the game. The number of parameters depends on the server's release.
    6 => SvTuneParams<'a> "tune_params" {
        params: Numbers<'a> as Names { names: TUNE_PARAMS, scale: 100 },
    }
    /// A projectile in addition to the projectiles of snapshots (the pellets of a shotgun).
    7 => SvExtraProjectile "extra_projectile" {
        projectile: Projectile,
    }
    8 => SvReadyToEnter "ready_to_enter";
    9 => SvWeaponPickup "weapon_pickup";
    /// A player shows an emoticon.
    10 => SvEmoticon "emoticon" {
        client_id: i32 as 0..=127,
        emoticon: Emoticon,
    }
    11 => SvVoteClearOptions "vote_clear_options";
    /// Adds several vote options.
    12 => SvVoteOptionListAdd<'a> "vote_option_list_add" {
        num_options: i32 as 1..=15,
        descriptions: Texts<'a, 15>,
    }
    13 => SvVoteOptionAdd<'a> "vote_option_add";
    14 => SvVoteOptionRemove<'a> "vote_option_remove";
    /// A vote started or ended.
    15 => SvVoteSet<'a> "vote_set" {
        timeout: i32 as 0..=i32::MAX,
        description: Text<'a>,
        reason: Text<'a>,
    }
    /// Intermediate result of a vote.
    16 => SvVoteStatus "vote_status" {
        yes: i32 as 0..=128,
        no: i32 as 0..=128,
        pass: i32 as 0..=128,
        total: i32 as 0..=128,
    }
    /// Sends a line of chat.
    17 => ClSay<'a> "say" {
        team: bool,
        /// Text of the message.
        text: Text<'a>,
    }
    18 => ClSetTeam "set_team";
    /// Selects the player that a spectator watches.
    19 => ClSetSpectatorMode "set_spectator_mode" {
        spectator_id: i32 as -1..=127,
    }
    /// Name and appearance of the player, before entering.
    20 => ClStartInfo<'a> "start_info" {
        name: Text<'a>,
        clan: Text<'a>,
        country: i32,
        skin: Text<'a>,
        use_custom_color: bool,
        color_body: i32,
        color_feet: i32,
    }
    /// New name or appearance of the player.
    21 => ClChangeInfo<'a> "change_info" {
        name: Text<'a>,
        clan: Text<'a>,
        country: i32,
        skin: Text<'a>,
        use_custom_color: bool,
        color_body: i32,
        color_feet: i32,
    }
    22 => ClKill "kill";
    23 => ClEmoticon "emoticon";
    24 => ClVote "vote";
    /// Starts a vote.
    25 => ClCallVote<'a> "call_vote" {
        kind: Text<'a>,
        value: Text<'a>,
        reason: Text<'a>,
    }
    /// Version of a DDNet client.
    26 => ClIsDdnetLegacy "is_ddnet" {
        ddnet_version: i32,
    }
    /// Time in the race, for clients that do not know the message by UUID.
    27 => SvDdraceTimeLegacy "ddrace_time" {
        time: i32,
        check: i32,
        finish: i32 as 0..=1,
    }
    /// Best times, for clients that do not know the message by UUID.
    28 => SvRecordLegacy "record" {
        server_time_best: i32,
        player_time_best: i32,
    }
    /// The team of each player, for clients that do not know the message by UUID.
    30 => SvTeamsStateLegacy<'a> "teams_state" {
        teams: List<'a, i32> as 0..=128,
    }
    /// Selects whether players of other teams are shown.
    31 => ClShowOthersLegacy "show_others" {
        show: bool,
    }
}
