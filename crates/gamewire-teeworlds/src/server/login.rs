//! From the first message to the game. What does not fit the stage is not heard, as in the games.

use gamewire_machine::Instant;

use super::Event;
use super::peer::Peer;
use super::room::ServerState;
use super::stage::{PeerState, Playing, ProfileBuf};
use crate::Dialect;
use crate::link::{CloseReason, Outbox};
use crate::session::message::{ClientId, MapChunkInfo, MapChunking, MapId, Profile, ServerMessage};
use crate::shared::pack::Text;
use crate::shared::value::Team;

/// Bytes of the map in a message of 0.6, and of DDNet in both.
const PIECE_06: usize = 896;
/// Bytes of the map in a message of teeworlds-server 0.7.5.
const PIECE_07: usize = 1384;
/// How many pieces answer a request of 0.7 (`sv_map_download_speed`).
const PIECES_PER_REQUEST: u8 = 8;

impl ServerState {
    /// INFO: the version and the password decide.
    pub(super) fn info(
        &mut self,
        now: Instant,
        place: usize,
        version: Text<'_>,
        password: Text<'_>,
        out: &mut Outbox,
    ) {
        let Some(peer) = self.peers.get_mut(place).and_then(Option::as_deref_mut) else { return };
        if !matches!(peer.stage, PeerState::Greeting) {
            return;
        }
        let ours = peer.link.dialect().net_version();
        let refusal = if version.as_bytes() != ours.as_bytes() {
            Some(format!("Wrong version. Server is running '{ours}' and client '{version}'"))
        } else if !self.config.password.is_empty() && password.as_bytes() != self.config.password.as_bytes() {
            Some("Wrong password".to_owned())
        } else {
            None
        };
        match refusal {
            Some(reason) => self.drop_peer(now, place, &reason, out),
            None => self.send_map_change(now, place, out),
        }
    }

    /// Names the map, and waits until it is loaded.
    pub(super) fn send_map_change(&mut self, now: Instant, place: usize, out: &mut Outbox) {
        let Some(peer) = self.peers.get_mut(place).and_then(Option::as_deref_mut) else { return };
        let map = &self.config.map;
        let id = MapId {
            name: Text::new(map.name()),
            crc: map.crc(),
            size: map.size(),
            sha256: Some(*map.sha256()),
        };
        let pieces = MapChunking {
            per_request: PIECES_PER_REQUEST.into(),
            size: i32::try_from(PIECE_07).unwrap_or(i32::MAX),
        };
        if peer.link.dialect() == Dialect::Tken {
            peer.send_or_close(now, &ServerMessage::MapDetails { map: id, url: None }, out);
        }
        peer.stage = PeerState::Loading { piece: 0 };
        peer.send_or_close(now, &ServerMessage::MapChange { map: id, pieces: Some(pieces) }, out);
    }

    /// A request for the map: 0.6 names the piece, 0.7 gets the next ones.
    pub(super) fn map_data(&mut self, now: Instant, place: usize, wanted: Option<i32>, out: &mut Outbox) {
        let Some(peer) = self.peers.get_mut(place).and_then(Option::as_deref_mut) else { return };
        let PeerState::Loading { piece: first } = peer.stage else { return };
        let map = &self.config.map;
        match wanted {
            Some(number) => {
                let Ok(number) = usize::try_from(number) else { return };
                let Some((data, is_last)) = map.piece(number, PIECE_06) else { return };
                let piece = i32::try_from(number).unwrap_or(i32::MAX);
                let at = MapChunkInfo { is_last, crc: map.crc(), piece };
                peer.send_or_close(now, &ServerMessage::MapData { place: Some(at), data }, out);
            }
            None => {
                let mut sent = first;
                for number in first..first.saturating_add(PIECES_PER_REQUEST.into()) {
                    let Some((data, _)) = map.piece(number, PIECE_07) else { break };
                    if !peer.try_send(now, &ServerMessage::MapData { place: None, data }, out) {
                        break;
                    }
                    sent = number.saturating_add(1);
                }
                // What had no room is the answer to the next request.
                if let PeerState::Loading { piece: next } = &mut peer.stage {
                    *next = sent;
                }
            }
        }
    }

    /// READY: the map is loaded.
    pub(super) fn ready(&mut self, now: Instant, place: usize, out: &mut Outbox) {
        let Some(peer) = self.peers.get_mut(place).and_then(Option::as_deref_mut) else { return };
        if !matches!(peer.stage, PeerState::Loading { .. }) {
            return;
        }
        peer.stage = PeerState::Ready;
        if !self.config.motd.is_empty() {
            peer.send_or_close(now, &ServerMessage::Motd(Text::new(&self.config.motd)), out);
        }
        peer.send_or_close(now, &ServerMessage::ConReady, out);
    }

    /// Name and looks, before entering.
    pub(super) fn start_info(&mut self, now: Instant, place: usize, profile: &Profile<'_>, out: &mut Outbox) {
        let Some(peer) = self.peer(place).filter(|peer| matches!(peer.stage, PeerState::Ready)) else {
            return;
        };
        peer.stage = PeerState::Named(ProfileBuf::of(profile));
        peer.send_or_close(now, &ServerMessage::VoteClearOptions, out);
        peer.send_or_close(now, &ServerMessage::ReadyToEnter, out);
    }

    /// ENTERGAME: from here on there are snapshots.
    pub(super) fn enter(&mut self, now: Instant, place: usize, out: &mut Outbox) {
        let Some(peer) = self.peers.get_mut(place).and_then(Option::as_deref_mut) else { return };
        let PeerState::Named(looks) = &mut peer.stage else { return };
        let looks = looks.clone();
        let (id, name) = (peer.id, looks.name.clone());
        peer.stage = PeerState::Playing(Box::new(Playing::new(looks)));
        peer.send_or_close(
            now,
            &ServerMessage::GameInfo { has_teams: false, has_flags: false, score_limit: 0, time_limit: 0 },
            out,
        );
        self.send_client_infos(now, id, out);
        let line = [b"'", name.as_slice(), b"' entered and joined the game"].concat();
        self.broadcast_chat(now, &line, out);
        self.emit(Event::Entered { id, name });
    }

    /// Tells a newcomer who is there, and everybody who came. Only 0.7 does; in 0.6 they see it.
    fn send_client_infos(&mut self, now: Instant, newcomer: ClientId, out: &mut Outbox) {
        let known: Vec<(ClientId, Team, ProfileBuf)> =
            self.playing().map(|(id, playing)| (id, playing.team, playing.looks.clone())).collect();
        for peer in self.peers.iter_mut().flatten() {
            if !matches!(peer.stage, PeerState::Playing(_)) || peer.link.dialect() != Dialect::V07 {
                continue;
            }
            for (client, team, looks) in &known {
                if peer.id == newcomer || *client == newcomer {
                    let word = ServerMessage::ClientInfo {
                        client: *client,
                        local: *client == peer.id,
                        team: *team,
                        profile: looks.profile(),
                        silent: *client != newcomer,
                    };
                    peer.send_or_close(now, &word, out);
                }
            }
        }
    }

    /// Tells the others that somebody who was in the game is gone.
    pub(super) fn broadcast_leave(
        &mut self,
        now: Instant,
        peer: &Peer,
        reason: &CloseReason,
        out: &mut Outbox,
    ) {
        let PeerState::Playing(playing) = &peer.stage else { return };
        let reason = reason.to_string();
        self.broadcast(now, &ServerMessage::ClientDrop { client: peer.id, reason: Text::new(&reason) }, out);
        let name = playing.looks.name.as_slice();
        self.broadcast_chat(now, &[b"'", name, b"' has left the game"].concat(), out);
    }

    /// What 0.6 says of comings and goings in chat; 0.7 has messages of its own for them.
    fn broadcast_chat(&mut self, now: Instant, line: &[u8], out: &mut Outbox) {
        let text = Text::received(line, crate::shared::pack::Sanitize::Controls);
        for peer in self.peers.iter_mut().flatten() {
            if matches!(peer.stage, PeerState::Playing(_)) && peer.link.dialect() != Dialect::V07 {
                peer.send_or_close(
                    now,
                    &ServerMessage::Chat { from: None, audience: crate::session::Audience::All, text },
                    out,
                );
            }
        }
    }
}
