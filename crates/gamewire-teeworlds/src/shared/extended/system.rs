//! DDNet's system messages, identified by UUID (docs/protocols/teeworlds.md, "Messages").

use crate::shared::data::{List, Sha256, Uuid};
use crate::shared::definition::messages;
use crate::shared::extended::value::CapabilityFlags;
use crate::shared::pack::{Sanitize, Text};

messages! {
    /// A system message of DDNet.
    pub enum ExtendedSystem<'a>: u128, golden "ddnet/system", sender by_word;

    /// Requests the name of a UUID.
    0x245e_5097_9fe0_39d6_bf7d_9a29_e169_1e4c = "what-is@ddnet.tw" from either => WhatIs "what_is" {
        uuid: Uuid,
    }
    /// Name of a UUID.
    0x6954_847e_2e87_3603_b562_36da_29ed_1aca = "it-is@ddnet.tw" from either => ItIs<'a> "it_is" {
        uuid: Uuid,
        name: Text<'a> as Sanitize::Lines,
    }
    /// The sender does not know the UUID.
    0x4169_11b5_7973_33bf_8d52_7bf0_1e51_9cf0 = "i-dont-know@ddnet.tw" from either => IDontKnow "i_dont_know" {
        uuid: Uuid,
    }
    /// Informs the client whether the remote console needs a user name.
    0x1281_0e1f_a1db_3378_b4fb_164e_d650_5926 = "rcon-type@ddnet.tw" from server => RconType "rcon_type" {
        username_required: bool,
    }
    /// Hash and download address of the map in the next map change.
    0xf911_7b3c_8039_3416_9fc0_aef2_bcb7_5c03 = "map-details@ddnet.tw" from server => MapDetails<'a> "map_details" {
        name: Text<'a> as Sanitize::Lines,
        sha256: Sha256,
        /// CRC-32 of the file.
        crc: i32,
        size: Option<i32>,
        url: Option<Text<'a>> as Sanitize::Lines,
    }
    /// Capabilities of the server.
    0xf621_a5a1_f585_3775_8e73_41be_ee79_f2b2 = "capabilities@ddnet.tw" from server => Capabilities "capabilities" {
        version: i32,
        flags: CapabilityFlags,
    }
    /// Version of the client.
    0x8c00_1304_8461_3e47_8787_f672_b383_5bd4 = "clientver@ddnet.tw" from client => ClientVersion<'a> "client_version" {
        connection_id: Uuid,
        ddnet_version: i32,
        ddnet_version_string: Text<'a> as Sanitize::Lines,
    }
    /// Requests an immediate reply with an id.
    0xbcb4_3bf5_427c_36d8_b5b8_7975_c8c0_6aa1 = "ping@ddnet.tw" from either => PingEx "ping_ex" {
        id: Uuid,
    }
    /// Reply to a ping with an id.
    0xd829_5530_14a7_3a0a_b02e_b2ce_e08d_2033 = "pong@ddnet.tw" from either => PongEx "pong_ex" {
        id: Uuid,
    }
    /// Requests the hash of a part of the client's executable.
    0x60a7_cef1_2ecc_3ed4_b138_00fd_0c8f_5994 = "checksum-request@ddnet.tw" from server
        => ChecksumRequest "checksum_request" {
        id: Uuid,
        start: i32,
        length: i32,
    }
    /// The requested hash.
    0x88fc_61ec_5a3c_3fc3_8dfa_fd3b_715d_b9e0 = "checksum-response@ddnet.tw" from client
        => ChecksumResponse "checksum_response" {
        id: Uuid,
        sha256: Sha256,
    }
    /// Reason why there is no hash.
    0x0909_60d1_4000_3fd5_9670_4976_ae70_2a6a = "checksum-error@ddnet.tw" from client
        => ChecksumError "checksum_error" {
        id: Uuid,
        error: i32,
    }
    /// Redirects the client to another port of the server.
    0x4efe_406a_7774_33f1_bfde_1806_ff6d_1528 = "redirect@ddnet.org" from server => Redirect "redirect" {
        port: i32,
    }
    /// Several commands of the remote console follow.
    0x85f6_7ffe_f1b1_3af3_98c4_26db_f771_11b7 = "rcon-cmd-group-start@ddnet.org" from server
        => RconCmdGroupStart "rcon_cmd_group_start" {
        length: i32,
    }
    /// The commands of the remote console are complete.
    0x5e02_c980_6ca1_3c99_a9af_4650_ae95_6252 = "rcon-cmd-group-end@ddnet.org" from server
        => RconCmdGroupEnd "rcon_cmd_group_end" {}
    /// The client must load the same map again.
    0x9a9b_28a3_19b0_37d9_b1f4_2ccc_fba0_5bac = "map-reload@ddnet.org" from server => MapReload "map_reload" {}
    /// The client must reconnect.
    0x5f4d_5db7_3947_3711_b04e_07a1_ff23_c970 = "reconnect@ddnet.org" from server => Reconnect "reconnect" {}
    /// Adds maps that the server offers, for completion in the remote console.
    0xca95_6101_b034_3339_92ca_aa10_4b20_d770 = "sv-maplist-add@ddnet.org" from server => MaplistAdd<'a> "maplist_add" {
        names: List<'a, Text<'a>> as Sanitize::Lines,
    }
    /// A list of maps follows.
    0xd2fa_fec0_5cd2_319a_a84d_480f_2072_dee4 = "sv-maplist-start@ddnet.org" from server
        => MaplistGroupStart "maplist_group_start" {
        length: i32,
    }
    /// The list of maps is complete.
    0x43fd_0a8b_8b23_350d_b3f6_0de5_4924_6a70 = "sv-maplist-end@ddnet.org" from server
        => MaplistGroupEnd "maplist_group_end" {}
}
