use super::Event;
use super::ServerState;
use super::peer_state::PeerState;
use crate::link::CloseReason;
use crate::model::message::ServerMessage;
use crate::shared::pack::Text;

impl ServerState {
    /// Sends a CLOSE to a client and removes it.
    pub(super) fn disconnect(&mut self, slot: usize, reason: &str) {
        if self.peers.update(slot, |peer| peer.link.close(Some(reason.as_bytes()))).is_some() {
            self.remove(slot, CloseReason::Refused { reason: reason.into() });
        }
    }

    /// Removes a client after its connection was closed, and announces this to the players.
    pub(super) fn remove(&mut self, slot: usize, reason: CloseReason) {
        let Some(peer) = self.peers.remove(slot) else { return };
        if let PeerState::Playing(playing) = &peer.state {
            let text = reason.to_string();
            self.broadcast(&ServerMessage::ClientDrop { client: peer.id, reason: Text::new(&text) });
            let name = playing.player.name.as_bytes();
            self.broadcast_chat(&[b"'", name, b"' has left the game"].concat());
            if self.peers.playing().next().is_none() {
                self.snapshots.clear();
            }
        }
        self.events.push(Event::Closed { id: peer.id, reason });
    }
}
