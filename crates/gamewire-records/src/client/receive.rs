use std::net::SocketAddr;

use gamewire_machine::{Instant, Role};

use super::timers::{Answer, Resend};
use super::{Client, ClientEvent, State};
use crate::RecordError;
use crate::cipher::Cipher;
use crate::control::Control;
use crate::noise::{Initiator, SECOND_BYTES};
use crate::wire::{COOKIE_BYTES, Header, NONCE_BYTES, Packet};

impl Client {
    /// Handles a datagram. Returns the packet in it, if it contains one.
    ///
    /// # Errors
    /// [`RecordError`] if the datagram is dropped. The client is unchanged.
    pub fn handle_datagram(
        &mut self,
        now: Instant,
        from: SocketAddr,
        datagram: &[u8],
    ) -> Result<Option<&[u8]>, RecordError> {
        let now = self.clock.now().max(now);
        let is_open = self.is_open();
        let is_known =
            self.servers.iter().take(if is_open { 1 } else { usize::MAX }).any(|known| *known == from);
        if !is_known {
            return Err(RecordError::UnknownAddress);
        }
        let has_packet = match Packet::parse(datagram)? {
            Packet::Retry { nonce, cookie } => self.on_retry(now, from, nonce, cookie)?,
            Packet::Response { nonce, handshake } => self.on_response(from, nonce, handshake)?,
            Packet::Record(header) => self.on_record(now, header, datagram)?,
            Packet::Request { .. } | Packet::Initiation { .. } => return Err(RecordError::OutOfTurn),
        };
        self.clock.advance(now);
        Ok(has_packet.then_some(self.text.as_slice()))
    }

    fn on_retry(
        &mut self,
        now: Instant,
        from: SocketAddr,
        nonce: [u8; NONCE_BYTES],
        cookie: [u8; COOKIE_BYTES],
    ) -> Result<bool, RecordError> {
        if !matches!(&self.state, State::Requesting { nonce: requested } if *requested == nonce) {
            return Err(RecordError::OutOfTurn);
        }
        // The other addresses stay, in case this one does not accept the client.
        let position = self.servers.iter().position(|server| *server == from).unwrap_or(0);
        self.servers.rotate_left(position);
        let (initiator, first_message) = Initiator::new(self.key.secret(), self.random.bytes());
        self.state = State::Initiating { nonce, cookie, initiator: Box::new(initiator), first_message };
        self.resend = Resend::new(now);
        self.send_handshake(now);
        Ok(false)
    }

    fn on_response(
        &mut self,
        from: SocketAddr,
        nonce: [u8; NONCE_BYTES],
        message: &[u8; SECOND_BYTES],
    ) -> Result<bool, RecordError> {
        let State::Initiating { nonce: initiated, initiator, .. } = &self.state else {
            return Err(RecordError::OutOfTurn);
        };
        if *initiated != nonce || self.server() != Some(from) {
            return Err(RecordError::OutOfTurn);
        }
        let (id, keys) = initiator.finish(message).ok_or(RecordError::WrongKey)?;
        self.state = State::Open(Box::new(Cipher::new(id, &keys, Role::Client)));
        self.emit(ClientEvent::Opened { server: from });
        Ok(false)
    }

    fn on_record(&mut self, now: Instant, header: Header, datagram: &[u8]) -> Result<bool, RecordError> {
        let State::Open(cipher) = &mut self.state else { return Err(RecordError::OutOfTurn) };
        if header.session != cipher.id() {
            return Err(RecordError::UnknownSession);
        }
        cipher.open(header, datagram, &mut self.text)?;
        if !header.is_control {
            return Ok(true);
        }
        match Control::parse(&self.text) {
            // A repeated challenge is answered by the answer that waits.
            Some(Control::Challenge(data)) => {
                let is_answered = self.answer.as_ref().is_some_and(|answer| answer.data == data);
                if !is_answered {
                    self.answer = Some(Answer::new(data, now));
                    self.send_answer(now);
                }
            }
            Some(Control::Moved(address)) => self.on_moved(address),
            Some(Control::Answer(_)) | None => {}
        }
        Ok(false)
    }

    /// Handles a confirmation. If it repeats the address of the last confirmation, it does not confirm a later challenge,
    /// and there is no event.
    fn on_moved(&mut self, address: SocketAddr) {
        let Some(answer) = &self.answer else { return };
        let repeated = self.confirmed.filter(|(_, known)| *known == address);
        if repeated.is_none_or(|(data, _)| data == answer.data) {
            self.confirmed = Some((answer.data, address));
            self.answer = None;
        }
        if repeated.is_none() {
            self.emit(ClientEvent::Moved { address });
        }
    }
}
