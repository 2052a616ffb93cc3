use core::time::Duration;
use std::net::SocketAddr;

use gamewire_machine::Instant;

use crate::control::CHALLENGE_BYTES;

/// Minimum time between the first two challenges of one address. It doubles after each challenge.
const MIN_INTERVAL: Duration = Duration::from_millis(100);
/// Maximum of this time. All challenges together take 12.5 s, so that a client keeps its session although its new network
/// does not work for some seconds.
const MAX_INTERVAL: Duration = Duration::from_secs(1);
/// Bytes of a challenge as a datagram.
const CHALLENGE_DATAGRAM_BYTES: usize = 36;
/// Number of challenges without an answer after which an address gets no more of them.
const MAX_CHALLENGES: u8 = 16;

/// A new address of a client, which has not proven that it receives there.
pub(crate) struct NewPath {
    pub(crate) address: SocketAddr,
    pub(crate) challenge: [u8; CHALLENGE_BYTES],
    /// Bytes that the address may still receive: the bytes received from it, less the bytes sent to it.
    allowance: usize,
    /// Time of the next challenge; `None` before the first one.
    next: Option<Instant>,
    interval: Duration,
    sent: u8,
}

impl NewPath {
    pub(crate) const fn new(address: SocketAddr, challenge: [u8; CHALLENGE_BYTES]) -> Self {
        Self { address, challenge, allowance: 0, next: None, interval: MIN_INTERVAL, sent: 0 }
    }

    /// Counts a datagram from the address. Returns whether a challenge must be sent.
    pub(crate) fn on_datagram(&mut self, now: Instant, length: usize) -> bool {
        self.allowance = self.allowance.saturating_add(length);
        let is_due = self.next.is_none_or(|next| now >= next);
        if !is_due || self.allowance < CHALLENGE_DATAGRAM_BYTES || self.sent >= MAX_CHALLENGES {
            return false;
        }
        self.allowance = self.allowance.saturating_sub(CHALLENGE_DATAGRAM_BYTES);
        self.next = Some(now + self.interval);
        self.interval = self.interval.saturating_mul(2).min(MAX_INTERVAL);
        self.sent = self.sent.saturating_add(1);
        true
    }
}
