use std::net::SocketAddr;

use gamewire_machine::Instant;

use super::admission::{Admission, GateStats};
use super::config::GateConfig;
use super::entropy::Entropy;
use super::limit::PrefixLimit;
use super::puzzle::PuzzleLimit;
use super::read::Arrived;
use super::token::ServerTokens;
use crate::link::{Link, Outbox, Reject};
use crate::shared::packet::MAX_PAYLOAD;

/// A datagram's circumstances: when, who, and where an answer goes.
pub(super) struct Visit<'o> {
    pub(super) now: Instant,
    pub(super) from: SocketAddr,
    pub(super) out: &'o mut Outbox,
}

/// The server's side of all handshakes: it answers addresses that have no connection, and keeps
/// nothing for them.
///
/// A token is made from the address and a secret and is recognised when it comes back. An answer is
/// never longer than its question, but for [`Plain::Puzzle`](super::Plain::Puzzle).
#[derive(Debug)]
pub struct Gate {
    pub(super) config: GateConfig,
    pub(super) tokens: ServerTokens,
    pub(super) puzzles: PuzzleLimit,
    /// Who browses without a token.
    pub(super) unproven: PrefixLimit,
    /// Who browses with one: what others do in their name does not count.
    pub(super) proven: PrefixLimit,
    pub(super) inflated: Box<[u8; MAX_PAYLOAD]>,
    stats: GateStats,
}

impl Gate {
    /// A gate whose tokens come out of `entropy`.
    #[must_use]
    pub fn new(config: GateConfig, entropy: &mut Entropy) -> Self {
        Self {
            config,
            tokens: ServerTokens::new(entropy),
            puzzles: PuzzleLimit::default(),
            unproven: PrefixLimit::new(config.browse, entropy),
            proven: PrefixLimit::new(config.browse, entropy),
            inflated: Box::new([0; MAX_PAYLOAD]),
            stats: GateStats::default(),
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
    ) -> Result<Admission<'d>, Reject> {
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
    ) -> Result<Admission<'d>, Reject> {
        let result = self.receive_known(now, link, datagram, out);
        self.count(result)
    }

    /// What has been counted.
    #[must_use]
    pub const fn stats(&self) -> &GateStats {
        &self.stats
    }

    /// Memory that is held beside the gate itself, in bytes: always the same.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        let limits = self.unproven.held_bytes().saturating_add(self.proven.held_bytes());
        limits.saturating_add(self.inflated.len())
    }

    fn count<'d>(&mut self, result: Result<Admission<'d>, Reject>) -> Result<Admission<'d>, Reject> {
        let stats = &mut self.stats;
        let counter = match &result {
            Ok(Admission::Answered) => &mut stats.answered,
            Ok(Admission::Admit { .. }) => &mut stats.admitted,
            Ok(Admission::Browse(_)) => &mut stats.browsed,
            Err(Reject::WrongToken) => &mut stats.wrong_token,
            Err(Reject::RateLimited) => &mut stats.limited,
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
    ) -> Result<Admission<'d>, Reject> {
        let mut visit = Visit { now, from, out };
        match Arrived::read(datagram)? {
            Arrived::Browse06(header, payload) => self.browse_06(&visit, header, payload),
            Arrived::Browse07(header, payload) => self.browse_07(&visit, header, payload),
            Arrived::Control06(None, payload) => self.control_06(&mut visit, payload),
            Arrived::Control06(Some(token), payload) => self.control_065(&mut visit, token, payload),
            Arrived::Control07(token, payload) => self.control_07(&mut visit, token, payload),
            Arrived::Chunks06(header, payload) => self.chunks_06(&visit, &header, payload),
        }
    }

    fn receive_known<'d>(
        &mut self,
        now: Instant,
        link: &Link,
        datagram: &'d [u8],
        out: &mut Outbox,
    ) -> Result<Admission<'d>, Reject> {
        let mut visit = Visit { now, from: link.peer(), out };
        match Arrived::read(datagram)? {
            Arrived::Browse06(header, payload) => self.browse_06(&visit, header, payload),
            Arrived::Browse07(header, payload) => self.browse_07(&visit, header, payload),
            Arrived::Control06(None, payload) => self.control_06_again(&mut visit, link, payload),
            Arrived::Control07(token, payload) => self.control_07_again(&mut visit, link, token, payload),
            Arrived::Control06(Some(_), _) | Arrived::Chunks06(..) => Err(NOT_ANEW),
        }
    }
}

/// A datagram of somebody who has a connection and does not begin another.
pub(super) const NOT_ANEW: Reject = Reject::Unexpected("its sender has a connection");
