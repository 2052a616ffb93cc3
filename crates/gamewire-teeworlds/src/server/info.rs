use std::net::SocketAddr;

use super::peer_state::PeerState;
use super::server::ServerState;
use crate::browse::{InfoRequest, reply};
use crate::handshake::InfoQuery;
use crate::model::TextBuf;
use crate::model::info::{ClientEntry, MapFile, ServerInfo};
use crate::shared::value::Team;

/// The version of the game that players of 0.7 see.
pub(super) const VERSION_07: &str = "0.7.5";

impl ServerState {
    /// Answers a server info request that has passed the rate limit.
    pub(super) fn reply_info(&mut self, from: SocketAddr, query: &InfoQuery<'_>) {
        // A client hides a server if the server's version does not start with the prefix of the client's version.
        let version = match query {
            InfoQuery::V06 { .. } => "0.6.4",
            InfoQuery::V07 { .. } => VERSION_07,
        };
        if let Ok(request) = InfoRequest::decode(query) {
            let mut info = self.server_info(version);
            // In 0.6 the address may be forged, and the list of clients is most of the answer.
            let is_proven = matches!(query, InfoQuery::V07 { .. });
            if !is_proven && !self.list_limiter.try_acquire(self.peers.clock.now(), from) {
                info.clients.clear();
            }
            reply(&info, &request, |answer| self.peers.transmits.push(from, answer));
        }
    }

    pub(super) fn server_info(&self, version: &str) -> ServerInfo {
        let config = &self.config;
        let clients: Vec<_> = self.peers.iter().map(|peer| client_entry(&peer.state)).collect();
        let number = |count: usize| i32::try_from(count).unwrap_or(i32::MAX);
        let slots = number(self.peers.slot_count());
        ServerInfo {
            version: version.into(),
            name: config.name.as_str().into(),
            hostname: TextBuf::default(),
            map: config.map.name().into(),
            map_file: Some(MapFile { crc: config.map.crc(), size: config.map.size() }),
            game_type: config.game_type.as_str().into(),
            password: !config.password.is_empty(),
            scores_are_times: false,
            skill_level: Some(1),
            num_players: number(clients.iter().filter(|client| client.is_player).count()),
            max_players: slots,
            num_clients: number(clients.len()),
            max_clients: slots,
            clients,
        }
    }
}

/// Returns the entry of a client. A client that is not in the game has no name yet.
fn client_entry(state: &PeerState) -> ClientEntry {
    match state {
        PeerState::Playing(playing) => ClientEntry {
            name: playing.player.name.clone(),
            clan: playing.player.clan.clone(),
            country: playing.player.country,
            score: 0,
            is_player: playing.player.team != Team::SPECTATORS,
            is_bot: false,
        },
        _ => ClientEntry { name: "(connecting)".into(), country: -1, ..ClientEntry::default() },
    }
}
