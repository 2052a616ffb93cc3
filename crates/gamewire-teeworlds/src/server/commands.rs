use super::{GameLogic, Messages, Server};
use crate::model::message::{Audience, ClientId, ServerMessage};
use crate::shared::pack::Text;

/// The commands use the time of the last call that had a time as an argument.
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

    /// Returns a handle to send messages of any kind to clients.
    pub const fn messages(&mut self) -> Messages<'_> {
        Messages { state: &mut self.state }
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
