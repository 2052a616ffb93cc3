//! Browsing messages of 0.6 and DDNet: four bytes `ff`, four letters, a body (docs/protocols/teeworlds.md, "Connless").

use crate::shared::connless::{Client06, ExtendedClient, ServerAddress};
use crate::shared::data::{BigEndian16, Byte, Decimal, List};
use crate::shared::definition::messages;
use crate::shared::pack::Text;

messages! {
    /// A browsing message of 0.6.
    pub enum Connless<'a>: &'a [u8; 4], golden "v06/connless";

    /// Asks a server what it is.
    b"gie3" => RequestInfo "request_info" {
        /// Comes back in the answer.
        token: Byte,
    }
    /// What a server is.
    b"inf3" => Info<'a> "info_reply" {
        /// The token of the question.
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
    /// Asks a server with up to 64 players what it is (DDNet, of old).
    b"fstd" => RequestInfo64 "request_info_64" {
        /// Comes back in the answer.
        token: Byte,
    }
    /// What a server with up to 64 players is: up to 24 of them an answer (DDNet, of old).
    b"dtsf" => Info64<'a> "info_reply_64" {
        /// The token of the question.
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
        /// Number of the first player listed here.
        offset: i32,
        clients: List<'a, Client06<'a>>,
    }
    /// What a server is, with its map and as many players as fit (DDNet).
    b"iext" => InfoExtended<'a> "info_reply_extended" {
        /// The token of the question, and the extra token above it.
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
        /// For later extensions.
        reserved: Text<'a>,
        clients: List<'a, ExtendedClient<'a>>,
    }
    /// The players that did not fit the first answer (DDNet).
    b"iex+" => InfoExtendedMore<'a> "info_reply_more" {
        /// The token of the question, and the extra token above it.
        token: Decimal<'a>,
        /// Which answer this is, from 1.
        packet_no: Decimal<'a>,
        /// For later extensions.
        reserved: Text<'a>,
        clients: List<'a, ExtendedClient<'a>>,
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
