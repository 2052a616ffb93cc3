//! The client role.

mod receive;
mod timers;

use core::fmt;
use std::collections::VecDeque;
use std::net::SocketAddr;

use gamewire_machine::{Clock, Instant, TransmitQueue};

use self::timers::{Answer, Resend};
use crate::cipher::Cipher;
use crate::control::CHALLENGE_BYTES;
use crate::crypto::Bytes32;
use crate::noise::{FIRST_BYTES, Initiator};
use crate::random::Random;
use crate::wire::{COOKIE_BYTES, NONCE_BYTES};
use crate::{ClientKey, SealError};

/// Maximum bytes of unsent packets of the layer itself. Further ones are dropped.
const MAX_UNSENT_BYTES: usize = 16 * 1024;
/// Maximum number of unpolled events. The oldest is dropped.
const MAX_EVENTS: usize = 64;

/// The progress of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandshakeState {
    /// No server has answered.
    Requesting,
    /// The server has answered, but not accepted the client's key. If this lasts, the key is wrong.
    Initiating,
    /// The session is open.
    Open,
}

/// An event of a client.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientEvent {
    /// The session is open: packets can be sent.
    Opened {
        /// The server's address.
        server: SocketAddr,
    },
    /// The client's address has changed, and the server has moved the session.
    Moved {
        /// The new address of the client, as the server sees it.
        address: SocketAddr,
    },
}

/// The state of a client, with the data of the state.
enum State {
    Requesting {
        nonce: [u8; NONCE_BYTES],
    },
    Initiating {
        nonce: [u8; NONCE_BYTES],
        cookie: [u8; COOKIE_BYTES],
        initiator: Box<Initiator>,
        first_message: [u8; FIRST_BYTES],
    },
    Open(Box<Cipher>),
}

/// One session with a server.
///
/// A datagram that is an error changes nothing. The handshake has no end: the caller decides how long it waits.
pub struct Client {
    key: ClientKey,
    /// The server's addresses. The first is the one in use; the others are those to try until one answers.
    servers: VecDeque<SocketAddr>,
    clock: Clock,
    random: Random,
    state: State,
    /// The time of the next request or initiation.
    resend: Resend,
    /// The answer to a challenge, until the server confirms it.
    answer: Option<Answer>,
    /// The last challenge with an answer that the server has confirmed, and the address in the confirmation.
    confirmed: Option<([u8; CHALLENGE_BYTES], SocketAddr)>,
    unsent: TransmitQueue<SocketAddr>,
    events: VecDeque<ClientEvent>,
    /// The decrypted packet.
    text: Vec<u8>,
    /// Scratch space for a packet to send.
    scratch: Vec<u8>,
}

impl Client {
    /// Creates a client that opens a session with a server, which has the addresses `servers`. It sends its requests to
    /// all of them in turn, until one answers. `seed` must be random, secret, and different for each client.
    pub fn new(
        key: ClientKey,
        servers: impl IntoIterator<Item = SocketAddr>,
        seed: Bytes32,
        now: Instant,
    ) -> Self {
        let mut random = Random::new(seed);
        Self {
            key,
            servers: servers.into_iter().collect(),
            clock: Clock::new(now),
            state: State::Requesting { nonce: random.array() },
            random,
            resend: Resend::new(now),
            answer: None,
            confirmed: None,
            unsent: TransmitQueue::with_limit(MAX_UNSENT_BYTES),
            events: VecDeque::new(),
            text: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// Forgets the session and begins a new handshake, for example with a server that was restarted.
    pub fn restart(&mut self, now: Instant) {
        let now = self.clock.advance(now);
        self.state = State::Requesting { nonce: self.random.array() };
        self.resend = Resend::new(now);
        (self.answer, self.confirmed) = (None, None);
    }

    /// Replaces the content of `buffer` with a record that contains `packet`, and returns the address to send it to.
    ///
    /// # Errors
    /// [`SealError`]. The content of `buffer` is unspecified.
    pub fn seal(&mut self, packet: &[u8], buffer: &mut Vec<u8>) -> Result<SocketAddr, SealError> {
        let State::Open(cipher) = &mut self.state else { return Err(SealError::NotOpen) };
        let server = self.servers.front().copied().ok_or(SealError::NotOpen)?;
        cipher.seal(packet, buffer)?;
        Ok(server)
    }

    /// Replaces the content of `buffer` with the next datagram of the layer itself, and returns its receiver.
    pub fn poll_transmit(&mut self, buffer: &mut Vec<u8>) -> Option<SocketAddr> {
        self.unsent.pop(buffer)
    }

    /// Returns the next event.
    pub fn poll_event(&mut self) -> Option<ClientEvent> {
        self.events.pop_front()
    }

    /// Returns whether the session is open.
    pub const fn is_open(&self) -> bool {
        matches!(self.state, State::Open(_))
    }

    /// Returns the progress of the handshake.
    pub const fn state(&self) -> HandshakeState {
        match self.state {
            State::Requesting { .. } => HandshakeState::Requesting,
            State::Initiating { .. } => HandshakeState::Initiating,
            State::Open(_) => HandshakeState::Open,
        }
    }

    /// Returns the server's address that is in use.
    pub fn server(&self) -> Option<SocketAddr> {
        self.servers.front().copied()
    }

    fn emit(&mut self, event: ClientEvent) {
        if self.events.len() >= MAX_EVENTS {
            self.events.pop_front();
        }
        self.events.push_back(event);
    }

    #[cfg(test)]
    pub(crate) fn set_next_counter(&mut self, next: u64) {
        if let State::Open(cipher) = &mut self.state {
            cipher.next = next;
        }
    }
}

/// Writes no secret.
impl fmt::Debug for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Client")
            .field("servers", &self.servers)
            .field("state", &self.state())
            .finish_non_exhaustive()
    }
}
