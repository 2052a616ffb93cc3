//! Browsing messages of 0.6 and DDNet: four bytes `ff`, four letters, a body (docs/protocols/teeworlds.md, "Connless").

pub use crate::shared::connless::{
    Challenge, ForwardCheck, ForwardError, ForwardOk, ForwardResponse, Heartbeat, RequestCount, RequestList,
    ServerCount, ServerList,
};
use crate::shared::connless::{Client06, ExtendedClient};
use crate::shared::data::{Byte, Decimal, List};
use crate::shared::definition::messages;
use crate::shared::pack::Text;

messages! {
    /// A browsing message of 0.6.
    pub enum Connless<'a>: &'a [u8; 4], golden "v06/connless", sender any;

    /// Requests server information.
    b"gie3" => RequestInfo "request_info" {
        /// Returned in the reply.
        token: Byte,
    }
    /// Server information.
    b"inf3" => Info<'a> "info_reply" {
        /// Token of the request.
        token: Decimal<'a>,
        version: Text<'a>,
        name: Text<'a>,
        map: Text<'a>,
        game_type: Text<'a>,
        /// 1: a password is needed.
        flags: Decimal<'a>,
        num_players: Decimal<'a>,
        max_players: Decimal<'a>,
        num_clients: Decimal<'a>,
        max_clients: Decimal<'a>,
        clients: List<'a, Client06<'a>>,
    }
    /// Requests information of a server with up to 64 players (older DDNet).
    b"fstd" => RequestInfo64 "request_info_64" {
        /// Returned in the reply.
        token: Byte,
    }
    /// Information of a server with up to 64 players, at most 24 of them per reply (older DDNet).
    b"dtsf" => Info64<'a> "info_reply_64" {
        /// Token of the request.
        token: Decimal<'a>,
        version: Text<'a>,
        name: Text<'a>,
        map: Text<'a>,
        game_type: Text<'a>,
        /// 1: a password is needed.
        flags: Decimal<'a>,
        num_players: Decimal<'a>,
        max_players: Decimal<'a>,
        num_clients: Decimal<'a>,
        max_clients: Decimal<'a>,
        /// Index of the first player in this reply.
        offset: i32,
        clients: List<'a, Client06<'a>>,
    }
    /// Server information with the map and as many players as fit (DDNet).
    b"iext" => InfoExtended<'a> "info_reply_extended" {
        /// Token of the request, with the extra token in the upper bits.
        token: Decimal<'a>,
        version: Text<'a>,
        name: Text<'a>,
        map: Text<'a>,
        /// CRC-32 of the map file.
        map_crc: Decimal<'a>,
        /// Size of the map file in bytes.
        map_size: Decimal<'a>,
        game_type: Text<'a>,
        /// 1: a password is needed.
        flags: Decimal<'a>,
        num_players: Decimal<'a>,
        max_players: Decimal<'a>,
        num_clients: Decimal<'a>,
        max_clients: Decimal<'a>,
        reserved: Text<'a>,
        clients: List<'a, ExtendedClient<'a>>,
    }
    /// Players that did not fit the first reply (DDNet).
    b"iex+" => InfoExtendedMore<'a> "info_reply_more" {
        /// Token of the request, with the extra token in the upper bits.
        token: Decimal<'a>,
        /// Index of this reply, from 1.
        packet_no: Decimal<'a>,
        reserved: Text<'a>,
        clients: List<'a, ExtendedClient<'a>>,
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
