use gamewire_machine::StreamId;

use super::login::text;
use super::stage::{PasswordAttempts, PeerState};
use super::{ClientId, CloseReason, SendError, Server};
use crate::session::client::PasswordRequest;
use crate::session::codec::SessionPacket;

impl Server {
    /// Lets a client in that asks for it. What is sent to it then ends with
    /// [`finish`](Self::finish).
    ///
    /// # Errors
    /// There is no such client, or it does not wait for that.
    pub fn accept(&mut self, client: ClientId) -> Result<(), SendError> {
        let stream = self.stream(client)?;
        let Self { peers, config, capabilities, now, .. } = self;
        let peer = peers.get_mut(&stream).ok_or(SendError::NoSuchClient)?;
        let user = match core::mem::replace(&mut peer.stage, PeerState::Closed) {
            PeerState::Deciding { user, .. } | PeerState::Checking { user, .. } => user,
            other => {
                peer.stage = other;
                return Err(SendError::NotAsked);
            }
        };
        let joined = peer.join(config, capabilities, user, *now, &mut self.events);
        self.close_on_error(stream, joined);
        Ok(())
    }

    /// Turns a client away that asks to be let in.
    ///
    /// # Errors
    /// There is no such client, or it does not wait for that.
    pub fn refuse(&mut self, client: ClientId, message: &str) -> Result<(), SendError> {
        let stream = self.stream(client)?;
        let peer = self.peers.get_mut(&stream).ok_or(SendError::NoSuchClient)?;
        if !matches!(peer.stage, PeerState::Deciding { .. } | PeerState::Checking { .. }) {
            return Err(SendError::NotAsked);
        }
        let refused = peer.refuse(&self.capabilities, message.to_owned());
        self.close_on_error(stream, refused);
        Ok(())
    }

    /// Asks a client that wants to be let in for a password: [`PasswordRequest::Login`] for a user
    /// that is known, [`PasswordRequest::NewUser`] for another.
    ///
    /// # Errors
    /// There is no such client, or it does not wait for that.
    pub fn ask_password(
        &mut self,
        client: ClientId,
        request: PasswordRequest,
        message: &str,
    ) -> Result<(), SendError> {
        let stream = self.stream(client)?;
        let deadline = self.now + self.config.password_deadline;
        let peer = self.peers.get_mut(&stream).ok_or(SendError::NoSuchClient)?;
        match core::mem::replace(&mut peer.stage, PeerState::Closed) {
            PeerState::Deciding { user, .. } => {
                peer.stage =
                    PeerState::Authenticating { user, tries: PasswordAttempts::new(request, deadline) };
            }
            other => {
                peer.stage = other;
                return Err(SendError::NotAsked);
            }
        }
        let asked = peer.ask(request.number(), message);
        self.close_on_error(stream, asked);
        Ok(())
    }

    /// The password that a client sent will not do: after a while it is asked again with this
    /// message, but turned away after the third one.
    ///
    /// # Errors
    /// There is no such client, or it does not wait for that.
    pub fn wrong_password(&mut self, client: ClientId, message: &str) -> Result<(), SendError> {
        let stream = self.stream(client)?;
        let peer = self.peers.get_mut(&stream).ok_or(SendError::NoSuchClient)?;
        match core::mem::replace(&mut peer.stage, PeerState::Closed) {
            PeerState::Checking { user, mut tries } => {
                let until = self.now + tries.count_failure();
                peer.stage = PeerState::Waiting { user, tries, until, message: message.to_owned() };
            }
            other => {
                peer.stage = other;
                return Err(SendError::NotAsked);
            }
        }
        let finished = peer.finish();
        self.close_on_error(stream, finished);
        Ok(())
    }

    /// A client's request is dealt with: what it was sent leaves, and its next one comes.
    ///
    /// # Errors
    /// There is no such client, or none of its requests is at hand.
    pub fn finish_request(&mut self, client: ClientId) -> Result<(), SendError> {
        let stream = self.stream(client)?;
        let peer = self.peers.get_mut(&stream).ok_or(SendError::NoSuchClient)?;
        if peer.playing().is_none() || peer.current.is_none() {
            return Err(SendError::NotAsked);
        }
        self.with(stream, |peer, events| {
            peer.finish()?;
            peer.start_next_requests(events)
        });
        Ok(())
    }

    /// Lets packets for a client wait until the matching [`thaw`](Self::thaw), to leave together.
    ///
    /// # Errors
    /// There is no such client.
    pub fn freeze(&mut self, client: ClientId) -> Result<(), SendError> {
        let stream = self.stream(client)?;
        self.with(stream, |peer, _| {
            peer.link.freeze();
            Ok(())
        });
        Ok(())
    }

    /// Ends the last [`freeze`](Self::freeze).
    ///
    /// # Errors
    /// There is no such client.
    pub fn thaw(&mut self, client: ClientId) -> Result<(), SendError> {
        let stream = self.stream(client)?;
        self.with(stream, |peer, _| {
            peer.link.thaw();
            Ok(())
        });
        Ok(())
    }

    /// Throws a client out, with a line of chat that says why.
    ///
    /// # Errors
    /// There is no such client.
    pub fn kick(&mut self, client: ClientId, why: &str) -> Result<(), SendError> {
        let stream = self.stream(client)?;
        self.with(stream, |peer, _| {
            if peer.playing().is_some() {
                peer.send(SessionPacket::Chat, &[("message", text(why))])?;
            }
            Ok(())
        });
        self.close(stream, CloseReason::Kicked(why.to_owned()));
        Ok(())
    }

    /// The client whose turn it was is gone if that failed.
    fn close_on_error(&mut self, stream: StreamId, done: Result<(), CloseReason>) {
        self.with(stream, |_, _| done);
    }

    pub(super) fn stream(&self, client: ClientId) -> Result<StreamId, SendError> {
        self.streams.get(&client).copied().ok_or(SendError::NoSuchClient)
    }
}
