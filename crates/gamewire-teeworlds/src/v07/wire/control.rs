//! Control messages of 0.7: the whole payload of a control packet (docs/protocols/teeworlds.md, "Control messages and handshakes").

use crate::shared::control::Padding;
use crate::shared::data::Token;
use crate::shared::definition::messages;
use crate::shared::pack::{Sanitize, Text};

messages! {
    /// A control message of 0.7.
    pub enum ControlMessage<'a>: u8, golden "v07/control";

    /// Nothing to say, but still there.
    0 => KeepAlive "keep_alive" {}
    /// A client that has the server's token wants to connect.
    1 => Connect<'a> "connect" {
        /// The client's token.
        token: Token,
        /// 508 zeros, which the server does not check.
        padding: Padding<'a>,
    }
    /// The server takes the client. DDNet puts four bytes behind it that mean nothing.
    2 => Accept<'a> "accept" {
        padding: Padding<'a>,
    }
    /// The connection is over.
    4 => Close<'a> "close" {
        /// Why; absent when the game just ended.
        reason: Option<Text<'a>> as Sanitize::Controls,
    }
    /// Hands out a token: the question is padded with 508 zeros, the answer is not.
    5 => TokenExchange<'a> "token" {
        /// The token of the sender.
        token: Token,
        padding: Padding<'a>,
    }
}

/// A control message of 0.7, or an unknown one.
pub type Control<'a> = crate::shared::control::Control<'a, ControlMessage<'a>>;
