//! System messages of 0.7 (docs/protocols/teeworlds.md, "Messages").

use crate::shared::data::{Rest, Sha256, SizedInput};
use crate::shared::definition::messages;
use crate::shared::pack::{Sanitize, Text};
pub use crate::shared::system::*;
use crate::v07::object::PlayerInput;

messages! {
    /// A system message of 0.7.
    pub enum System<'a>: i32, golden "v07/system";

    /// First message of a client: who it is by version, and the password.
    1 => Info<'a> "info" {
        /// The version of the protocol, such as `0.7 802f1be60a05665f`.
        version: Text<'a> as Sanitize::Lines,
        password: Option<Text<'a>> as Sanitize::Lines,
        /// The version of the client, such as 0x0705.
        client_version: Option<i32>,
    }
    /// Names the map that the client must load now.
    2 => MapChange<'a> "map_change" {
        name: Text<'a> as Sanitize::Lines,
        /// CRC-32 of the file.
        crc: i32,
        /// Size of the file in bytes.
        size: i32,
        /// How many pieces answer one request.
        num_response_chunks_per_request: i32,
        /// Bytes in each piece but the last.
        chunk_size: i32,
        /// SHA-256 of the file.
        sha256: Sha256,
    }
    /// A piece of the map file.
    3 => MapData<'a> "map_data" {
        data: Rest<'a>,
    }
    /// What the server says of itself once a client is in.
    4 => ServerInfo<'a> "server_info" {
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
    5 => ConReady "con_ready";
    6 => Snap<'a> "snap";
    7 => SnapEmpty "snap_empty";
    8 => SnapSingle<'a> "snap_single";
    9 => SnapSmall<'a> "snap_small";
    10 => InputTiming "input_timing";
    /// The remote console is open to the client.
    11 => RconAuthOn "rcon_auth_on" {}
    /// The remote console is closed to the client.
    12 => RconAuthOff "rcon_auth_off" {}
    13 => RconLine<'a> "rcon_line";
    14 => RconCmdAdd<'a> "rcon_cmd_add";
    15 => RconCmdRemove<'a> "rcon_cmd_remove";
    16 => AuthChallenge<'a> "auth_challenge";
    17 => AuthResult<'a> "auth_result";
    18 => Ready "ready";
    19 => EnterGame "enter_game";
    /// What the player does, and the last snapshot that arrived.
    20 => Input<'a> "input" {
        /// Tick of the last snapshot that arrived whole; -1 for none.
        ack_snapshot: i32 as -1..=i32::MAX,
        /// The tick that the input is meant for.
        intended_tick: i32,
        input: SizedInput<'a, PlayerInput>,
        /// Milliseconds by which the client corrects its ping; DDNet leaves it out.
        ping_correction: Option<i32>,
    }
    21 => RconCmd<'a> "rcon_cmd";
    /// Asks for the remote console with its password.
    22 => RconAuth<'a> "rcon_auth" {
        password: Text<'a> as Sanitize::Lines,
    }
    /// Asks for the next piece of the map.
    23 => RequestMapData "request_map_data" {}
    24 => AuthStart<'a> "auth_start";
    25 => AuthResponse<'a> "auth_response";
    26 => Ping "ping";
    27 => PingReply "ping_reply";
    28 => Error<'a> "error";
    /// A map that the server offers, for completion in the remote console.
    29 => MaplistEntryAdd<'a> "maplist_entry_add" {
        name: Text<'a> as Sanitize::Lines,
    }
    /// A map that the server no longer offers.
    30 => MaplistEntryRemove<'a> "maplist_entry_remove" {
        name: Text<'a> as Sanitize::Lines,
    }
}
