//! Control messages of 0.7: the whole payload of a control packet (docs/protocols/teeworlds.md, "Control messages and
//! handshakes").

use crate::shared::control::{Padding, ReasonText};
use crate::shared::data::Token;
use crate::shared::definition::messages;

messages! {
    /// A control message of 0.7.
    pub enum ControlMessage<'a>: u8, golden "v07/control", sender any;

    /// Keeps the connection alive.
    0 => KeepAlive "keep_alive" {}
    /// Request of a client to connect, with the server's token.
    1 => Connect<'a> "connect" {
        /// Token of the client.
        token: Token,
        /// 508 zeros, which the server does not check.
        padding: Padding<'a>,
    }
    /// The server accepts the client. DDNet appends four bytes without a meaning.
    2 => Accept<'a> "accept" {
        padding: Padding<'a>,
    }
    /// Closes the connection.
    4 => Close<'a> "close" {
        /// Reason; absent if the sender's program exits.
        reason: Option<ReasonText<'a>>,
    }
    /// Issues a token. The request is padded with 508 zeros, the reply is not.
    5 => TokenExchange<'a> "token" {
        /// Token of the sender.
        token: Token,
        padding: Padding<'a>,
    }
}

/// A control message of 0.7, or an unknown one.
pub type Control<'a> = crate::shared::control::Control<'a, ControlMessage<'a>>;
