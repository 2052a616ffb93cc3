use std::net::SocketAddr;

use super::peer_state::PeerState;
use super::{ServerState, UnprovenInfo};
use crate::Dialect;
use crate::browse::{InfoRequest, reply, short_reply};
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
        let Ok(request) = InfoRequest::decode(query) else { return };
        let info = self.server_info(version);
        let gets_all = matches!(query, InfoQuery::V07 { .. }) || self.may_list(from) && self.take_list(from);
        let send = |answer: &[u8]| self.peers.transmits.push(from, answer);
        if gets_all {
            reply(&info, &request, send);
        } else {
            short_reply(&info, &request, send);
        }
    }

    /// Returns whether a request of 0.6, which has an unproven address, may get the list of clients.
    fn may_list(&self, from: SocketAddr) -> bool {
        // Players need the game type of their server, and the token of their connection has proven their address.
        let peer = self.peers.slot(from).and_then(|slot| self.peers.get(slot));
        peer.is_some_and(|peer| peer.link.dialect() != Dialect::V06)
            || self.config.unproven_info == UnprovenInfo::Whole
    }

    /// Returns whether the rate limit of an address prefix allows another list of clients.
    fn take_list(&mut self, from: SocketAddr) -> bool {
        self.list_limiter.try_acquire(self.peers.clock.now(), from)
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
