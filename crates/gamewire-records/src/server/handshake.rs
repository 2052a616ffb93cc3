//! Requests and initiations: a server stores nothing before the client has proven its address and its key.

use std::net::SocketAddr;

use gamewire_machine::{Instant, Role};

use super::{Server, ServerEvent, Session, SessionId};
use crate::RecordError;
use crate::cipher::Cipher;
use crate::crypto::KEY_BYTES;
use crate::half_open::HalfOpen;
use crate::noise::{FIRST_BYTES, Responder, SECOND_BYTES};
use crate::wire::{COOKIE_BYTES, NONCE_BYTES, Packet};

/// Number of random connection ids to try. With 16,384 sessions, the first one is taken once in 262,144 times.
const MAX_ID_TRIES: usize = 8;

/// The parts of an initiation.
pub(super) struct Initiation<'a> {
    pub(super) nonce: [u8; NONCE_BYTES],
    pub(super) cookie: [u8; COOKIE_BYTES],
    pub(super) handshake: &'a [u8; FIRST_BYTES],
    pub(super) token: &'a [u8],
}

impl Server {
    /// Answers a request with a cookie.
    pub(super) fn on_request(&mut self, now: Instant, from: SocketAddr, nonce: [u8; NONCE_BYTES]) {
        let cookie = self.cookies.make(now, from, nonce);
        self.reply(from, Packet::Retry { nonce, cookie });
    }

    /// Answers an initiation. The key is checked before anything is computed on the curve.
    pub(super) fn on_initiation(
        &mut self,
        now: Instant,
        from: SocketAddr,
        initiation: &Initiation<'_>,
    ) -> Result<(), RecordError> {
        let Initiation { nonce, ref cookie, handshake, token } = *initiation;
        if !self.cookies.is_valid(now, from, nonce, cookie) {
            return Err(RecordError::WrongCookie);
        }
        let (client_public, _) = handshake.split_first_chunk::<KEY_BYTES>().ok_or(RecordError::Malformed)?;
        if let Some(known) = self.half_open.find(from, client_public) {
            let response = known.response;
            self.reply(from, Packet::Response { nonce, handshake: &response });
            return Ok(());
        }
        let secret = self.key.client_secret(token);
        let responder = Responder::new(&secret, handshake).ok_or(RecordError::WrongKey)?;
        if self.half_open.count_from(from.ip()) >= self.config.max_half_open_per_network {
            return Err(RecordError::Full);
        }
        let id = self.free_id()?;
        let (response, keys) = responder.finish(id, &self.random.bytes()).ok_or(RecordError::Malformed)?;
        self.limit_token(token)?;
        self.make_room()?;
        let cipher = Cipher::new(id, &keys, Role::Server);
        self.add(
            now,
            id,
            HalfOpen { session: id, address: from, client_public: *client_public, response, since: now },
            cipher,
            token,
        );
        self.reply(from, Packet::Response { nonce, handshake: &response });
        Ok(())
    }

    fn add(&mut self, now: Instant, id: u32, half_open: HalfOpen, cipher: Cipher, token: &[u8]) {
        let session = Session {
            address: half_open.address,
            cipher,
            token: token.to_vec(),
            last_received: now,
            is_open: false,
            new_path: None,
            answered: None,
        };
        self.sessions.insert(id, session);
        self.half_open.push(half_open);
        self.schedule_sweep(now);
    }

    /// Closes a session of a token if a further one would be too many. The token is proven, so a client can close only
    /// its own sessions.
    fn limit_token(&mut self, token: &[u8]) -> Result<(), RecordError> {
        if token.is_empty() {
            return Ok(());
        }
        let same = self.sessions.iter().filter(|(_, session)| session.token == token);
        let (mut count, mut silent) = (0_usize, None);
        for (id, session) in same {
            count = count.saturating_add(1);
            if silent.is_none_or(|(_, since)| session.last_received < since) {
                silent = Some((*id, session.last_received));
            }
        }
        let Some((id, _)) = silent.filter(|_| count >= self.config.max_sessions_per_token) else {
            return Ok(());
        };
        let is_open = self.sessions.get(&id).is_some_and(|session| session.is_open);
        if is_open {
            // Closed sessions are always reported, so their events must fit.
            if self.events.len() >= self.config.max_sessions {
                return Err(RecordError::Full);
            }
            self.events.push_back(ServerEvent::Closed { session: SessionId(id) });
        }
        self.stats.superseded = self.stats.superseded.saturating_add(1);
        self.close(SessionId(id));
        Ok(())
    }

    /// Removes the oldest handshake if there are too many.
    fn make_room(&mut self) -> Result<(), RecordError> {
        let is_full = self.sessions.len() >= self.config.max_sessions;
        if is_full || self.half_open.len() >= self.config.max_half_open {
            let oldest = self.half_open.pop().ok_or(RecordError::Full)?;
            self.sessions.remove(&oldest.session);
        }
        Ok(())
    }

    /// Returns a random connection id that no session has, because the ids of an attacker's guess must be rarely right.
    fn free_id(&mut self) -> Result<u32, RecordError> {
        for _ in 0..MAX_ID_TRIES {
            let id = u32::from_le_bytes(self.random.array());
            if !self.sessions.contains_key(&id) {
                return Ok(id);
            }
        }
        Err(RecordError::Full)
    }

    fn reply(&mut self, to: SocketAddr, packet: Packet<'_>) {
        const { assert!(SECOND_BYTES < FIRST_BYTES + COOKIE_BYTES) };
        packet.write(&mut self.scratch);
        self.replies.push(to, &self.scratch);
    }
}
