//! System messages of 0.6 (docs/protocols/teeworlds.md, "Messages").

use crate::shared::data::{SizedData, SizedInput};
use crate::shared::definition::messages;
use crate::shared::pack::{Sanitize, Text};
pub use crate::shared::system::*;
use crate::v06::object::PlayerInput;

messages! {
    /// A system message of 0.6.
    pub enum System<'a>: i32, golden "v06/system";

    /// First message of a client: version and password.
    1 => Info<'a> "info" {
        /// The version of the protocol, such as `0.6 626fce9a778df4d4`.
        version: Text<'a> as Sanitize::Lines,
        password: Option<Text<'a>> as Sanitize::Lines,
    }
    /// Names the map that the client must load.
    2 => MapChange<'a> "map_change" {
        name: Text<'a> as Sanitize::Lines,
        /// CRC-32 of the file.
        crc: i32,
        /// Size of the file in bytes.
        size: i32,
    }
    /// A chunk of the map file.
    3 => MapData<'a> "map_data" {
        last: i32,
        /// CRC-32 of the whole file.
        crc: i32,
        chunk: i32,
        data: SizedData<'a>,
    }
    4 => ConReady "con_ready";
    5 => Snap<'a> "snap";
    6 => SnapEmpty "snap_empty";
    7 => SnapSingle<'a> "snap_single";
    8 => SnapSmall<'a> "snap_small";
    9 => InputTiming "input_timing";
    /// Grants or revokes access to the remote console.
    10 => RconAuthStatus "rcon_auth_status" {
        auth_level: Option<i32>,
        receive_commands: Option<i32>,
    }
    11 => RconLine<'a> "rcon_line";
    12 => AuthChallenge<'a> "auth_challenge";
    13 => AuthResult<'a> "auth_result";
    14 => Ready "ready";
    15 => EnterGame "enter_game";
    /// Input of the player, and the acknowledged snapshot.
    16 => Input<'a> "input" {
        ack_snapshot: i32 as -1..=i32::MAX,
        intended_tick: i32,
        input: SizedInput<'a, PlayerInput>,
    }
    17 => RconCmd<'a> "rcon_cmd";
    /// Requests access to the remote console.
    18 => RconAuth<'a> "rcon_auth" {
        unused: Text<'a> as Sanitize::Lines,
        password: Text<'a> as Sanitize::Lines,
        request_commands: Option<i32>,
    }
    /// Requests the next chunk of the map.
    19 => RequestMapData "request_map_data" {
        chunk: i32,
    }
    20 => AuthStart<'a> "auth_start";
    21 => AuthResponse<'a> "auth_response";
    22 => Ping "ping";
    23 => PingReply "ping_reply";
    24 => Error<'a> "error";
    25 => RconCmdAdd<'a> "rcon_cmd_add";
    26 => RconCmdRemove<'a> "rcon_cmd_remove";
}
