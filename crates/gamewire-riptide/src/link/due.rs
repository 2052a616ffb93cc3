//! Which reliable packets a connection sends now, and which it gives up.

use gamewire_machine::Instant;

use super::connection::Phase;
use super::pace::Pace;
use super::sent::{Due, Rules};
use super::{Connection, End, Event, GiveUp, Poor};

/// A reliable packet that is to be sent now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outgoing<'a> {
    /// Its id.
    pub seq_id: u16,
    /// Which attempt this is, from 1 on.
    pub attempt: u16,
    /// The whole packet.
    pub packet: &'a [u8],
}

impl Connection {
    /// The next reliable packet that is due, for the first time or again. Ask until there is none.
    #[inline]
    pub fn poll_send(&mut self, now: Instant) -> Option<Outgoing<'_>> {
        if self.sent.is_quiet(now) { None } else { self.poll_due(now) }
    }

    fn poll_due(&mut self, now: Instant) -> Option<Outgoing<'_>> {
        let (seq_id, attempt, place) = loop {
            if self.is_ended() {
                return None;
            }
            match self.sent.next(now, &self.rules(now))? {
                Due::Send { id, attempt, place } => break (id, attempt, place),
                Due::Exhausted { id, attempts } => self.exhausted(id, attempts),
            }
        };
        let packet = self.sent.packet(place)?;
        self.metrics.sent_reliable(packet.len());
        Some(Outgoing { seq_id, attempt, packet })
    }

    /// Hands over every reliable packet that is due, as [`Connection::poll_send`] does one by one.
    #[inline]
    pub fn send_due(&mut self, now: Instant, send: impl FnMut(&[u8])) {
        if !self.sent.is_quiet(now) {
            self.send_some(now, send);
        }
    }

    fn send_some(&mut self, now: Instant, mut send: impl FnMut(&[u8])) {
        let rules = self.rules(now);
        // Whoever is not there any more has nothing to send either.
        while let Some(due) = self.sent.next(now, &rules) {
            match due {
                Due::Send { place, .. } => {
                    if let Some(packet) = self.sent.packet(place) {
                        self.metrics.sent_reliable(packet.len());
                        send(packet);
                    }
                }
                Due::Exhausted { id, attempts } => self.exhausted(id, attempts),
            }
        }
    }

    fn rules(&self, now: Instant) -> Rules {
        let max_attempts = if !self.is_connected() {
            Some(self.config.unproven_send_attempts)
        } else if self.config.give_up == GiveUp::Discard || self.settings.can_quality_disconnect {
            Some(self.settings.max_send_attempts)
        } else {
            None
        };
        let Pace { delay, spacing } = self.pace;
        Rules { due: now + delay, spacing, window: self.window(), max_attempts }
    }

    /// How many messages may be under way. Of an accepted client, whose address may be forged, it is
    /// the Welcome alone; the original sends it all there is.
    pub(super) fn window(&self) -> u16 {
        match self.phase {
            Phase::Accepted { .. } => u16::from(self.sent.newest() == 0),
            _ => self.config.send_window.max(1),
        }
    }

    fn exhausted(&mut self, seq_id: u16, attempts: u16) {
        if !self.is_connected() {
            // The original drops the message silently, though the connection may yet come to be.
            self.sent.rest(seq_id);
        } else if self.config.give_up == GiveUp::Disconnect {
            self.end(End::PoorConnection(Poor::SendAttempts { seq_id, attempts }));
        } else if self.sent.finish(seq_id).is_some() {
            self.tell(Event::ReliableGivenUp { seq_id });
        }
    }

    /// There is a sign that the peer waits, such as another question for a connection: each
    /// message that rests since it was sent as often as it may be before the connection is
    /// established is sent once more.
    pub fn nudge(&mut self, now: Instant) {
        if !self.is_connected() {
            self.sent.wake_resting(now, self.config.unproven_send_attempts.saturating_sub(1));
        }
    }
}
