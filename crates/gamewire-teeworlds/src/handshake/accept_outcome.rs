use crate::link::Link;
use crate::v06::wire::packet as packet06;
use crate::v07::wire::packet as packet07;

/// The result of a datagram at the [`Acceptor`](super::Acceptor).
#[allow(clippy::large_enum_variant, reason = "it is matched immediately")]
#[derive(Debug)]
pub enum AcceptOutcome<'d> {
    /// The handshake goes on. Nothing is stored for the sender.
    Answered,
    /// The address of the sender is verified, and it has a connection. A server without a free slot closes it.
    Accepted {
        /// The connection. It replaces an earlier one of the same address.
        link: Link,
        /// The kind of the datagram.
        first_packet: FirstPacket,
    },
    /// A server info request. The caller answers it.
    InfoQuery(InfoQuery<'d>),
}

/// The datagram that established a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FirstPacket {
    /// Only a message of the handshake.
    Handshake,
    /// A packet with messages. The link must receive it.
    WithMessages,
    /// The answer to [`TokenlessPolicy::Antispoof`](super::TokenlessPolicy::Antispoof). The client has already sent INFO
    /// and loaded a map, so the server continues with MAP_CHANGE.
    PastInfo,
}

/// A browsing message that passed the rate limit and, in 0.7, the token check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InfoQuery<'d> {
    /// 0.6.
    V06 {
        /// The header of the request.
        header: packet06::ConnlessHeader,
        /// The message, starting with `ff ff ff ff`.
        payload: &'d [u8],
    },
    /// 0.7.
    V07 {
        /// The header of the answer.
        answer: packet07::ConnlessHeader,
        /// The message, starting with `ff ff ff ff`.
        payload: &'d [u8],
    },
}

/// Counters of an [`Acceptor`](super::Acceptor).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AcceptorStats {
    /// Handshake datagrams that were answered.
    pub answered: u64,
    /// Connections that were established.
    pub accepted: u64,
    /// Browsing messages that passed the rate limit.
    pub info_queries: u64,
    /// Datagrams dropped because their token was wrong, expired, or of another address.
    pub wrong_token: u64,
    /// Datagrams dropped by a rate limit.
    pub rate_limited: u64,
    /// Datagrams dropped for other reasons.
    pub dropped: u64,
}
