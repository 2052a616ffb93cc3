use std::net::SocketAddr;

use gamewire_machine::Instant;

use super::handshake::Initiation;
use super::{Received, Server, SessionId};
use crate::RecordError;
use crate::control::{CHALLENGE_BYTES, Control};
use crate::path::NewPath;
use crate::wire::{Header, Packet};

impl Server {
    /// Handles a datagram. Returns the packet of a session, if the datagram contains one.
    ///
    /// # Errors
    /// [`RecordError`] if the datagram is dropped. Only counters and the clock change.
    pub fn handle_datagram(
        &mut self,
        now: Instant,
        from: SocketAddr,
        datagram: &[u8],
    ) -> Result<Option<Received<'_>>, RecordError> {
        let now = self.clock.advance(now);
        let handled = self.dispatch(now, from, datagram);
        if let Err(error) = handled {
            self.stats.count(error);
        }
        Ok(handled?.map(|session| Received { session, packet: &self.text }))
    }

    /// Returns the session of the packet, which is in `text` afterwards.
    fn dispatch(
        &mut self,
        now: Instant,
        from: SocketAddr,
        datagram: &[u8],
    ) -> Result<Option<SessionId>, RecordError> {
        match Packet::parse(datagram)? {
            Packet::Request { nonce } => self.on_request(now, from, nonce),
            Packet::Initiation { nonce, cookie, handshake, token } => {
                self.on_initiation(now, from, &Initiation { nonce, cookie, handshake, token })?;
            }
            Packet::Record(header) => return self.on_record(now, from, header, datagram),
            Packet::Retry { .. } | Packet::Response { .. } => return Err(RecordError::OutOfTurn),
        }
        Ok(None)
    }

    fn on_record(
        &mut self,
        now: Instant,
        from: SocketAddr,
        header: Header,
        datagram: &[u8],
    ) -> Result<Option<SessionId>, RecordError> {
        let session = self.sessions.get_mut(&header.session).ok_or(RecordError::UnknownSession)?;
        let is_highest = session.cipher.open(header, datagram, &mut self.text)?;
        session.last_received = now;
        if !core::mem::replace(&mut session.is_open, true) {
            self.stats.opened = self.stats.opened.saturating_add(1);
            self.half_open.remove(header.session);
        }
        let id = SessionId(header.session);
        if header.is_control
            && let Some(Control::Answer(data)) = Control::parse(&self.text)
        {
            self.on_answer(id, from, data);
        }
        // An older record was sent before the client's last one, so its address may be an earlier one.
        if is_highest {
            self.on_last_address(now, header.session, from, datagram.len());
        }
        Ok((!header.is_control).then_some(id))
    }

    /// Handles the address of the client's last record. A new address is challenged, as often as the bytes from there
    /// permit.
    fn on_last_address(&mut self, now: Instant, id: u32, from: SocketAddr, length: usize) {
        let Some(session) = self.sessions.get_mut(&id) else { return };
        if session.address == from {
            // The client is back, so an answer that is still on its way from another address must not move it.
            session.new_path = None;
            return;
        }
        if session.new_path.as_ref().is_none_or(|path| path.address != from) {
            session.new_path = Some(NewPath::new(from, self.random.array()));
        }
        let Some(path) = &mut session.new_path else { return };
        if path.on_datagram(now, length) {
            let challenge = path.challenge;
            self.stats.challenges = self.stats.challenges.saturating_add(1);
            self.send_control(id, from, Control::Challenge(challenge));
        }
    }

    /// Moves a session after an answer from its new address. Repeats the confirmation if it was lost.
    fn on_answer(&mut self, id: SessionId, from: SocketAddr, data: [u8; CHALLENGE_BYTES]) {
        let Some(session) = self.sessions.get_mut(&id.0) else { return };
        let is_challenged =
            session.new_path.as_ref().is_some_and(|path| path.address == from && path.challenge == data);
        if is_challenged {
            let before = core::mem::replace(&mut session.address, from);
            session.new_path = None;
            session.answered = Some(data);
            self.emit_moved(id, before, from);
        } else if session.address != from || session.answered != Some(data) {
            return;
        }
        self.send_control(id.0, from, Control::Moved(from));
    }
}
