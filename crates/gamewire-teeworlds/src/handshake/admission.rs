use crate::link::Link;
use crate::v06::wire::packet as packet06;
use crate::v07::wire::packet as packet07;

/// What a datagram led to at the [`Acceptor`](super::Acceptor).
#[allow(clippy::large_enum_variant, reason = "it is taken apart at once")]
#[derive(Debug)]
pub enum AcceptOutcome<'d> {
    /// The handshake goes on. Nothing is kept for the sender.
    Answered,
    /// The sender has shown that it is where it says to be, and gets a connection. A server that is
    /// full closes it.
    Accepted {
        /// The connection, in place of one that the sender may have had.
        link: Link,
        /// What the datagram was beside that.
        arrival: FirstPacket,
    },
    /// A browsing message; the server answers it or does not.
    Browse(InfoQuery<'d>),
}

/// What the datagram that made a connection was beside that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstPacket {
    /// A message of the handshake, and nothing more.
    Handshake,
    /// A packet with messages: hand it to the link.
    WithMessages,
    /// The answer to the [`TokenlessPolicy::Puzzle`](super::TokenlessPolicy::Puzzle), and nothing more. The client
    /// believes that it has said who it is and has loaded a map: the server goes on with MAP_CHANGE.
    PastInfo,
}

/// A browsing message whose sender has not asked too often; in 0.7 it has a token of ours too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InfoQuery<'d> {
    /// In 0.6.
    V06 {
        /// The header of the question.
        header: packet06::ConnlessHeader,
        /// The message, from `ff ff ff ff` on.
        payload: &'d [u8],
    },
    /// In 0.7.
    V07 {
        /// The header for the answer.
        answer: packet07::ConnlessHeader,
        /// The message, from `ff ff ff ff` on.
        payload: &'d [u8],
    },
}

/// What a [`Acceptor`](super::Acceptor) has counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AcceptorStats {
    /// Datagrams of handshakes that were answered without a connection.
    pub answered: u64,
    /// Connections that were made.
    pub admitted: u64,
    /// Browsing messages that were let through.
    pub browsed: u64,
    /// Datagrams dropped because their token was wrong, too old, or another address's.
    pub wrong_token: u64,
    /// Datagrams dropped because there were too many of their kind.
    pub limited: u64,
    /// Datagrams dropped for other reasons.
    pub dropped: u64,
}
