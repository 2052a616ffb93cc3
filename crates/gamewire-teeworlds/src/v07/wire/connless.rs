//! Browsing messages of 0.7: four bytes `ff`, four letters, a body (docs/protocols/teeworlds.md, "Connless").

use crate::shared::connless::{Client07, ServerAddress};
use crate::shared::data::{BigEndian16, List};
use crate::shared::definition::messages;
use crate::shared::pack::Text;

messages! {
    /// A browsing message of 0.7.
    pub enum Connless<'a>: &'a [u8; 4], golden "v07/connless";

    /// Asks a server what it is.
    b"gie3" => RequestInfo "request_info" {
        /// Comes back in the answer.
        token: i32,
    }
    /// What a server is.
    b"inf3" => Info<'a> "info_reply" {
        /// The token of the question.
        token: i32,
        version: Text<'a>,
        name: Text<'a>,
        /// The name that the server's address has, if it was told.
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
    /// Asks a master server for its servers.
    b"req2" => RequestList "request_list" {}
    /// Some of the servers that a master server knows.
    b"lis2" => ServerList<'a> "server_list" {
        servers: List<'a, ServerAddress>,
    }
    /// Asks a master server how many servers it knows.
    b"cou2" => RequestCount "request_count" {}
    /// How many servers a master server knows.
    b"siz2" => ServerCount "server_count" {
        count: BigEndian16,
    }
    /// A server tells a master server that it is there.
    b"bea2" => Heartbeat "heartbeat" {
        /// Another port to check; 0 for none.
        alt_port: BigEndian16,
    }
    /// A master server looks whether a server can be reached.
    b"fw??" => ForwardCheck "forward_check" {}
    /// The server can be reached.
    b"fw!!" => ForwardResponse "forward_response" {}
    /// The master server lists the server.
    b"fwok" => ForwardOk "forward_ok" {}
    /// The master server cannot reach the server.
    b"fwer" => ForwardError "forward_error" {}
}
