//! The login of a client, from INFO to ENTERGAME. A message that is not valid in the state is ignored, as in the games.

use super::peer::{Peer, PeerEffect};
use super::peer_state::{PeerState, Playing, set_profile};
use super::peers::MAX_SLOTS_07;
use super::{Map, MapChunk, ServerConfig, TuneParams};
use crate::Dialect;
use crate::model::message::{
    CapabilityFlags, MapChunkInfo, MapChunking, MapId, Profile, ServerMessage, ServerSettings,
};
use crate::model::world::Player;
use crate::shared::data::List;
use crate::shared::pack::Text;

/// Size of a map chunk in 0.6, and of DDNet in both versions, in bytes.
const CHUNK_06: usize = 896;
/// Size of a map chunk of teeworlds-server 0.7.5, in bytes.
const CHUNK_07: usize = 1384;
/// The version of DDNet's list of capabilities.
const CAPABILITIES_VERSION: i32 = 5;
/// Maximum vote options of a message in 0.6.
const MAX_VOTE_OPTIONS_PER_MESSAGE: usize = 15;
/// Map chunks per request of 0.7 (`sv_map_download_speed`).
const CHUNKS_PER_REQUEST: u8 = 8;

impl Peer {
    /// Handles INFO: checks the version and the password.
    pub(super) fn on_info(
        &mut self,
        version: Text<'_>,
        password: Text<'_>,
        config: &ServerConfig,
    ) -> PeerEffect<'static> {
        if !matches!(self.state, PeerState::AwaitInfo) {
            return PeerEffect::None;
        }
        let ours = self.link.dialect().net_version();
        if version.as_bytes() != ours.as_bytes() {
            return PeerEffect::Disconnect(format!(
                "Wrong version. Server is running '{ours}' and client '{version}'"
            ));
        }
        if !config.password.is_empty() && password.as_bytes() != config.password.as_bytes() {
            return PeerEffect::Disconnect("Wrong password".to_owned());
        }
        self.send_map_change(&config.map);
        PeerEffect::None
    }

    /// Sends the map's description, and waits until the client has loaded it.
    pub(super) fn send_map_change(&mut self, map: &Map) {
        let id = MapId {
            name: Text::new(map.name()),
            crc: map.crc(),
            size: map.size(),
            sha256: Some(*map.sha256()),
        };
        let chunking = MapChunking {
            per_request: CHUNKS_PER_REQUEST.into(),
            size: i32::try_from(CHUNK_07).unwrap_or(i32::MAX),
        };
        if self.link.dialect() == Dialect::Tken {
            self.send(&ServerMessage::RconType { needs_user: false });
            let flags =
                CapabilityFlags::ANY_PLAYER_FLAG | CapabilityFlags::PING_EX | CapabilityFlags::ALLOW_DUMMY;
            self.send(&ServerMessage::Capabilities { version: CAPABILITIES_VERSION, flags });
            self.send(&ServerMessage::MapDetails { map: id, url: Some(Text::new("")) });
        }
        self.state = PeerState::AwaitReady { next_chunk: 0 };
        self.send(&ServerMessage::MapChange { map: id, chunking: Some(chunking) });
    }

    /// Handles a request for the map. A client of 0.6 requests a chunk by its number, a client of 0.7 the next chunks.
    pub(super) fn on_request_map_data(&mut self, number: Option<i32>, map: &Map) {
        let PeerState::AwaitReady { next_chunk: first } = self.state else { return };
        if let Some(piece) = number {
            let chunk = usize::try_from(piece).ok().and_then(|number| map.chunk(number, CHUNK_06));
            let Some(MapChunk { bytes: data, is_last }) = chunk else { return };
            let info = MapChunkInfo { is_last, crc: map.crc(), piece };
            self.send(&ServerMessage::MapData { info: Some(info), data });
            return;
        }
        let mut next = first;
        for number in first..first.saturating_add(CHUNKS_PER_REQUEST.into()) {
            let Some(MapChunk { bytes: data, .. }) = map.chunk(number, CHUNK_07) else { break };
            if !self.try_send(&ServerMessage::MapData { info: None, data }) {
                break;
            }
            next = number.saturating_add(1);
        }
        // The next request gets the chunks that did not fit into the send buffer.
        if let PeerState::AwaitReady { next_chunk } = &mut self.state {
            *next_chunk = next;
        }
    }

    /// Handles READY: the client has loaded the map.
    pub(super) fn on_ready(&mut self, config: &ServerConfig) {
        if !matches!(self.state, PeerState::AwaitReady { .. }) {
            return;
        }
        self.state = PeerState::AwaitStartInfo;
        self.send(&ServerMessage::Motd(Text::new(&config.motd)));
        if self.link.dialect() == Dialect::V07 {
            let player_slots = config.max_clients.min(MAX_SLOTS_07).into();
            let settings = ServerSettings { player_slots, ..ServerSettings::default() };
            self.send(&ServerMessage::ServerSettings(settings));
        }
        self.send(&ServerMessage::ConReady);
    }

    /// Handles Cl_StartInfo: the name and looks.
    pub(super) fn on_start_info(&mut self, profile: &Profile<'_>, config: &ServerConfig) {
        if !matches!(self.state, PeerState::AwaitStartInfo) {
            return;
        }
        let mut player = Player::new(self.id);
        set_profile(&mut player, profile);
        self.state = PeerState::AwaitEnterGame(player);
        self.send_vote_options(&config.vote_options);
        self.send_tune_params(&config.tune_params);
        self.send(&ServerMessage::ReadyToEnter);
    }

    fn send_vote_options(&mut self, options: &[String]) {
        self.send(&ServerMessage::VoteClearOptions);
        let options: Vec<_> = options.iter().map(|option| Text::new(option)).collect();
        for options in options.chunks(MAX_VOTE_OPTIONS_PER_MESSAGE) {
            self.send(&ServerMessage::VoteOptionListAdd(List::new(options)));
        }
    }

    pub(super) fn send_tune_params(&mut self, params: &TuneParams) {
        let values = match self.link.dialect() {
            Dialect::V07 => params.in_0_7(),
            Dialect::V06 | Dialect::V065 | Dialect::Tken => params.values.clone(),
        };
        self.send(&ServerMessage::TuneParams(List::new(&values)));
    }

    /// Handles ENTERGAME: the server sends snapshots from now on.
    pub(super) fn on_enter_game(&mut self) -> PeerEffect<'static> {
        let PeerState::AwaitEnterGame(player) = &mut self.state else { return PeerEffect::None };
        self.state = PeerState::Playing(Box::new(Playing::new(player.clone())));
        PeerEffect::Entered
    }
}
