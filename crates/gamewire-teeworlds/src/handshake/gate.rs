use std::net::SocketAddr;

use gamewire_machine::Instant;

use super::admission::{AcceptOutcome, AcceptorStats};
use super::config::AcceptorConfig;
use super::entropy::SeededRng;
use super::limit::PrefixRateLimiter;
use super::puzzle::AntispoofLimiter;
use super::read::Unconnected;
use super::token::ServerTokens;
use crate::link::{Link, Outbox, PacketError};
use crate::shared::packet::MAX_PAYLOAD;

/// A datagram's circumstances: when, who, and where an answer goes.
pub(super) struct Request<'o> {
    pub(super) now: Instant,
    pub(super) from: SocketAddr,
    pub(super) out: &'o mut Outbox,
}

/// The server's side of all handshakes: it answers addresses that have no connection, and keeps
/// nothing for them.
///
/// A token is made from the address and a secret and is recognised when it comes back. An answer is
/// never longer than its question, but for [`TokenlessPolicy::Puzzle`](super::TokenlessPolicy::Puzzle).
#[derive(Debug)]
pub struct Acceptor {
    pub(super) config: AcceptorConfig,
    pub(super) tokens: ServerTokens,
    pub(super) puzzles: AntispoofLimiter,
    /// Who browses without a token.
    pub(super) unverified: PrefixRateLimiter,
    /// Who browses with one: what others do in their name does not count.
    pub(super) verified: PrefixRateLimiter,
    pub(super) inflated: Box<[u8; MAX_PAYLOAD]>,
    stats: AcceptorStats,
}

impl Acceptor {
    /// A gate whose tokens come out of `entropy`.
    #[must_use]
    pub fn new(config: AcceptorConfig, entropy: &mut SeededRng) -> Self {
        Self {
            config,
            tokens: ServerTokens::new(entropy),
            puzzles: AntispoofLimiter::default(),
            unverified: PrefixRateLimiter::new(config.info_rate, entropy),
            verified: PrefixRateLimiter::new(config.info_rate, entropy),
            inflated: Box::new([0; MAX_PAYLOAD]),
            stats: AcceptorStats::default(),
        }
    }

    /// A datagram arrived that is a browsing message, or whose sender has no connection.
    ///
    /// # Errors
    /// It was dropped and counted; there is no answer.
    pub fn receive<'d>(
        &mut self,
        now: Instant,
        from: SocketAddr,
        datagram: &'d [u8],
        out: &mut Outbox,
    ) -> Result<AcceptOutcome<'d>, PacketError> {
        let result = self.receive_unknown(now, from, datagram, out);
        self.count(result)
    }

    /// A datagram arrived that the sender's connection did not take, or took as a control message
    /// that is not its own: perhaps the sender begins anew. It gets another connection only when it
    /// shows a token that was handed out for that.
    ///
    /// # Errors
    /// It was dropped and counted; there is no answer, and the connection goes on.
    pub fn receive_from_peer<'d>(
        &mut self,
        now: Instant,
        link: &Link,
        datagram: &'d [u8],
        out: &mut Outbox,
    ) -> Result<AcceptOutcome<'d>, PacketError> {
        let result = self.receive_known(now, link, datagram, out);
        self.count(result)
    }

    /// What has been counted.
    #[must_use]
    pub const fn stats(&self) -> &AcceptorStats {
        &self.stats
    }

    /// Memory that is held beside the gate itself, in bytes: always the same.
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
            Ok(AcceptOutcome::Accepted { .. }) => &mut stats.admitted,
            Ok(AcceptOutcome::Browse(_)) => &mut stats.browsed,
            Err(PacketError::WrongToken) => &mut stats.wrong_token,
            Err(PacketError::RateLimited) => &mut stats.limited,
            Err(_) => &mut stats.dropped,
        };
        *counter = counter.saturating_add(1);
        result
    }

    fn receive_unknown<'d>(
        &mut self,
        now: Instant,
        from: SocketAddr,
        datagram: &'d [u8],
        out: &mut Outbox,
    ) -> Result<AcceptOutcome<'d>, PacketError> {
        let mut visit = Request { now, from, out };
        match Unconnected::read(datagram)? {
            Unconnected::Browse06(header, payload) => self.browse_06(&visit, header, payload),
            Unconnected::Browse07(header, payload) => self.browse_07(&visit, header, payload),
            Unconnected::Control06(None, payload) => self.control_06(&mut visit, payload),
            Unconnected::Control06(Some(token), payload) => self.control_065(&mut visit, token, payload),
            Unconnected::Control07(token, payload) => self.control_07(&mut visit, token, payload),
            Unconnected::Chunks06(header, payload) => self.chunks_06(&visit, &header, payload),
        }
    }

    fn receive_known<'d>(
        &mut self,
        now: Instant,
        link: &Link,
        datagram: &'d [u8],
        out: &mut Outbox,
    ) -> Result<AcceptOutcome<'d>, PacketError> {
        let mut visit = Request { now, from: link.peer(), out };
        match Unconnected::read(datagram)? {
            Unconnected::Browse06(header, payload) => self.browse_06(&visit, header, payload),
            Unconnected::Browse07(header, payload) => self.browse_07(&visit, header, payload),
            Unconnected::Control06(None, payload) => self.control_06_again(&mut visit, link, payload),
            Unconnected::Control07(token, payload) => self.control_07_again(&mut visit, link, token, payload),
            Unconnected::Control06(Some(_), _) | Unconnected::Chunks06(..) => Err(NOT_ANEW),
        }
    }
}

/// A datagram of somebody who has a connection and does not begin another.
pub(super) const NOT_ANEW: PacketError = PacketError::Unexpected("its sender has a connection");
