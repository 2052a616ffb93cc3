use std::net::SocketAddr;

use gamewire_machine::Instant;

use super::accept_outcome::{AcceptOutcome, AcceptorStats};
use super::antispoof::AntispoofLimiter;
use super::config::AcceptorConfig;
use super::decode::Unconnected;
use super::rate_limit::PrefixRateLimiter;
use super::seeded_rng::SeededRng;
use super::token::ServerTokens;
use crate::link::{Link, Outbox, PacketError};
use crate::shared::packet::MAX_PAYLOAD;

/// A received datagram: its time, its sender, and the queue for an answer.
pub(super) struct Request<'o> {
    pub(super) now: Instant,
    pub(super) from: SocketAddr,
    pub(super) out: &'o mut Outbox,
}

/// The server's side of all handshakes. It answers addresses without a connection and stores nothing for them.
///
/// A token is computed from the address and a secret, so it is recognized when it returns. An answer is never longer than
/// its request, except with [`TokenlessPolicy::Antispoof`](super::TokenlessPolicy::Antispoof).
#[derive(Debug)]
pub struct Acceptor {
    pub(super) config: AcceptorConfig,
    pub(super) tokens: ServerTokens,
    pub(super) antispoof_limiter: AntispoofLimiter,
    /// Limit of browsing messages without a token.
    pub(super) unverified: PrefixRateLimiter,
    /// Limit of browsing messages with a token. Forged ones do not count here.
    pub(super) verified: PrefixRateLimiter,
    pub(super) inflated: Box<[u8; MAX_PAYLOAD]>,
    stats: AcceptorStats,
}

impl Acceptor {
    /// Creates an acceptor whose tokens are derived from `rng`.
    #[must_use]
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

    /// Handles a datagram of an address without a connection. An answer is put into `out`.
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
        let result = self.on_unconnected(now, from, datagram, out);
        self.count(result)
    }

    /// Handles a datagram that the sender's connection rejected or returned as
    /// [`LinkInput::Control`](crate::link::LinkInput::Control). The sender may be reconnecting, which requires a token
    /// that was handed out for it.
    ///
    /// # Errors
    /// [`PacketError`] if the datagram was dropped. It is counted, gets no answer, and the connection goes on.
    pub fn receive_from_peer<'d>(
        &mut self,
        now: Instant,
        link: &Link,
        datagram: &'d [u8],
        out: &mut Outbox,
    ) -> Result<AcceptOutcome<'d>, PacketError> {
        let result = self.on_connected(now, link, datagram, out);
        self.count(result)
    }

    /// Returns the counters.
    #[must_use]
    pub const fn stats(&self) -> &AcceptorStats {
        &self.stats
    }

    /// Returns the heap memory in bytes. It is constant.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        let limits = self.unverified.held_bytes().saturating_add(self.verified.held_bytes());
        limits.saturating_add(self.inflated.len())
    }

    fn count<'d>(
        &mut self,
        result: Result<AcceptOutcome<'d>, PacketError>,
    ) -> Result<AcceptOutcome<'d>, PacketError> {
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

    fn on_unconnected<'d>(
        &mut self,
        now: Instant,
        from: SocketAddr,
        datagram: &'d [u8],
        out: &mut Outbox,
    ) -> Result<AcceptOutcome<'d>, PacketError> {
        let mut request = Request { now, from, out };
        match Unconnected::decode(datagram)? {
            Unconnected::Browse06(header, payload) => self.on_browse_06(&request, header, payload),
            Unconnected::Browse07(header, payload) => self.on_browse_07(&request, header, payload),
            Unconnected::Control06(None, payload) => self.on_control_06(&mut request, payload),
            Unconnected::Control06(Some(token), payload) => self.on_control_065(&mut request, token, payload),
            Unconnected::Control07(token, payload) => self.on_control_07(&mut request, token, payload),
            Unconnected::Chunks06(header, payload) => self.on_chunks_06(&request, &header, payload),
        }
    }

    fn on_connected<'d>(
        &mut self,
        now: Instant,
        link: &Link,
        datagram: &'d [u8],
        out: &mut Outbox,
    ) -> Result<AcceptOutcome<'d>, PacketError> {
        let mut request = Request { now, from: link.peer(), out };
        match Unconnected::decode(datagram)? {
            Unconnected::Browse06(header, payload) => self.on_browse_06(&request, header, payload),
            Unconnected::Browse07(header, payload) => self.on_browse_07(&request, header, payload),
            Unconnected::Control06(None, payload) => self.on_control_06_of_peer(&mut request, link, payload),
            Unconnected::Control07(token, payload) => {
                self.on_control_07_of_peer(&mut request, link, token, payload)
            }
            Unconnected::Control06(Some(_), _) | Unconnected::Chunks06(..) => Err(HAS_CONNECTION),
        }
    }
}

/// A datagram of a peer that does not open another connection.
pub(super) const HAS_CONNECTION: PacketError = PacketError::Unexpected("the sender has a connection");
