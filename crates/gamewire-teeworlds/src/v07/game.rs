//! Game messages of 0.7 (docs/protocols/teeworlds.md, "Messages").

use crate::shared::data::{List, Names, Numbers, Texts};
use crate::shared::definition::messages;
use crate::shared::game::tune_params;
pub use crate::shared::game::*;
use crate::shared::pack::Text;
use crate::shared::value::{Emoticon, FROM_ZERO, Team, Tick};
use crate::v07::object::Projectile;
use crate::v07::value::{ChatMode, GameEvent, GameFlags, SpecMode, VoteKind};

/// The names of the tune params, in wire order. The first 32 are from Teeworlds, the others from DDNet.
pub const TUNE_PARAMS: &[&str] = tune_params!["player_collision", "player_hooking"];

messages! {
    /// A game message of 0.7.
    pub enum Game<'a>: i32, golden "v07/game", sender by_prefix;

    1 => SvMotd<'a> "motd";
    2 => SvBroadcast<'a> "broadcast";
    /// A line of chat.
    3 => SvChat<'a> "chat" {
        mode: ChatMode,
        /// Client id of the sender; -1 for the server.
        client_id: i32 as -1..=63,
        target_id: i32 as -1..=63,
        /// Text of the message.
        text: Text<'a>,
    }
    /// A player changed team.
    4 => SvTeam "team" {
        client_id: i32 as -1..=63,
        team: Team,
        silent: bool,
        cooldown_tick: Tick as FROM_ZERO,
    }
    /// A player died.
    5 => SvKillMsg "kill_msg" {
        killer: i32 as -2..=63,
        victim: i32 as 0..=63,
        weapon: i32 as -3..=5,
        mode_special: i32,
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
        client_id: i32 as 0..=63,
        emoticon: Emoticon,
    }
    11 => SvVoteClearOptions "vote_clear_options";
    /// Adds several vote options.
    12 => SvVoteOptionListAdd<'a> "vote_option_list_add" {
        num_options: i32 as 0..=i32::MAX,
        descriptions: List<'a, Text<'a>>,
    }
    13 => SvVoteOptionAdd<'a> "vote_option_add";
    14 => SvVoteOptionRemove<'a> "vote_option_remove";
    /// A vote started or ended.
    15 => SvVoteSet<'a> "vote_set" {
        client_id: i32 as -1..=63,
        kind: VoteKind,
        timeout: i32 as 0..=60,
        description: Text<'a>,
        reason: Text<'a>,
    }
    /// Intermediate result of a vote.
    16 => SvVoteStatus "vote_status" {
        yes: i32 as 0..=64,
        no: i32 as 0..=64,
        pass: i32 as 0..=64,
        total: i32 as 0..=64,
    }
    /// Server settings that clients show.
    17 => SvServerSettings "server_settings" {
        kick_vote: bool,
        kick_min: i32 as 0..=64,
        spec_vote: bool,
        team_lock: bool,
        team_balance: bool,
        player_slots: i32 as 0..=128,
    }
    /// Name and appearance of a player.
    18 => SvClientInfo<'a> "client_info" {
        client_id: i32 as 0..=63,
        local: bool,
        team: Team,
        name: Text<'a>,
        clan: Text<'a>,
        country: i32,
        skin_part_names: Texts<'a, 6>,
        use_custom_colors: [bool; 6],
        skin_part_colors: [i32; 6],
        silent: bool,
    }
    /// Kind and limits of the game.
    19 => SvGameInfo "game_info" {
        game_flags: GameFlags,
        score_limit: i32 as 0..=i32::MAX,
        time_limit: i32 as 0..=i32::MAX,
        match_num: i32 as 0..=i32::MAX,
        match_current: i32 as 0..=i32::MAX,
    }
    /// A player left.
    20 => SvClientDrop<'a> "client_drop" {
        client_id: i32 as 0..=63,
        reason: Text<'a>,
        silent: bool,
    }
    /// An event of the game. Its kind determines the number of parameters.
    21 => SvGameMsg<'a> "game_msg" {
        kind: GameEvent,
        params: List<'a, i32>,
    }
    /// A player entered; only in demos.
    22 => DeClientEnter<'a> "client_enter" {
        name: Text<'a>,
        client_id: i32 as -1..=63,
        team: Team,
    }
    /// A player left; only in demos.
    23 => DeClientLeave<'a> "client_leave" {
        name: Text<'a>,
        client_id: i32 as -1..=63,
        reason: Text<'a>,
    }
    /// Sends a line of chat.
    24 => ClSay<'a> "say" {
        mode: ChatMode,
        target: i32 as -1..=63,
        /// Text of the message.
        text: Text<'a>,
    }
    25 => ClSetTeam "set_team";
    /// Selects the player that a spectator watches.
    26 => ClSetSpectatorMode "set_spectator_mode" {
        spec_mode: SpecMode,
        spectator_id: i32 as -1..=63,
    }
    /// Name and appearance of the player, before entering.
    27 => ClStartInfo<'a> "start_info" {
        name: Text<'a>,
        clan: Text<'a>,
        country: i32,
        skin_part_names: Texts<'a, 6>,
        use_custom_colors: [bool; 6],
        skin_part_colors: [i32; 6],
    }
    28 => ClKill "kill";
    /// Toggles whether the player is ready.
    29 => ClReadyChange "ready_change" {}
    30 => ClEmoticon "emoticon";
    31 => ClVote "vote";
    /// Starts a vote.
    32 => ClCallVote<'a> "call_vote" {
        kind: Text<'a>,
        value: Text<'a>,
        reason: Text<'a>,
        force: bool,
    }
    /// New appearance of a player.
    33 => SvSkinChange<'a> "skin_change" {
        client_id: i32 as 0..=63,
        skin_part_names: Texts<'a, 6>,
        use_custom_colors: [bool; 6],
        skin_part_colors: [i32; 6],
    }
    /// New appearance of the local player.
    34 => ClSkinChange<'a> "skin_change" {
        skin_part_names: Texts<'a, 6>,
        use_custom_colors: [bool; 6],
        skin_part_colors: [i32; 6],
    }
    /// A player finished the race.
    35 => SvRaceFinish "race_finish" {
        client_id: i32 as 0..=63,
        time: i32 as -1..=i32::MAX,
        diff: i32,
        record_personal: bool,
        /// Absent from older servers.
        record_server: Option<bool>,
    }
    /// The player passed a checkpoint of the race.
    36 => SvCheckpoint "checkpoint" {
        diff: i32,
    }
    /// Adds a chat command, for completion.
    37 => SvCommandInfo<'a> "command_info" {
        name: Text<'a>,
        args_format: Text<'a>,
        help_text: Text<'a>,
    }
    /// Removes a chat command.
    38 => SvCommandInfoRemove<'a> "command_info_remove" {
        name: Text<'a>,
    }
    /// Uses a chat command.
    39 => ClCommand<'a> "command" {
        name: Text<'a>,
        arguments: Text<'a>,
    }
}
