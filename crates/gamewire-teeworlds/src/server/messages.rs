use super::ServerState;
use super::peer::SendError;
use super::peer_state::PeerState;
use crate::Dialect;
use crate::model::message::{ClientId, ServerMessage};

/// A handle to send messages to the clients of a server.
#[derive(Debug)]
pub struct Messages<'s> {
    pub(super) state: &'s mut ServerState,
}

impl Messages<'_> {
    /// Sends a message to a client together with later ones, without `MSGFLAG_FLUSH` of the games: it leaves with the next
    /// snapshot, [`flush`](Self::flush) or [`send_now`](Self::send_now), or after 500 ms. It is vital if the games send it
    /// as vital.
    ///
    /// # Errors
    /// [`SendError`]. Nothing is sent.
    pub fn send(&mut self, to: ClientId, message: &ServerMessage<'_>) -> Result<(), SendError> {
        self.state.peers.update(to.0.into(), |peer| peer.queue(message)).ok_or(SendError::NoClient)?
    }

    /// Sends a message to a client immediately, with `MSGFLAG_FLUSH` of the games. Messages that wait leave in the same
    /// datagram, before it.
    ///
    /// # Errors
    /// [`SendError`]. Nothing is sent.
    pub fn send_now(&mut self, to: ClientId, message: &ServerMessage<'_>) -> Result<(), SendError> {
        self.send(to, message)?;
        self.flush(to);
        Ok(())
    }

    /// Sends the messages that wait for a client.
    pub fn flush(&mut self, to: ClientId) {
        self.state.peers.update(to.0.into(), |peer| peer.link.flush());
    }

    /// Sends a message to all players. Players with a version that does not have the message are skipped.
    pub fn broadcast(&mut self, message: &ServerMessage<'_>) {
        self.state.broadcast(message);
    }

    /// Sends the content of a chunk to a client, which can be a message that this crate does not know.
    ///
    /// # Errors
    /// [`SendError::NoClient`] or [`SendError::Send`]. Nothing is sent.
    pub fn send_raw(&mut self, to: ClientId, vital: bool, content: &[u8]) -> Result<(), SendError> {
        let sent = self.state.peers.update(to.0.into(), |peer| peer.link.send(vital, content));
        Ok(sent.ok_or(SendError::NoClient)??)
    }

    /// Returns the dialect of a client.
    pub fn dialect(&self, id: ClientId) -> Option<Dialect> {
        self.state.peers.get(id.0.into()).map(|peer| peer.link.dialect())
    }

    /// Returns the players in the game with their dialects.
    pub fn players(&self) -> impl Iterator<Item = (ClientId, Dialect)> {
        let playing = self.state.peers.iter().filter(|peer| matches!(peer.state, PeerState::Playing(_)));
        playing.map(|peer| (peer.id, peer.link.dialect()))
    }
}
