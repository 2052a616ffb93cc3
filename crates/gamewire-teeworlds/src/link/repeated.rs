//! The last control message of the handshake. One role repeats it on its new connection.

use core::time::Duration;

use gamewire_machine::Instant;

use super::Link;
use super::connection::LinkState;
use crate::Dialect;

/// A short control message that is repeated.
#[derive(Clone, Copy, Debug)]
pub(super) struct PendingControl {
    pub(super) id: u8,
    bytes: [u8; 4],
    length: u8,
}

impl PendingControl {
    fn new(id: u8, body: &[u8]) -> Self {
        let mut bytes = [0; 4];
        let length = bytes.iter_mut().zip(body).map(|(to, from)| *to = *from).count();
        Self { id, bytes, length: length.try_into().unwrap_or(0) }
    }

    pub(super) fn body(&self) -> &[u8] {
        self.bytes.get(..self.length.into()).unwrap_or_default()
    }
}

/// A control message that a client repeats on an established connection.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unconfirmed {
    control: PendingControl,
    last_sent: Instant,
}

impl Unconfirmed {
    /// Time after which the message is repeated. It is not a divisor of one second, after which servers send their next
    /// KEEPALIVE. DDNet from 20 on restarts the session when the message arrives, and must not do so while its
    /// KEEPALIVE is in flight.
    const INTERVAL: Duration = Duration::from_millis(700);

    pub(super) fn due_at(&self) -> Instant {
        self.last_sent + Self::INTERVAL
    }
}

impl Link {
    /// Repeats the control message `id` with `body` every [`LinkConfig::retry_after`](super::LinkConfig::retry_after)
    /// until the peer sends a packet that is not a control packet. No KEEPALIVE is sent until then. A server of 0.7
    /// (ACCEPT) or plain 0.6 (CONNECTACCEPT) needs this. `body` is cut at 4 bytes.
    #[must_use]
    pub fn repeating(mut self, id: u8, body: &[u8]) -> Self {
        self.state = LinkState::Repeating(PendingControl::new(id, body));
        self
    }

    /// Repeats the control message `id` with `body` every 700 ms, together with all unacknowledged messages, until the
    /// peer sends a KEEPALIVE or a message. A client needs this in plain 0.6 (CONNECT) and in the dialect of DDNet
    /// (ACCEPT): if this datagram is lost, the server drops all others. `body` is cut at 4 bytes.
    #[must_use]
    pub fn confirming(mut self, id: u8, body: &[u8]) -> Self {
        let last_sent = self.clock.now();
        self.state = LinkState::Confirming(Unconfirmed { control: PendingControl::new(id, body), last_sent });
        self
    }

    /// Returns the time when the link was created, if the peer has sent only messages of the handshake since then and
    /// the link repeats its last one.
    pub(crate) fn unconfirmed_since(&self) -> Option<Instant> {
        matches!(self.state, LinkState::Repeating(_)).then_some(self.last_receive)
    }

    /// Returns whether the address of the peer may be forged: the connection has no tokens, and the peer has sent nothing
    /// but CONNECT. Until it sends a message, [`Link::close`] sends no reason, and a timeout sends nothing.
    pub fn is_unproven(&self) -> bool {
        self.dialect() == Dialect::V06 && matches!(self.state, LinkState::Repeating(_))
    }

    /// Resends all unacknowledged messages and requests a resend from the peer. Does nothing while the peer may have no
    /// connection.
    pub(crate) fn recover(&mut self) {
        if let LinkState::Online = self.state {
            self.queue.request_resend = true;
            self.resend_all();
        }
    }

    /// Repeats the last message of the handshake if it is due.
    pub(super) fn repeat_unconfirmed(&mut self, now: Instant) {
        let LinkState::Confirming(unconfirmed) = &mut self.state else { return };
        if now < unconfirmed.due_at() {
            return;
        }
        unconfirmed.last_sent = now;
        let control = unconfirmed.control;
        self.send_control(control.id, control.body());
        self.resend_all();
    }

    /// Resends all unacknowledged messages, limited like the answers to resend requests.
    fn resend_all(&mut self) {
        self.resend_request.is_pending = true;
        self.answer_resend_request();
        self.flush();
    }
}
