use gamewire_wire::Writer;

use super::GameLogic;
use super::ServerState;
use super::info::VERSION_07;
use super::peer_state::PeerState;
use crate::Dialect;
use crate::model::message::{Audience, ClientId, ServerMessage};
use crate::shared::pack::{Sanitize, Text};
use crate::shared::packet::MAX_PAYLOAD;

impl ServerState {
    /// Sends a message to all players.
    pub(super) fn broadcast(&mut self, message: &ServerMessage<'_>) {
        self.peers.update_all(|peer| {
            if matches!(peer.state, PeerState::Playing(_)) {
                peer.send(message);
            }
        });
    }

    /// Sends a line of chat to the players of 0.6. 0.7 has messages for joining and leaving instead.
    pub(super) fn broadcast_chat(&mut self, line: &[u8]) {
        let text = Text::received(line, Sanitize::Controls);
        let message = ServerMessage::Chat { from: None, audience: Audience::All, text };
        self.peers.update_all(|peer| {
            if matches!(peer.state, PeerState::Playing(_)) && peer.link.dialect() != Dialect::V07 {
                peer.send(&message);
            }
        });
    }

    /// Sends the information about the server and the game to a new player of 0.7.
    pub(super) fn send_infos(&mut self, slot: usize) {
        let mut buffer = [0; MAX_PAYLOAD];
        let mut to = Writer::new(&mut buffer);
        let written = self.server_info(VERSION_07).encode_message_07(&mut to);
        let game = ServerMessage::GameInfo(self.world.game.info);
        self.peers.update(slot, |peer| {
            if peer.link.dialect() == Dialect::V07 && written.is_ok() {
                peer.send(&ServerMessage::Other(to.written()));
                peer.send(&game);
            }
        });
    }

    /// Sends the physics to a new player of DDNet. DDNet servers send them again when the character enters a zone.
    pub(super) fn send_tune_params_again(&mut self, slot: usize) {
        let Self { config, peers, .. } = self;
        peers.update(slot, |peer| {
            if peer.link.dialect() == Dialect::Tken {
                peer.send_tune_params(&config.tune_params);
            }
        });
    }

    /// Sends the kind and limits of the game to the players of 0.7, if they have changed.
    pub(super) fn send_game_info(&mut self) {
        let info = self.world.game.info;
        if self.sent_game_info.replace(info) != Some(info) {
            self.broadcast(&ServerMessage::GameInfo(info));
        }
    }

    /// Announces the new player to all players of 0.7. If the new player uses 0.7, announces all players to it. In 0.6
    /// the players are part of snapshots.
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

    /// Sends a snapshot of the world to every player with a due snapshot.
    pub(super) fn send_snapshots(&mut self, game: &mut impl GameLogic) {
        self.copy_players();
        self.world.tick = self.ticks.current();
        let Self { peers, world, snapshots, .. } = self;
        peers.update_all(|peer| {
            let viewer = peer.id;
            peer.send_snapshot(world, snapshots, |view| game.view(viewer, world, view));
        });
    }

    /// Copies the players in the game into the world.
    fn copy_players(&mut self) {
        let Self { peers, world, .. } = self;
        let mut count = 0_usize;
        for (_, playing) in peers.playing() {
            match world.players.get_mut(count) {
                Some(place) => place.copy_from(&playing.player),
                None => world.players.push(playing.player.clone()),
            }
            count = count.saturating_add(1);
        }
        world.players.truncate(count);
    }
}
