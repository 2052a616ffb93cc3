//! Browsing messages of 0.7: four bytes `ff`, four letters, a body (docs/protocols/teeworlds.md, "Connless").

use crate::shared::connless::Client07;
pub use crate::shared::connless::{
    Challenge, ForwardCheck, ForwardError, ForwardOk, ForwardResponse, Heartbeat, RequestCount, RequestList,
    ServerCount, ServerList,
};
use crate::shared::data::List;
use crate::shared::definition::messages;
use crate::shared::pack::Text;

messages! {
    /// A browsing message of 0.7.
    pub enum Connless<'a>: &'a [u8; 4], golden "v07/connless", sender any;

    /// Requests server information.
    b"gie3" => RequestInfo "request_info" {
        /// Returned in the reply.
        token: i32,
    }
    /// Server information.
    b"inf3" => Info<'a> "info_reply" {
        /// Token of the request.
        token: i32,
        version: Text<'a>,
        name: Text<'a>,
        /// Host name of the server, if it is configured.
        hostname: Text<'a>,
        map: Text<'a>,
        game_type: Text<'a>,
        /// 1: a password is needed; 2: scores are times.
        flags: i32,
        skill_level: i32 as 0..=2,
        num_players: i32,
        max_players: i32,
        num_clients: i32,
        max_clients: i32,
        clients: List<'a, Client07<'a>>,
    }
    b"req2" => RequestList "request_list";
    b"lis2" => ServerList<'a> "server_list";
    b"cou2" => RequestCount "request_count";
    b"siz2" => ServerCount "server_count";
    b"bea2" => Heartbeat "heartbeat";
    b"fw??" => ForwardCheck "forward_check";
    b"fw!!" => ForwardResponse "forward_response";
    b"fwok" => ForwardOk "forward_ok";
    b"fwer" => ForwardError "forward_error";
    b"chal" => Challenge<'a> "challenge";
}
