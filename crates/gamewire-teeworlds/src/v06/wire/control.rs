//! Control messages of 0.6, 0.6.5 and DDNet: the whole payload of a control packet (docs/protocols/teeworlds.md, "Control messages and handshakes").
//!
//! In DDNet's token dialect the four bytes of the token that end every payload are not part of
//! what is described here.

use crate::shared::control::ConnectToken;
use crate::shared::definition::messages;
use crate::shared::pack::{Sanitize, Text};

messages! {
    /// A control message of 0.6.
    pub enum ControlMessage<'a>: u8, golden "v06/control";

    /// Nothing to say, but still there.
    0 => KeepAlive "keep_alive" {}
    /// A client wants to connect.
    1 => Connect<'a> "connect" {
        greeting: ConnectToken<'a>,
    }
    /// The server would take the client.
    2 => ConnectAccept<'a> "connect_accept" {
        greeting: ConnectToken<'a>,
    }
    /// The client has seen that; not in 0.6.5.
    3 => Accept "accept" {}
    /// The connection is over.
    4 => Close<'a> "close" {
        /// Why; absent when the game just ended.
        reason: Option<Text<'a>> as Sanitize::Controls,
    }
}

/// A control message of 0.6, or an unknown one.
pub type Control<'a> = crate::shared::control::Control<'a, ControlMessage<'a>>;
