use super::peer_state::PeerState;
use super::server::ServerState;
use crate::Dialect;
use crate::session::message::{Audience, ClientId, ServerMessage};
use crate::shared::pack::{Sanitize, Text};

impl ServerState {
    /// Sends a message to all players.
    pub(super) fn broadcast(&mut self, message: &ServerMessage<'_>) {
        self.peers.update_all(|peer| {
            if matches!(peer.state, PeerState::Playing(_)) {
                peer.send(message);
            }
        });
    }

    /// Sends a line of chat to the players of 0.6. In 0.7 there are messages for joining and leaving.
    pub(super) fn broadcast_chat(&mut self, line: &[u8]) {
        let text = Text::received(line, Sanitize::Controls);
        let message = ServerMessage::Chat { from: None, audience: Audience::All, text };
        self.peers.update_all(|peer| {
            if matches!(peer.state, PeerState::Playing(_)) && peer.link.dialect() != Dialect::V07 {
                peer.send(&message);
            }
        });
    }

    /// Sends all players to a new player, and the new player to all others. Only in 0.7; in 0.6 snapshots have them.
    pub(super) fn send_client_infos(&mut self, new: ClientId) {
        let known: Vec<_> = self.peers.playing().map(|(_, playing)| playing.player.clone()).collect();
        self.peers.update_all(|peer| {
            if !matches!(peer.state, PeerState::Playing(_)) || peer.link.dialect() != Dialect::V07 {
                return;
            }
            for player in &known {
                if peer.id == new || player.id == new {
                    peer.send(&ServerMessage::ClientInfo {
                        client: player.id,
                        local: player.id == peer.id,
                        team: player.team,
                        profile: player.profile(),
                        silent: player.id != new,
                    });
                }
            }
        });
    }

    /// Sends a snapshot of the world to every player to whom one is due.
    pub(super) fn send_snapshots(&mut self) {
        self.world.players = self.peers.playing().map(|(_, playing)| playing.player.clone()).collect();
        self.world.tick = self.ticks.current();
        let Self { peers, world, snapshot_scratch, .. } = self;
        peers.update_all(|peer| peer.send_snapshot(world, snapshot_scratch));
    }
}
