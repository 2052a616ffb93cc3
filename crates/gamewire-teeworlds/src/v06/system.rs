//! System messages of 0.6 (docs/protocols/teeworlds.md, "Messages").

use crate::shared::data::{SizedData, SizedInput};
use crate::shared::definition::messages;
use crate::shared::pack::{Sanitize, Text};
pub use crate::shared::system::*;
use crate::v06::object::PlayerInput;

messages! {
    /// A system message of 0.6.
    pub enum System<'a>: i32, golden "v06/system", sender by_word;

    /// First message of a client: version and password.
    1 from client => Info<'a> "info" {
        /// The version of the protocol, such as `0.6 626fce9a778df4d4`.
        version: Text<'a> as Sanitize::Lines,
        password: Option<Text<'a>> as Sanitize::Lines,
    }
    /// Names the map that the client must load.
    2 from server => MapChange<'a> "map_change" {
        name: Text<'a> as Sanitize::Lines,
        /// CRC-32 of the file.
        crc: i32,
        /// Size of the file in bytes.
        size: i32,
    }
    /// A chunk of the map file.
    3 from server => MapData<'a> "map_data" {
        last: i32,
        /// CRC-32 of the whole file.
        crc: i32,
        chunk: i32,
        data: SizedData<'a>,
    }
    4 from server => ConReady "con_ready";
    5 from server => Snap<'a> "snap";
    6 from server => SnapEmpty "snap_empty";
    7 from server => SnapSingle<'a> "snap_single";
    8 from server => SnapSmall<'a> "snap_small";
    9 from server => InputTiming "input_timing";
    /// Grants or revokes access to the remote console.
    10 from server => RconAuthStatus "rcon_auth_status" {
        auth_level: Option<i32>,
        receive_commands: Option<i32>,
    }
    11 from server => RconLine<'a> "rcon_line";
    12 from either => AuthChallenge<'a> "auth_challenge";
    13 from either => AuthResult<'a> "auth_result";
    14 from client => Ready "ready";
    15 from client => EnterGame "enter_game";
    /// Input of the player, and the acknowledged snapshot.
    16 from client => Input<'a> "input" {
        ack_snapshot: i32 as -1..=i32::MAX,
        intended_tick: i32,
        input: SizedInput<'a, PlayerInput>,
    }
    17 from client => RconCmd<'a> "rcon_cmd";
    /// Requests access to the remote console.
    18 from client => RconAuth<'a> "rcon_auth" {
        unused: Text<'a> as Sanitize::Lines,
        password: Text<'a> as Sanitize::Lines,
        request_commands: Option<i32>,
    }
    /// Requests the next chunk of the map.
    19 from client => RequestMapData "request_map_data" {
        chunk: i32,
    }
    20 from either => AuthStart<'a> "auth_start";
    21 from either => AuthResponse<'a> "auth_response";
    22 from either => Ping "ping";
    23 from either => PingReply "ping_reply";
    24 from either => Error<'a> "error";
    25 from server => RconCmdAdd<'a> "rcon_cmd_add";
    26 from server => RconCmdRemove<'a> "rcon_cmd_remove";
}
