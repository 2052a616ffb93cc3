//! System messages of 0.7 (docs/protocols/teeworlds.md, "Messages").

use crate::shared::data::{Rest, Sha256, SizedInput};
use crate::shared::definition::messages;
use crate::shared::pack::{Sanitize, Text};
pub use crate::shared::system::*;
use crate::v07::object::PlayerInput;

messages! {
    /// A system message of 0.7.
    pub enum System<'a>: i32, golden "v07/system", sender by_word;

    /// First message of a client: version and password.
    1 from client => Info<'a> "info" {
        /// The version of the protocol, such as `0.7 802f1be60a05665f`.
        version: Text<'a> as Sanitize::Lines,
        password: Option<Text<'a>> as Sanitize::Lines,
        /// The version of the client, such as 0x0705.
        client_version: Option<i32>,
    }
    /// Names the map that the client must load.
    2 from server => MapChange<'a> "map_change" {
        name: Text<'a> as Sanitize::Lines,
        /// CRC-32 of the file.
        crc: i32,
        /// Size of the file in bytes.
        size: i32,
        /// Number of map chunks per request.
        num_response_chunks_per_request: i32,
        /// Bytes of every map chunk except the last.
        chunk_size: i32,
        sha256: Sha256,
    }
    /// A chunk of the map file.
    3 from server => MapData<'a> "map_data" {
        data: Rest<'a>,
    }
    /// Server information for a connected client.
    4 from server => ServerInfo<'a> "server_info" {
        version: Text<'a> as Sanitize::Lines,
        name: Text<'a> as Sanitize::Lines,
        hostname: Text<'a> as Sanitize::Lines,
        map: Text<'a> as Sanitize::Lines,
        game_type: Text<'a> as Sanitize::Lines,
        flags: i32,
        skill_level: i32,
        num_players: i32,
        max_players: i32,
        num_clients: i32,
        max_clients: i32,
    }
    5 from server => ConReady "con_ready";
    6 from server => Snap<'a> "snap";
    7 from server => SnapEmpty "snap_empty";
    8 from server => SnapSingle<'a> "snap_single";
    9 from server => SnapSmall<'a> "snap_small";
    10 from server => InputTiming "input_timing";
    /// Grants access to the remote console.
    11 from server => RconAuthOn "rcon_auth_on" {}
    /// Revokes access to the remote console.
    12 from server => RconAuthOff "rcon_auth_off" {}
    13 from server => RconLine<'a> "rcon_line";
    14 from server => RconCmdAdd<'a> "rcon_cmd_add";
    15 from server => RconCmdRemove<'a> "rcon_cmd_remove";
    16 from either => AuthChallenge<'a> "auth_challenge";
    17 from either => AuthResult<'a> "auth_result";
    18 from client => Ready "ready";
    19 from client => EnterGame "enter_game";
    /// Input of the player, and the acknowledged snapshot.
    20 from client => Input<'a> "input" {
        ack_snapshot: i32 as -1..=i32::MAX,
        intended_tick: i32,
        input: SizedInput<'a, PlayerInput>,
        /// Ping correction of the client in milliseconds; absent in DDNet.
        ping_correction: Option<i32>,
    }
    21 from client => RconCmd<'a> "rcon_cmd";
    /// Requests access to the remote console.
    22 from client => RconAuth<'a> "rcon_auth" {
        password: Text<'a> as Sanitize::Lines,
    }
    /// Requests the next chunk of the map.
    23 from client => RequestMapData "request_map_data" {}
    24 from either => AuthStart<'a> "auth_start";
    25 from either => AuthResponse<'a> "auth_response";
    26 from either => Ping "ping";
    27 from either => PingReply "ping_reply";
    28 from either => Error<'a> "error";
    /// Adds a map that the server offers, for completion in the remote console.
    29 from server => MaplistEntryAdd<'a> "maplist_entry_add" {
        name: Text<'a> as Sanitize::Lines,
    }
    /// Removes a map that the server offers.
    30 from server => MaplistEntryRemove<'a> "maplist_entry_remove" {
        name: Text<'a> as Sanitize::Lines,
    }
}
