//! System messages that are the same in 0.6 and 0.7 but for their ids.

use crate::shared::data::{Rest, SizedData};
use crate::shared::definition::message;
use crate::shared::pack::{Sanitize, Text};

message! {
    /// The server has seen that the client has the map and takes it on.
    ConReady "con_ready" {}
}

message! {
    /// One part of a snapshot that does not fit one message.
    Snap<'a> "snap" {
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
}

message! {
    /// A snapshot without any change against its base.
    SnapEmpty "snap_empty" {
        /// The tick that it shows.
        tick: i32,
        /// How many ticks before `tick` its base is; `tick + 1` means the empty snapshot.
        delta: i32,
    }
}

message! {
    /// A whole snapshot in one message.
    SnapSingle<'a> "snap_single" {
        /// The tick that it shows.
        tick: i32,
        /// How many ticks before `tick` its base is; `tick + 1` means the empty snapshot.
        delta: i32,
        /// Wrapping sum of all integers of all items.
        crc: i32,
        data: SizedData<'a>,
    }
}

message! {
    /// A number that was given away and never used; its body has no known form.
    SnapSmall<'a> "snap_small" {
        data: Rest<'a>,
    }
}

message! {
    /// How early or late an input arrived, for the client's clock.
    InputTiming "input_timing" {
        input_pred_tick: i32,
        /// Milliseconds that were left when the input arrived.
        time_left: i32,
    }
}

message! {
    /// A line of the remote console's output.
    RconLine<'a> "rcon_line" {
        line: Text<'a> as Sanitize::Lines,
    }
}

message! {
    /// A number that was given away and never used; its body has no known form.
    AuthChallenge<'a> "auth_challenge" {
        data: Rest<'a>,
    }
}

message! {
    /// A number that was given away and never used; its body has no known form.
    AuthResult<'a> "auth_result" {
        data: Rest<'a>,
    }
}

message! {
    /// The client has loaded the map.
    Ready "ready" {}
}

message! {
    /// The client wants to play now.
    EnterGame "enter_game" {}
}

message! {
    /// A line for the remote console.
    RconCmd<'a> "rcon_cmd" {
        cmd: Text<'a> as Sanitize::Lines,
    }
}

message! {
    /// A number that was given away and never used; its body has no known form.
    AuthStart<'a> "auth_start" {
        data: Rest<'a>,
    }
}

message! {
    /// A number that was given away and never used; its body has no known form.
    AuthResponse<'a> "auth_response" {
        data: Rest<'a>,
    }
}

message! {
    /// Asks the other side to answer at once.
    Ping "ping" {}
}

message! {
    /// The answer to a ping.
    PingReply "ping_reply" {}
}

message! {
    /// A number that was given away and never used; its body has no known form.
    Error<'a> "error" {
        data: Rest<'a>,
    }
}

message! {
    /// A command that the remote console knows, for completion.
    RconCmdAdd<'a> "rcon_cmd_add" {
        name: Text<'a> as Sanitize::Lines,
        help: Text<'a> as Sanitize::Lines,
        params: Text<'a> as Sanitize::Lines,
    }
}

message! {
    /// A command that the remote console no longer offers.
    RconCmdRemove<'a> "rcon_cmd_remove" {
        name: Text<'a> as Sanitize::Lines,
    }
}
