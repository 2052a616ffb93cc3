use crate::link::Link;
use crate::shared::data::Token;

/// The datagram that the server has to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ConnectState {
    /// CONNECT for any dialect of 0.6, with our token.
    Any06 { ours: Token },
    /// Plain CONNECT.
    Plain,
    /// CONNECT of DDNet.
    Tken,
    /// CONNECT of 0.6.5 with our token.
    V065 { ours: Token },
    /// TOKEN of 0.7 with our token.
    AskToken { ours: Token },
    /// CONNECT of 0.7.
    V07 { ours: Token, theirs: Token },
    /// No datagram: the handshake is finished, with or without a connection.
    Finished,
}

/// The result of handling a datagram from the server.
#[allow(clippy::large_enum_variant, reason = "it is matched immediately")]
#[derive(Debug)]
pub enum ConnectOutcome {
    /// The handshake is in progress.
    Waiting,
    /// The connection is established, and the handshake is finished.
    Online(Link),
    /// The connection is established, and the datagram also contains messages. The link must receive the datagram.
    OnlineWithMessages(Link),
    /// The server sent a CLOSE, and the handshake is finished.
    Refused {
        /// The server's reason as text to show; empty for none.
        reason: String,
    },
}
