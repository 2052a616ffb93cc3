use super::peer::Peer;
use super::state::{PasswordAttempts, PeerState};
use super::{ClientId, SendError, Server};
use crate::delta::{DeltaError, EncodeOptions, Value};
use crate::packets;
use crate::session::client::PasswordRequest;
use crate::session::codec::{Encoder, PacketRef};
use crate::session::packet_queue::QueueError;

impl Server {
    /// Accepts a client that is logging in. Send the game to it, then call [`finish_request`](Self::finish_request).
    ///
    /// # Errors
    /// [`SendError::NoSuchClient`] if no client has this id, or [`SendError::NotRequested`] if the client does not wait
    /// for a decision.
    pub fn accept(&mut self, client: ClientId) -> Result<(), SendError> {
        let now = self.clock.now();
        self.command(client, waits_for_decision, |peer| match peer.state.user().cloned() {
            Some(user) => peer.join(user, now),
            None => Ok(None),
        })
    }

    /// Rejects a client that is logging in.
    ///
    /// # Errors
    /// [`SendError::NoSuchClient`] if no client has this id, or [`SendError::NotRequested`] if the client does not wait
    /// for a decision.
    pub fn refuse(&mut self, client: ClientId, message: &str) -> Result<(), SendError> {
        self.command(client, waits_for_decision, |peer| peer.refuse(message.to_owned()))
    }

    /// Requests a password from a client that is logging in: [`PasswordRequest::Login`] for a known user,
    /// [`PasswordRequest::NewUser`] for an unknown one.
    ///
    /// # Errors
    /// [`SendError::NoSuchClient`] if no client has this id, or [`SendError::NotRequested`] if the client does not wait
    /// for a decision, or a password was already requested.
    pub fn ask_password(
        &mut self,
        client: ClientId,
        request: PasswordRequest,
        message: &str,
    ) -> Result<(), SendError> {
        let deadline = self.clock.now() + self.config().password_timeout;
        let is_deciding = |peer: &Peer| matches!(peer.state, PeerState::Deciding { .. });
        self.command(client, is_deciding, |peer| {
            if let Some(user) = peer.state.user().cloned() {
                let attempts = PasswordAttempts::new(request, deadline);
                peer.state = PeerState::Authenticating { user, attempts };
            }
            peer.ask_password(request.number(), message)
        })
    }

    /// Rejects the password that a client sent. After a delay, the server requests a password again with `message`.
    /// After the third wrong password, it rejects the client.
    ///
    /// # Errors
    /// [`SendError::NoSuchClient`] if no client has this id, or [`SendError::NotRequested`] if no password of the
    /// client is being checked.
    pub fn wrong_password(&mut self, client: ClientId, message: &str) -> Result<(), SendError> {
        let now = self.clock.now();
        let is_checking = |peer: &Peer| matches!(peer.state, PeerState::Checking { .. });
        self.command(client, is_checking, |peer| {
            if let PeerState::Checking { user, attempts } = &peer.state {
                let (user, mut attempts) = (user.clone(), *attempts);
                let until = now + attempts.count_failure();
                peer.state = PeerState::Delaying { user, attempts, until, message: message.to_owned() };
            }
            peer.finish().map(|()| None)
        })
    }

    /// Ends the current request of a client. The packets of its answer are sent, and the client's next packet is
    /// processed.
    ///
    /// # Errors
    /// [`SendError::NoSuchClient`] if no client has this id, or [`SendError::NotRequested`] if no request of the client
    /// is being processed.
    pub fn finish_request(&mut self, client: ClientId) -> Result<(), SendError> {
        let is_processing = |peer: &Peer| peer.playing().is_some() && peer.current.is_some();
        self.command(client, is_processing, |peer| {
            peer.finish()?;
            peer.start_next_requests()
        })
    }

    /// Holds packets for a client until the matching [`thaw`](Self::thaw), so that they are sent together.
    ///
    /// # Errors
    /// [`SendError::NoSuchClient`] if no client has this id.
    pub fn freeze(&mut self, client: ClientId) -> Result<(), SendError> {
        self.command(client, any_state, |peer| {
            peer.queue.freeze();
            Ok(None)
        })
    }

    /// Ends the last [`freeze`](Self::freeze).
    ///
    /// # Errors
    /// [`SendError::NoSuchClient`] if no client has this id.
    pub fn thaw(&mut self, client: ClientId) -> Result<(), SendError> {
        self.command(client, any_state, |peer| {
            peer.queue.thaw();
            Ok(None)
        })
    }

    /// Sends a packet to a client. Returns false if the packet equals the last one of its type and key, and its type is
    /// only sent with changes.
    ///
    /// # Errors
    /// [`SendError`] if nothing was sent. If the send queue is full or the packet is too long, the client is
    /// disconnected, and the error is [`SendError::NoSuchClient`].
    pub fn send<'p>(
        &mut self,
        client: ClientId,
        packet: impl Into<packets::Packet<'p>>,
    ) -> Result<bool, SendError> {
        let packet = packet.into();
        self.send_with(client, |encoder, out| encoder.encode(packet, EncodeOptions::default(), out))
    }

    /// Sends a packet to a client, given the names and values of the fields that are not zero or empty. Returns the
    /// same as [`send`](Self::send).
    ///
    /// # Errors
    /// [`SendError`] in the cases of [`send`](Self::send), and [`SendError::Unknown`] if the definition has no packet
    /// with this name.
    pub fn send_fields(
        &mut self,
        client: ClientId,
        name: &str,
        fields: &[(&str, Value)],
    ) -> Result<bool, SendError> {
        let number = self.config().definition.number(name);
        let number = number.ok_or_else(|| SendError::Unknown(name.to_owned()))?;
        self.send_with(client, |encoder, out| {
            Ok(encoder.encode_fields(number, fields, EncodeOptions::default(), out)?.then_some(number))
        })
    }

    /// Sends a packet to a client, given a value for each field. Returns the same as [`send`](Self::send).
    ///
    /// # Errors
    /// [`SendError`] in the cases of [`send`](Self::send).
    pub fn send_values(
        &mut self,
        client: ClientId,
        number: u16,
        values: &[Value],
        options: EncodeOptions<'_>,
    ) -> Result<bool, SendError> {
        self.send_with(client, |encoder, out| {
            Ok(encoder.encode_values(number, values, options, out)?.then_some(number))
        })
    }

    /// Sends a packet from another server to a client. Both connections must use the same definition. Returns the same
    /// as [`send`](Self::send).
    ///
    /// # Errors
    /// [`SendError`] in the cases of [`send`](Self::send).
    pub fn forward(&mut self, client: ClientId, packet: &PacketRef<'_>) -> Result<bool, SendError> {
        self.send_with(client, |encoder, out| Ok(encoder.forward(packet, out)?.then(|| packet.number())))
    }

    fn send_with(
        &mut self,
        client: ClientId,
        encode: impl FnOnce(&mut Encoder, &mut Vec<u8>) -> Result<Option<u16>, Box<DeltaError>>,
    ) -> Result<bool, SendError> {
        let peer = self.peers.get_mut(client).ok_or(SendError::NoSuchClient)?;
        if peer.playing().is_none() {
            return Err(SendError::NotJoined);
        }
        match peer.send_with(encode) {
            Ok(is_sent) => {
                self.update(client, |_| Ok(None));
                Ok(is_sent)
            }
            Err(QueueError::Packet(error)) => Err(error.into()),
            Err(error) => {
                self.close(client, error.into());
                Err(SendError::NoSuchClient)
            }
        }
    }
}

fn waits_for_decision(peer: &Peer) -> bool {
    matches!(peer.state, PeerState::Deciding { .. } | PeerState::Checking { .. })
}

/// The check for commands that are allowed in every state.
pub(super) const fn any_state(_: &Peer) -> bool {
    true
}
