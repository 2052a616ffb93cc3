//! The server role.

mod handshake;
mod receive;
mod timers;

use core::fmt;
use core::time::Duration;
use std::collections::{BTreeMap, VecDeque};
use std::net::SocketAddr;

use gamewire_machine::{Clock, Instant, TransmitQueue};

use crate::cipher::Cipher;
use crate::control::{CHALLENGE_BYTES, Control};
use crate::cookie::Cookies;
use crate::crypto::Bytes32;
use crate::half_open::HalfOpenTable;
use crate::path::NewPath;
use crate::random::Random;
use crate::{Key, SealError, ServerStats};

/// Maximum bytes of unsent handshake replies and control records. Further ones are dropped.
const MAX_REPLY_BYTES: usize = 256 * 1024;
/// Maximum number of unpolled events. A move is dropped if there are more; closed sessions are always reported.
const MAX_MOVE_EVENTS: usize = 4096;

/// The stable number of a session: its connection id. It may be reused after the session was closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionId(pub u32);

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:08x}", self.0)
    }
}

/// Configuration of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ServerConfig {
    /// Maximum number of sessions, including handshakes. Default: 16,384.
    pub max_sessions: usize,
    /// Maximum number of sessions of one token, including handshakes. A further one closes the session whose client is silent
    /// for the longest time. This does not limit the empty token, which all clients with the server's key have. Default: 8.
    pub max_sessions_per_token: usize,
    /// Maximum number of handshakes without a record. A further one replaces the oldest. Default: 256.
    pub max_half_open: usize,
    /// Maximum number of these handshakes from one address, or from one /56 network of IPv6. Default: 32.
    pub max_half_open_per_network: usize,
    /// Time after which a handshake without a record is removed. Default: 5 s.
    pub half_open_timeout: Duration,
    /// Time without a record of the client after which a session is closed. Default: 60 s.
    pub idle_timeout: Duration,
}

impl Default for ServerConfig {
    fn default() -> Self {
        Self {
            max_sessions: 16_384,
            max_sessions_per_token: 8,
            max_half_open: 256,
            max_half_open_per_network: 32,
            half_open_timeout: Duration::from_secs(5),
            idle_timeout: Duration::from_secs(60),
        }
    }
}

/// An event of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ServerEvent {
    /// The client has proven that it receives at a new address. Packets go there from now on.
    Moved {
        /// The session.
        session: SessionId,
        /// The address until now.
        from: SocketAddr,
        /// The new address.
        to: SocketAddr,
    },
    /// The server closed the session, because its client was silent for [`ServerConfig::idle_timeout`], because it has used
    /// all counters, or because its token has [`ServerConfig::max_sessions_per_token`] others.
    Closed {
        /// The session.
        session: SessionId,
    },
}

/// A packet of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Received<'a> {
    /// The session.
    pub session: SessionId,
    /// The decrypted packet.
    pub packet: &'a [u8],
}

/// One client.
struct Session {
    /// The address that packets are sent to. The client has proven that it receives there.
    address: SocketAddr,
    cipher: Cipher,
    token: Vec<u8>,
    /// Time of the last genuine record.
    last_received: Instant,
    /// True after the first genuine record.
    is_open: bool,
    /// An address that is challenged.
    new_path: Option<NewPath>,
    /// The challenge that the client answered for its present address.
    answered: Option<[u8; CHALLENGE_BYTES]>,
}

/// The sessions of a server.
///
/// It neither panics nor grows without bound, whatever clients send. A datagram that is an error changes nothing but
/// counters.
pub struct Server {
    key: Key,
    config: ServerConfig,
    clock: Clock,
    random: Random,
    cookies: Cookies,
    /// By connection id, which the server chose at random.
    sessions: BTreeMap<u32, Session>,
    half_open: HalfOpenTable,
    replies: TransmitQueue<SocketAddr>,
    events: VecDeque<ServerEvent>,
    next_sweep: Option<Instant>,
    /// The decrypted packet.
    text: Vec<u8>,
    /// Scratch space for a packet to send.
    scratch: Vec<u8>,
    stats: ServerStats,
}

impl Server {
    /// Creates a server. `seed` must be random, secret, and different in each run.
    pub fn new(key: Key, config: ServerConfig, seed: Bytes32) -> Self {
        let mut random = Random::new(seed);
        Self {
            key,
            config,
            clock: Clock::default(),
            cookies: Cookies::new(random.bytes()),
            random,
            sessions: BTreeMap::new(),
            half_open: HalfOpenTable::default(),
            replies: TransmitQueue::with_limit(MAX_REPLY_BYTES),
            events: VecDeque::new(),
            next_sweep: None,
            text: Vec::new(),
            scratch: Vec::new(),
            stats: ServerStats::default(),
        }
    }

    /// Replaces the content of `buffer` with a record that contains `packet`, and returns the address to send it to.
    ///
    /// # Errors
    /// [`SealError`]. The content of `buffer` is unspecified.
    pub fn seal(
        &mut self,
        session: SessionId,
        packet: &[u8],
        buffer: &mut Vec<u8>,
    ) -> Result<SocketAddr, SealError> {
        let session = self.sessions.get_mut(&session.0).filter(|session| session.is_open);
        let session = session.ok_or(SealError::NotOpen)?;
        session.cipher.seal(packet, buffer)?;
        Ok(session.address)
    }

    /// Replaces the content of `buffer` with the next datagram of the layer itself, and returns its receiver.
    pub fn poll_transmit(&mut self, buffer: &mut Vec<u8>) -> Option<SocketAddr> {
        self.replies.pop(buffer)
    }

    /// Returns the next event.
    pub fn poll_event(&mut self) -> Option<ServerEvent> {
        self.events.pop_front()
    }

    /// Closes a session without an event. Its client is not notified.
    pub fn close(&mut self, session: SessionId) {
        self.sessions.remove(&session.0);
        self.half_open.remove(session.0);
    }

    /// Returns the proven address of a session's client.
    pub fn address(&self, session: SessionId) -> Option<SocketAddr> {
        self.sessions.get(&session.0).map(|session| session.address)
    }

    /// Returns the token of a session's client.
    pub fn token(&self, session: SessionId) -> Option<&[u8]> {
        self.sessions.get(&session.0).map(|session| session.token.as_slice())
    }

    /// Returns the number of sessions, including handshakes.
    pub fn session_count(&self) -> usize {
        self.sessions.len()
    }

    /// Returns the counters.
    pub const fn stats(&self) -> &ServerStats {
        &self.stats
    }

    /// Queues a control record for `to`.
    fn send_control(&mut self, session: u32, to: SocketAddr, control: Control) {
        let Some(session) = self.sessions.get_mut(&session) else { return };
        if session.cipher.seal_control(control, &mut self.scratch).is_ok() {
            self.replies.push(to, &self.scratch);
        }
    }

    fn emit_moved(&mut self, session: SessionId, from: SocketAddr, to: SocketAddr) {
        self.stats.moved = self.stats.moved.saturating_add(1);
        if self.events.len() < MAX_MOVE_EVENTS {
            self.events.push_back(ServerEvent::Moved { session, from, to });
        }
    }

    #[cfg(test)]
    pub(crate) fn set_next_counter(&mut self, session: SessionId, next: u64) {
        if let Some(session) = self.sessions.get_mut(&session.0) {
            session.cipher.next = next;
        }
    }
}

/// Writes no secret.
impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("sessions", &self.sessions.len())
            .field("half_open", &self.half_open.len())
            .field("stats", &self.stats)
            .finish_non_exhaustive()
    }
}
