use core::time::Duration;

use gamewire_machine::{Instant, Wake};

use super::{Client, State};
use crate::control::{CHALLENGE_BYTES, Control};
use crate::wire::Packet;

/// Time after which a request, an initiation or an answer is sent again for the first time.
const MIN_RESEND: Duration = Duration::from_millis(250);
/// Maximum time between two sends.
const MAX_RESEND: Duration = Duration::from_secs(1);
/// Number of initiations without a response after which the client requests a new cookie.
const MAX_INITIATIONS: u32 = 6;
/// Number of sends of one answer. The server challenges again if all are lost.
const MAX_ANSWERS: u8 = 8;

/// When a packet of the handshake is sent again.
pub(super) struct Resend {
    at: Instant,
    interval: Duration,
    count: u32,
}

impl Resend {
    /// A packet that is due now.
    pub(super) const fn new(now: Instant) -> Self {
        Self { at: now, interval: MIN_RESEND, count: 0 }
    }

    fn on_sent(&mut self, now: Instant) {
        self.at = now + self.interval;
        self.interval = self.interval.saturating_mul(2).min(MAX_RESEND);
        self.count = self.count.saturating_add(1);
    }
}

/// An answer to a challenge that the server has not confirmed.
pub(super) struct Answer {
    pub(super) data: [u8; CHALLENGE_BYTES],
    at: Instant,
    sends_left: u8,
}

impl Answer {
    /// An answer that is due now.
    pub(super) const fn new(data: [u8; CHALLENGE_BYTES], now: Instant) -> Self {
        Self { data, at: now, sends_left: MAX_ANSWERS }
    }
}

impl Client {
    /// Advances the clock, and queues the packets that are due.
    pub fn handle_timeout(&mut self, now: Instant) {
        let now = self.clock.advance(now);
        self.send_handshake(now);
        self.send_answer(now);
    }

    /// Returns the time of the next packet of the layer itself.
    pub fn poll_timeout(&self) -> Option<Wake> {
        let resend = (!self.is_open()).then_some(self.resend.at);
        let answer = self.answer.as_ref().map(|answer| answer.at);
        Wake::earliest([
            resend.map(|at| Wake { at, reason: "handshake" }),
            answer.map(|at| Wake { at, reason: "answer" }),
        ])
    }

    /// Queues the request or the initiation, if it is due.
    pub(super) fn send_handshake(&mut self, now: Instant) {
        if self.is_open() || self.resend.at > now {
            return;
        }
        if matches!(self.state, State::Initiating { .. }) && self.resend.count >= MAX_INITIATIONS {
            self.restart(now);
            // This address answers requests, so the others are asked only if one of them is the next.
            self.servers.rotate_left(1.min(self.servers.len()));
        }
        if matches!(self.state, State::Requesting { .. }) && self.resend.count > 0 {
            self.servers.rotate_left(1.min(self.servers.len()));
        }
        self.resend.on_sent(now);
        let Some(server) = self.server() else { return };
        match &self.state {
            State::Requesting { nonce } => Packet::Request { nonce: *nonce }.write(&mut self.scratch),
            State::Initiating { nonce, cookie, first_message, .. } => {
                let (nonce, cookie, token) = (*nonce, *cookie, self.key.token());
                Packet::Initiation { nonce, cookie, handshake: first_message, token }
                    .write(&mut self.scratch);
            }
            State::Open(_) => return,
        }
        self.unsent.push(server, &self.scratch);
    }

    /// Queues the answer to a challenge, if it is due.
    pub(super) fn send_answer(&mut self, now: Instant) {
        let Some(server) = self.server() else { return };
        let Some(answer) = self.answer.as_mut().filter(|answer| answer.at <= now) else { return };
        let State::Open(cipher) = &mut self.state else { return };
        if cipher.seal_control(Control::Answer(answer.data), &mut self.scratch).is_ok() {
            self.unsent.push(server, &self.scratch);
        }
        answer.at = now + MIN_RESEND;
        answer.sends_left = answer.sends_left.saturating_sub(1);
        if answer.sends_left == 0 {
            self.answer = None;
        }
    }
}
