//! DDNet's game messages, identified by UUID (docs/protocols/teeworlds.md, "Messages").

use crate::shared::data::List;
use crate::shared::definition::messages;
use crate::shared::extended::value::SaveState;
use crate::shared::pack::{Sanitize, Text};
use crate::shared::value::Tick;

messages! {
    /// A game message of DDNet.
    pub enum ExtendedGame<'a>: u128, golden "ddnet/game", sender by_prefix;

    /// Limits the snapshots to the visible area of the client.
    0x53bb_28af_4252_3ac9_8fd3_6ccb_c2a6_03e3 = "show-distance@netmsg.ddnet.tw"
        => ClShowDistance "show_distance" {
        x: i32,
        y: i32,
    }
    /// Selects whether players of other teams are shown.
    0x7f26_4cdd_71a2_3962_bbce_0f94_bbd8_1913 = "showothers@netmsg.ddnet.tw" => ClShowOthers "show_others" {
        show: i32 as 0..=2,
    }
    /// Settings of the client's dynamic camera.
    0x8c47_0228_ee11_3808_93b9_c5c8_7d08_b51c = "camera-info@netmsg.ddnet.org" => ClCameraInfo "camera_info" {
        zoom: i32,
        deadzone: i32,
        follow_factor: i32,
    }
    /// The team of each player.
    0xa091_961a_95e8_3744_bb60_5eac_9bd5_63c6 = "teamsstate@netmsg.ddnet.tw"
        => SvTeamsState<'a> "teams_state" {
        teams: List<'a, i32> as 0..=128,
    }
    /// Time in the race.
    0x5dde_8b3c_6f6f_37ac_a72a_bb34_1fe7_6de5 = "ddrace-time@netmsg.ddnet.tw" => SvDdraceTime "ddrace_time" {
        time: i32,
        check: i32,
        finish: i32 as 0..=1,
    }
    /// Best times of the server and the player.
    0x804f_149f_9b53_3b0a_897f_5966_3a1c_4eb9 = "record@netmsg.ddnet.tw" => SvRecord "record" {
        server_time_best: i32,
        player_time_best: i32,
    }
    /// A team died.
    0xee61_0b6f_909f_311e_93f7_11a9_5f55_a086 = "killmsgteam@netmsg.ddnet.tw"
        => SvKillMsgTeam "kill_msg_team" {
        team: i32 as 0..=127,
        first: i32 as -1..=127,
    }
    /// Vote of the player.
    0xbfd7_f0fc_16d5_3e10_8015_a783_80f1_3870 = "yourvote@netmsg.ddnet.org" => SvYourVote "your_vote" {
        voted: i32 as -1..=1,
    }
    /// A player finished the race.
    0xc915_ba68_0a49_3324_915a_7a62_20ce_cf33 = "racefinish@netmsg.ddnet.org" => SvRaceFinish "race_finish" {
        client_id: i32 as 0..=127,
        time: i32,
        diff: i32,
        record_personal: bool,
        record_server: Option<bool>,
    }
    /// Adds a chat command, for completion.
    0x9077_8f65_1b8f_322a_9713_cf74_1aa4_4a05 = "commandinfo@netmsg.ddnet.org"
        => SvCommandInfo<'a> "command_info" {
        name: Text<'a>,
        args_format: Text<'a>,
        help_text: Text<'a>,
    }
    /// Removes a chat command.
    0xeb2e_77ce_e9a2_35aa_94be_235f_523a_c1aa = "commandinfo-remove@netmsg.ddnet.org"
        => SvCommandInfoRemove<'a> "command_info_remove" {
        name: Text<'a>,
    }
    /// Several vote options follow.
    0x969d_127c_b768_390d_8879_6104_9937_69fa = "sv-vote-option-group-start@netmsg.ddnet.org"
        => SvVoteOptionGroupStart "vote_option_group_start" {}
    /// The vote options are complete.
    0x4f09_6765_39b1_3766_82dc_61b2_0ccf_589a = "sv-vote-option-group-end@netmsg.ddnet.org"
        => SvVoteOptionGroupEnd "vote_option_group_end" {}
    /// Several chat commands follow.
    0x9e22_0138_d393_3cb0_90f1_e587_c00a_b1d0 = "sv-commandinfo-group-start@netmsg.ddnet.org"
        => SvCommandInfoGroupStart "command_info_group_start" {}
    /// The chat commands are complete.
    0x0541_25d8_0062_3891_840b_4746_2285_a01f = "sv-commandinfo-group-end@netmsg.ddnet.org"
        => SvCommandInfoGroupEnd "command_info_group_end" {}
    /// Tick until which the player's name and appearance cannot change again.
    0x746c_b54c_6b2b_39a7_8cd8_7c7a_1c6c_3009 = "change-info-cooldown@netmsg.ddnet.org"
        => SvChangeInfoCooldown "change_info_cooldown" {
        wait_until: Tick,
    }
    /// A sound of the map for all players.
    0x669c_9741_695a_369b_856c_a254_f6b7_f0cb = "map-sound-global@netmsg.ddnet.org"
        => SvMapSoundGlobal "map_sound_global" {
        sound_id: i32,
    }
    /// Input of another player, sent before its tick.
    0xb5d3_a686_ad59_382c_b3de_d9fe_dc33_20ae = "preinput@netmsg.ddnet.org" => SvPreInput "pre_input" {
        direction: i32,
        target_x: i32,
        target_y: i32,
        jump: i32,
        fire: i32,
        hook: i32,
        wanted_weapon: i32,
        next_weapon: i32,
        prev_weapon: i32,
        /// Client id of the player.
        owner: i32 as 0..=127,
        intended_tick: Tick,
    }
    /// State of saving a team's game.
    0xdc9e_dffb_266a_3bd6_b101_a949_fa44_e16b = "save-code@netmsg.ddnet.org" => SvSaveCode<'a> "save_code" {
        state: SaveState,
        error: Text<'a>,
        save_requester: Text<'a>,
        server_name: Text<'a>,
        generated_code: Text<'a>,
        code: Text<'a>,
        team_members: Text<'a>,
    }
    /// An alert of the server.
    0x0352_06dc_9f8b_315c_9abf_5ab9_153a_857c = "server-alert@netmsg.ddnet.org"
        => SvServerAlert<'a> "server_alert" {
        text: Text<'a> as Sanitize::Lines,
    }
    /// An alert of a moderator.
    0xd7c5_5683_7983_32f0_8d9a_8774_34ea_19d5 = "moderator-alert@netmsg.ddnet.org"
        => SvModeratorAlert<'a> "moderator_alert" {
        text: Text<'a> as Sanitize::Lines,
    }
    /// Description of the map.
    0xda46_b81d_a060_30c3_9abb_dd29_45e8_edb4 = "map-info@netmsg.ddnet.org" => SvMapInfo<'a> "map_info" {
        description: Text<'a> as Sanitize::Lines,
    }
    /// Selects whether the server sends the number of spectators.
    0xe19b_66e8_0646_351b_aa03_d4ab_a7b9_545f = "enable-spectator-count@netmsg.ddnet.org"
        => ClEnableSpectatorCount "enable_spectator_count" {
        enable: bool,
    }
}
