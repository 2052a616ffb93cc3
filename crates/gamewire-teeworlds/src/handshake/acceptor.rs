use std::net::SocketAddr;

use gamewire_machine::Instant;

use super::antispoof::AntispoofLimiter;
use super::config::AcceptorConfig;
use super::decode::Unconnected;
use super::rate_limit::PrefixRateLimiter;
use super::seeded_rng::SeededRng;
use super::token::{Purpose, ServerTokens};
use crate::link::{Link, LinkConfig, LinkTokens, Outbox, PacketError};
use crate::shared::data::Token;
use crate::shared::packet::{Header, MAX_PAYLOAD};
use crate::v06::packet as packet06;
use crate::v07::packet as packet07;

/// The result of handling a datagram in the [`Acceptor`](super::Acceptor).
#[allow(clippy::large_enum_variant, reason = "it is matched immediately")]
#[derive(Debug)]
pub enum AcceptOutcome<'d> {
    /// An answer was queued, and the handshake is in progress. Nothing is stored for the sender.
    Answered,
    /// The address of the sender is verified, and its connection is established. A server without a free slot must
    /// close it.
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
    /// A message of the handshake, without other messages.
    Handshake,
    /// A packet with messages. The link must receive it.
    WithMessages,
    /// The answer to [`TokenlessPolicy::Antispoof`](super::TokenlessPolicy::Antispoof). The client has already sent
    /// INFO and loaded a map, so the server continues with MAP_CHANGE.
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
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AcceptorStats {
    /// Handshake datagrams that were answered.
    pub answered: u64,
    /// Connections that were established.
    pub accepted: u64,
    /// Browsing messages that passed the rate limit.
    pub info_queries: u64,
    /// Datagrams dropped because their token was wrong, expired, or issued to another address.
    pub wrong_token: u64,
    /// Datagrams dropped by a rate limit.
    pub rate_limited: u64,
    /// Datagrams dropped for other reasons.
    pub dropped: u64,
}

/// A received datagram: its time, its sender, and the queue for an answer.
pub(super) struct Request<'o> {
    pub(super) now: Instant,
    pub(super) from: SocketAddr,
    /// The tokens of the sender's connection, if it has one.
    pub(super) link: Option<LinkTokens>,
    pub(super) out: &'o mut Outbox,
}

impl Request<'_> {
    /// Accepts a connection that was established by a message of the handshake.
    pub(super) fn accept<'d>(&self, tokens: LinkTokens, config: LinkConfig) -> AcceptOutcome<'d> {
        let link = Link::new(tokens, self.from, config, self.now);
        AcceptOutcome::Accepted { link, first_packet: FirstPacket::Handshake }
    }

    /// Returns the error for a packet that opens no connection.
    pub(super) const fn unexpected(&self) -> PacketError {
        match self.link {
            Some(_) => HAS_CONNECTION,
            None => PacketError::UnknownAddress,
        }
    }
}

/// The server's side of all handshakes. It answers addresses without a connection and stores nothing for them.
///
/// A token is computed from the address and a secret, so that the acceptor recognizes it when the client returns it. An
/// answer is never longer than its request, except with
/// [`TokenlessPolicy::Antispoof`](super::TokenlessPolicy::Antispoof).
#[derive(Debug)]
pub struct Acceptor {
    pub(super) config: AcceptorConfig,
    pub(super) tokens: ServerTokens,
    pub(super) antispoof_limiter: AntispoofLimiter,
    /// Limit of browsing messages without a token.
    pub(super) unverified: PrefixRateLimiter,
    /// Limit of browsing messages with a token. Messages with forged tokens do not count here.
    pub(super) verified: PrefixRateLimiter,
    pub(super) inflated: Box<[u8; MAX_PAYLOAD]>,
    stats: AcceptorStats,
}

impl Acceptor {
    /// Creates an acceptor that derives its tokens from `rng`.
    pub fn new(config: AcceptorConfig, rng: &mut SeededRng) -> Self {
        Self {
            config,
            tokens: ServerTokens::new(rng),
            antispoof_limiter: AntispoofLimiter::default(),
            unverified: PrefixRateLimiter::new(config.info_rate, rng),
            verified: PrefixRateLimiter::new(config.info_rate, rng),
            inflated: Box::new([0; MAX_PAYLOAD]),
            stats: AcceptorStats::default(),
        }
    }

    /// Handles a datagram of an address without a connection. If there is an answer, it is queued in `out`.
    ///
    /// # Errors
    /// [`PacketError`] if the datagram was dropped. It is counted and gets no answer.
    pub fn receive<'d>(
        &mut self,
        now: Instant,
        from: SocketAddr,
        datagram: &'d [u8],
        out: &mut Outbox,
    ) -> Result<AcceptOutcome<'d>, PacketError> {
        self.on_datagram(Request { now, from, link: None, out }, datagram)
    }

    /// Handles a datagram that the sender's connection rejected or returned as
    /// [`LinkInput::Control`](crate::link::LinkInput::Control). The sender may be reconnecting. For this it needs a
    /// token that was issued to it.
    ///
    /// # Errors
    /// [`PacketError`] if the datagram was dropped. It is counted and gets no answer. The connection is unchanged.
    pub fn receive_from_peer<'d>(
        &mut self,
        now: Instant,
        link: &Link,
        datagram: &'d [u8],
        out: &mut Outbox,
    ) -> Result<AcceptOutcome<'d>, PacketError> {
        let request = Request { now, from: link.peer(), link: Some(link.tokens()), out };
        self.on_datagram(request, datagram)
    }

    /// Returns the counters.
    pub const fn stats(&self) -> &AcceptorStats {
        &self.stats
    }

    /// Returns the heap memory in bytes. It is constant.
    pub fn held_bytes(&self) -> usize {
        let limits = self.unverified.held_bytes().saturating_add(self.verified.held_bytes());
        limits.saturating_add(self.inflated.len())
    }

    /// Checks that `token` was issued to the sender for one of `purposes`.
    pub(super) fn check_token(
        &self,
        request: &Request<'_>,
        purposes: &[Purpose],
        token: Token,
    ) -> Result<(), PacketError> {
        let mut purposes = purposes.iter();
        let is_valid =
            purposes.any(|purpose| self.tokens.accepts(request.now, *purpose, request.from, token));
        is_valid.then_some(()).ok_or(PacketError::WrongToken)
    }

    fn on_datagram<'d>(
        &mut self,
        mut request: Request<'_>,
        datagram: &'d [u8],
    ) -> Result<AcceptOutcome<'d>, PacketError> {
        let result = Unconnected::decode(datagram).and_then(|received| match received {
            Unconnected::Browse06(header, payload) => self.on_browse_06(&request, header, payload),
            Unconnected::Browse07(header, payload) => self.on_browse_07(&request, header, payload),
            Unconnected::Control06(Header { token: None, .. }, payload) => {
                self.on_control_06(&mut request, payload)
            }
            Unconnected::Control07(token, payload) => self.on_control_07(&mut request, token, payload),
            _ if request.link.is_some() => Err(HAS_CONNECTION),
            Unconnected::Control06(Header { token: Some(token), .. }, payload) => {
                self.on_control_065(&mut request, token, payload)
            }
            Unconnected::Chunks06(header, payload) => self.on_chunks_06(&request, &header, payload),
        });
        let stats = &mut self.stats;
        let counter = match &result {
            Ok(AcceptOutcome::Answered) => &mut stats.answered,
            Ok(AcceptOutcome::Accepted { .. }) => &mut stats.accepted,
            Ok(AcceptOutcome::InfoQuery(_)) => &mut stats.info_queries,
            Err(PacketError::WrongToken) => &mut stats.wrong_token,
            Err(PacketError::RateLimited) => &mut stats.rate_limited,
            Err(_) => &mut stats.dropped,
        };
        *counter = counter.saturating_add(1);
        result
    }
}

/// The error for a datagram of a connected peer that opens no new connection.
pub(super) const HAS_CONNECTION: PacketError = PacketError::Unexpected("the sender has a connection");
