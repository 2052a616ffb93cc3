//! What the server says of itself to whoever asks.

use std::net::SocketAddr;

use super::room::ServerState;
use super::stage::PeerState;
use crate::browse::{InfoRequest, reply};
use crate::handshake::InfoQuery;
use crate::link::Outbox;
use crate::session::info::{ClientEntry, MapFile, ServerInfo};
use crate::shared::value::Team;

impl ServerState {
    /// Answers a question; the gate has seen to it that nobody asks too often.
    pub(super) fn reply_info(&self, from: SocketAddr, question: &InfoQuery<'_>, out: &mut Outbox) {
        // Clients hide servers whose version does not begin as theirs does.
        let version = match question {
            InfoQuery::V06 { .. } => "0.6.4",
            InfoQuery::V07 { .. } => "0.7.5",
        };
        if let Ok(request) = InfoRequest::read(question) {
            reply(&self.info_of_server(version), &request, |answer| out.push(from, answer));
        }
    }

    fn info_of_server(&self, version: &str) -> ServerInfo {
        let config = &self.config;
        let clients: Vec<_> = self.peers.iter().flatten().map(|peer| entry(&peer.stage)).collect();
        let number = |count: usize| i32::try_from(count).unwrap_or(i32::MAX);
        let places = number(self.peers.len());
        ServerInfo {
            version: version.as_bytes().to_vec(),
            name: config.name.as_bytes().to_vec(),
            hostname: Vec::new(),
            map: config.map.name().as_bytes().to_vec(),
            map_file: Some(MapFile { crc: config.map.crc(), size: config.map.size() }),
            game_type: config.game_type.as_bytes().to_vec(),
            password: !config.password.is_empty(),
            scores_are_times: false,
            skill_level: Some(1),
            num_players: number(clients.iter().filter(|client| client.is_player).count()),
            max_players: places,
            num_clients: number(clients.len()),
            max_clients: places,
            clients,
        }
    }
}

/// Somebody who is not yet in the game is a client without a name.
fn entry(stage: &PeerState) -> ClientEntry {
    match stage {
        PeerState::Playing(playing) => ClientEntry {
            name: playing.looks.name.clone(),
            clan: playing.looks.clan.clone(),
            country: playing.looks.country,
            score: 0,
            is_player: playing.team != Team::SPECTATORS,
            is_bot: false,
        },
        _ => ClientEntry { name: b"(connecting)".to_vec(), country: -1, ..ClientEntry::default() },
    }
}
