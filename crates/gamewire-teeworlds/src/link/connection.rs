use std::net::SocketAddr;

use gamewire_machine::{Instant, Wake};

use super::{CloseReason, LinkConfig, LinkStats, LinkTokens, Outbox, Received, Reject, Scratch, SendError};
use crate::Dialect;

/// One established connection.
#[derive(Debug)]
pub struct Link {
    tokens: LinkTokens,
    peer: SocketAddr,
    config: LinkConfig,
    stats: LinkStats,
    now: Instant,
}

#[allow(unused_variables, clippy::needless_pass_by_ref_mut, clippy::unused_self)]
impl Link {
    /// A connection to `peer` that was made just now.
    #[must_use]
    pub fn new(tokens: LinkTokens, peer: SocketAddr, config: LinkConfig, now: Instant) -> Self {
        Self { tokens, peer, config, stats: LinkStats::default(), now }
    }

    /// As if `own` vital messages had been sent and acknowledged already; and the peer's first
    /// vital message is taken whatever its sequence number is. For handshakes that begin in the
    /// middle: 0.6.5's with older clients (2).
    #[must_use]
    pub fn with_sequence(self, own: u16) -> Self {
        self
    }

    /// Repeats the control message `id`, `body` every [`LinkConfig::retry_after`], and sends no
    /// KEEPALIVE, until the peer's first packet that is not a control packet: a server of 0.7
    /// (ACCEPT) or plain 0.6 (CONNECTACCEPT) that has just let a client in. `body` has at most 8 bytes.
    #[must_use]
    pub fn repeating(self, id: u8, body: &[u8]) -> Self {
        self
    }

    /// A datagram arrived from the peer. All of it is checked before anything changes.
    ///
    /// # Errors
    /// It was dropped, and the link is as if it had never come.
    pub fn receive<'s>(
        &mut self,
        now: Instant,
        datagram: &'s [u8],
        scratch: &'s mut Scratch,
        out: &mut Outbox,
    ) -> Result<Received<'s>, Reject> {
        Err(Reject::WrongToken)
    }

    /// Queues one message (id and body). Full packets leave at once, the rest with the next flush.
    ///
    /// # Errors
    /// When the message is too long, too much is unacknowledged, or the link is over.
    pub fn send(
        &mut self,
        now: Instant,
        vital: bool,
        message: &[u8],
        out: &mut Outbox,
    ) -> Result<(), SendError> {
        Ok(())
    }

    /// Sends what is queued; nothing happens when nothing is.
    pub fn flush(&mut self, now: Instant, out: &mut Outbox) {}

    /// Sends the control message `id`, `body` at once, before what is queued.
    pub fn send_control(&mut self, now: Instant, id: u8, body: &[u8], out: &mut Outbox) {}

    /// Sends a CLOSE, and the link is over. What is queued is not sent. The reason is cut at
    /// [`LinkConfig::close_reason_max`] bytes and at its first zero byte.
    pub fn close(&mut self, now: Instant, reason: Option<&[u8]>, out: &mut Outbox) {}

    /// Time has passed.
    ///
    /// # Errors
    /// Once, when the link is over; the peer has been told if the game would.
    pub fn handle_timeout(&mut self, now: Instant, out: &mut Outbox) -> Result<(), CloseReason> {
        Ok(())
    }

    /// The next time at which [`Link::handle_timeout`] has something to do; `None` when the link is over.
    #[must_use]
    pub fn poll_timeout(&self) -> Option<Wake> {
        None
    }

    /// Whether the link is over.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        false
    }

    /// The peer.
    #[must_use]
    pub const fn peer(&self) -> SocketAddr {
        self.peer
    }

    /// Replaces the peer's address: it has shown elsewhere that it is the same peer.
    pub fn set_peer(&mut self, peer: SocketAddr) {
        self.peer = peer;
    }

    /// The dialect.
    #[must_use]
    pub const fn dialect(&self) -> Dialect {
        self.tokens.dialect()
    }

    /// The tokens.
    #[must_use]
    pub const fn tokens(&self) -> LinkTokens {
        self.tokens
    }

    /// The timers and limits.
    #[must_use]
    pub const fn config(&self) -> &LinkConfig {
        &self.config
    }

    /// The longest message that can be sent, in bytes.
    #[must_use]
    pub fn max_message(&self) -> usize {
        0
    }

    /// What has been counted.
    #[must_use]
    pub const fn stats(&self) -> &LinkStats {
        &self.stats
    }

    /// The memory that the link holds, in bytes.
    #[must_use]
    pub fn held_bytes(&self) -> usize {
        size_of::<Self>()
    }
}
