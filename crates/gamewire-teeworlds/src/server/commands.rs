use super::{GameLogic, SendError, Server};
use crate::Dialect;
use crate::session::message::{Audience, ClientId, ServerMessage};
use crate::shared::pack::Text;

/// The commands run at the time of the last call that took one.
impl<G: GameLogic> Server<G> {
    /// Sends a line of chat to all players.
    pub fn say(&mut self, text: &str) {
        let text = Text::new(text);
        self.state.broadcast(&ServerMessage::Chat { from: None, audience: Audience::All, text });
    }

    /// Sends a line to the remote console of a client.
    pub fn rcon_line(&mut self, to: ClientId, line: &str) {
        let line = ServerMessage::RconLine(Text::new(line));
        self.state.peers.update(to.0.into(), |peer| peer.send(&line));
    }

    /// Sends a message to a client, resent until it has it.
    ///
    /// # Errors
    /// [`SendError`]. Nothing is sent.
    pub fn send(&mut self, to: ClientId, message: &ServerMessage<'_>) -> Result<(), SendError> {
        self.state.send(to, message)
    }

    /// Sends a message to all players whose version has it.
    pub fn broadcast(&mut self, message: &ServerMessage<'_>) {
        self.state.broadcast(message);
    }

    /// Sends the content of a chunk to a client, which can be a message that this crate does not know.
    ///
    /// # Errors
    /// [`SendError::NoClient`] or [`SendError::Send`]. Nothing is sent.
    pub fn send_raw(&mut self, to: ClientId, vital: bool, content: &[u8]) -> Result<(), SendError> {
        self.state.send_raw(to, vital, content)
    }

    /// Returns the dialect of a client.
    pub fn dialect(&self, id: ClientId) -> Option<Dialect> {
        self.state.dialect(id)
    }

    /// Disconnects a client.
    pub fn kick(&mut self, id: ClientId, reason: &str) {
        self.state.disconnect(id.0.into(), reason);
    }

    /// Disconnects all clients.
    pub fn close(&mut self, reason: &str) {
        for slot in 0..self.state.peers.slot_count() {
            self.state.disconnect(slot, reason);
        }
    }
}
