//! System messages that differ between 0.6 and 0.7 only in their id.

use crate::shared::data::{Rest, SizedData};
use crate::shared::definition::message;
use crate::shared::pack::{Sanitize, Text};

message! {
    /// The server accepts the client after the client has loaded the map.
    ConReady "con_ready" {}
    /// One part of a snapshot that does not fit one message.
    Snap<'a> "snap" {
        tick: i32,
        delta: i32,
        /// Number of parts of the snapshot.
        num_parts: i32,
        /// Index of this part, from 0.
        part: i32,
        /// Wrapping sum of all integers of all items.
        crc: i32,
        data: SizedData<'a>,
    }
    /// A snapshot that equals its base.
    SnapEmpty "snap_empty" {
        tick: i32,
        delta: i32,
    }
    /// A snapshot in one message.
    SnapSingle<'a> "snap_single" {
        tick: i32,
        delta: i32,
        /// Wrapping sum of all integers of all items.
        crc: i32,
        data: SizedData<'a>,
    }
    /// A reserved number that no game uses; its body has no known format.
    SnapSmall<'a> "snap_small" {
        data: Rest<'a>,
    }
    /// Reports how early or late an input arrived, for the client's clock.
    InputTiming "input_timing" {
        input_pred_tick: i32,
        /// Milliseconds left when the input arrived.
        time_left: i32,
    }
    /// A line of the remote console's output.
    RconLine<'a> "rcon_line" {
        line: Text<'a> as Sanitize::Lines,
    }
    /// A reserved number that no game uses; its body has no known format.
    AuthChallenge<'a> "auth_challenge" {
        data: Rest<'a>,
    }
    /// A reserved number that no game uses; its body has no known format.
    AuthResult<'a> "auth_result" {
        data: Rest<'a>,
    }
    /// The client has loaded the map.
    Ready "ready" {}
    /// The client enters the game.
    EnterGame "enter_game" {}
    /// A line for the remote console.
    RconCmd<'a> "rcon_cmd" {
        cmd: Text<'a> as Sanitize::Lines,
    }
    /// A reserved number that no game uses; its body has no known format.
    AuthStart<'a> "auth_start" {
        data: Rest<'a>,
    }
    /// A reserved number that no game uses; its body has no known format.
    AuthResponse<'a> "auth_response" {
        data: Rest<'a>,
    }
    /// Requests an immediate reply.
    Ping "ping" {}
    /// The answer to a ping.
    PingReply "ping_reply" {}
    /// A reserved number that no game uses; its body has no known format.
    Error<'a> "error" {
        data: Rest<'a>,
    }
    /// Adds a command of the remote console, for completion.
    RconCmdAdd<'a> "rcon_cmd_add" {
        name: Text<'a> as Sanitize::Lines,
        help: Text<'a> as Sanitize::Lines,
        params: Text<'a> as Sanitize::Lines,
    }
    /// Removes a command of the remote console.
    RconCmdRemove<'a> "rcon_cmd_remove" {
        name: Text<'a> as Sanitize::Lines,
    }
}
