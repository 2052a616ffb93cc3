//! System messages of 0.6 (docs/protocols/teeworlds.md, "Messages").

use crate::shared::data::{Rest, SizedData, SizedInput};
use crate::shared::definition::messages;
use crate::shared::pack::{Sanitize, Text};
use crate::v06::object::PlayerInput;

messages! {
    /// A system message of 0.6.
    pub enum System<'a>: i32, golden "v06/system";

    /// First message of a client: who it is by version, and the password.
    1 => Info<'a> "info" {
        /// The version of the protocol, such as `0.6 626fce9a778df4d4`.
        version: Text<'a> as Sanitize::Lines,
        password: Option<Text<'a>> as Sanitize::Lines,
    }
    /// Names the map that the client must load now.
    2 => MapChange<'a> "map_change" {
        name: Text<'a> as Sanitize::Lines,
        /// CRC-32 of the file.
        crc: i32,
        /// Size of the file in bytes.
        size: i32,
    }
    /// A piece of the map file.
    3 => MapData<'a> "map_data" {
        last: i32,
        /// CRC-32 of the whole file.
        crc: i32,
        chunk: i32,
        data: SizedData<'a>,
    }
    /// The server has seen that the client has the map and takes it on.
    4 => ConReady "con_ready" {}
    /// One part of a snapshot that does not fit one message.
    5 => Snap<'a> "snap" {
        /// The tick that it shows.
        tick: i32,
        /// How many ticks before `tick` its base is; `tick + 1` means the empty snapshot.
        delta: i32,
        /// How many parts the snapshot has.
        num_parts: i32,
        /// Which part this is, from 0.
        part: i32,
        /// Wrapping sum of all integers of all items.
        crc: i32,
        data: SizedData<'a>,
    }
    /// A snapshot without any change against its base.
    6 => SnapEmpty "snap_empty" {
        /// The tick that it shows.
        tick: i32,
        /// How many ticks before `tick` its base is; `tick + 1` means the empty snapshot.
        delta: i32,
    }
    /// A whole snapshot in one message.
    7 => SnapSingle<'a> "snap_single" {
        /// The tick that it shows.
        tick: i32,
        /// How many ticks before `tick` its base is; `tick + 1` means the empty snapshot.
        delta: i32,
        /// Wrapping sum of all integers of all items.
        crc: i32,
        data: SizedData<'a>,
    }
    /// A number that was given away and never used; its body has no known form.
    8 => SnapSmall<'a> "snap_small" {
        data: Rest<'a>,
    }
    /// How early or late an input arrived, for the client's clock.
    9 => InputTiming "input_timing" {
        input_pred_tick: i32,
        /// Milliseconds that were left when the input arrived.
        time_left: i32,
    }
    /// Whether the client may use the remote console.
    10 => RconAuthStatus "rcon_auth_status" {
        auth_level: Option<i32>,
        receive_commands: Option<i32>,
    }
    /// A line of the remote console's output.
    11 => RconLine<'a> "rcon_line" {
        line: Text<'a> as Sanitize::Lines,
    }
    /// A number that was given away and never used; its body has no known form.
    12 => AuthChallenge<'a> "auth_challenge" {
        data: Rest<'a>,
    }
    /// A number that was given away and never used; its body has no known form.
    13 => AuthResult<'a> "auth_result" {
        data: Rest<'a>,
    }
    /// The client has loaded the map.
    14 => Ready "ready" {}
    /// The client wants to play now.
    15 => EnterGame "enter_game" {}
    /// What the player does, and the last snapshot that arrived.
    16 => Input<'a> "input" {
        /// Tick of the last snapshot that arrived whole; -1 for none.
        ack_snapshot: i32 as -1..=i32::MAX,
        /// The tick that the input is meant for.
        intended_tick: i32,
        input: SizedInput<'a, PlayerInput>,
    }
    /// A line for the remote console.
    17 => RconCmd<'a> "rcon_cmd" {
        cmd: Text<'a> as Sanitize::Lines,
    }
    /// Asks for the remote console with its password.
    18 => RconAuth<'a> "rcon_auth" {
        unused: Text<'a> as Sanitize::Lines,
        password: Text<'a> as Sanitize::Lines,
        request_commands: Option<i32>,
    }
    /// Asks for the next piece of the map.
    19 => RequestMapData "request_map_data" {
        chunk: i32,
    }
    /// A number that was given away and never used; its body has no known form.
    20 => AuthStart<'a> "auth_start" {
        data: Rest<'a>,
    }
    /// A number that was given away and never used; its body has no known form.
    21 => AuthResponse<'a> "auth_response" {
        data: Rest<'a>,
    }
    /// Asks the other side to answer at once.
    22 => Ping "ping" {}
    /// The answer to a ping.
    23 => PingReply "ping_reply" {}
    /// A number that was given away and never used; its body has no known form.
    24 => Error<'a> "error" {
        data: Rest<'a>,
    }
    /// A command that the remote console knows, for completion.
    25 => RconCmdAdd<'a> "rcon_cmd_add" {
        name: Text<'a> as Sanitize::Lines,
        help: Text<'a> as Sanitize::Lines,
        params: Text<'a> as Sanitize::Lines,
    }
    /// A command that the remote console no longer offers.
    26 => RconCmdRemove<'a> "rcon_cmd_remove" {
        name: Text<'a> as Sanitize::Lines,
    }
}
