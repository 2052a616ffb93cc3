use super::peer_state::{PeerState, ProfileBuf};
use super::server::ServerState;
use crate::Dialect;
use crate::session::message::{Audience, ClientId, ServerMessage};
use crate::shared::pack::{Sanitize, Text};
use crate::shared::value::Team;

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
        let known: Vec<(ClientId, Team, ProfileBuf)> =
            self.peers.playing().map(|(id, playing)| (id, playing.team, playing.profile.clone())).collect();
        self.peers.update_all(|peer| {
            if !matches!(peer.state, PeerState::Playing(_)) || peer.link.dialect() != Dialect::V07 {
                return;
            }
            for (client, team, profile) in &known {
                if peer.id == new || *client == new {
                    peer.send(&ServerMessage::ClientInfo {
                        client: *client,
                        local: *client == peer.id,
                        team: *team,
                        profile: profile.profile(),
                        silent: *client != new,
                    });
                }
            }
        });
    }

    /// Sends a snapshot of the world to every player to whom one is due.
    pub(super) fn send_snapshots(&mut self) {
        self.world.players = self.peers.playing().map(|(id, playing)| playing.to_world_player(id)).collect();
        self.world.tick = self.ticks.current();
        let Self { peers, world, snapshot_scratch, .. } = self;
        peers.update_all(|peer| peer.send_snapshot(world, snapshot_scratch));
    }
}
