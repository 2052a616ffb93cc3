//! Control messages of 0.6, 0.6.5 and DDNet: the whole payload of a control packet (docs/protocols/teeworlds.md,
//! "Control messages and handshakes").
//!
//! In DDNet's token dialect, the caller must first remove the token at the end of the payload.

use crate::shared::control::{ConnectToken, ReasonText};
use crate::shared::definition::messages;

messages! {
    /// A control message of 0.6.
    pub enum ControlMessage<'a>: u8, golden "v06/control", sender any;

    /// Keeps the connection alive.
    0 => KeepAlive "keep_alive" {}
    /// Request of a client to connect.
    1 => Connect<'a> "connect" {
        greeting: ConnectToken<'a>,
    }
    /// The server accepts the client.
    2 => ConnectAccept<'a> "connect_accept" {
        greeting: ConnectToken<'a>,
    }
    /// The client acknowledges the acceptance; not in 0.6.5.
    3 => Accept "accept" {}
    /// Closes the connection.
    4 => Close<'a> "close" {
        /// Reason; absent if the sender's program exits.
        reason: Option<ReasonText<'a>>,
    }
}

/// A control message of 0.6, or an unknown one.
pub type Control<'a> = crate::shared::control::Control<'a, ControlMessage<'a>>;
