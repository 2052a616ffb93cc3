use gamewire_teeworlds::model::message::{MapChunking, MapId, Profile, ServerSettings};
use gamewire_teeworlds::model::{Audience, ClientMessage, Roster, ServerInfo, ServerMessage, TextBuf, World};
use gamewire_teeworlds::raw::data::List;
use gamewire_teeworlds::raw::snapshot::Snapshot;
use gamewire_teeworlds::raw::{v06, v07};
use gamewire_teeworlds::server::{Map, MapChunk, TuneParams};
use gamewire_teeworlds::{Dialect, MessageBuf, Text, WireMessage};

use super::announced::Announced;
use super::chat::whisper_command;
use super::map_file::MapFile;
use crate::teeworlds::outgoing::{Outgoing, Relayed};
use crate::teeworlds::snapshots::Snapshots;

/// Map chunks per request and bytes per map chunk, as in teeworlds-server 0.7.5.
const CHUNKS: usize = 8;
const CHUNK: usize = 1_384;
/// Maximum number of map requests in flight.
const MAX_REQUESTS: i32 = 16;
/// Maximum number of players in 0.7.
const MAX_PLAYER_SLOTS: i32 = 64;
/// Maximum duration of a vote in 0.7, in seconds.
const MAX_VOTE_SECONDS: i32 = 60;

/// Relays messages between a client of 0.7 and a server of 0.6.
#[derive(Debug)]
pub(in crate::teeworlds) struct ClientOf07 {
    server: Dialect,
    snapshots: Snapshots,
    world: World,
    written: Snapshot,
    announced: Announced,
    map: Download,
    /// The player's name, clan and country. 0.7 clients do not send them again when the skin changes.
    profile: Option<(TextBuf, TextBuf, i32)>,
    info: ServerInfo,
}

/// The server's map. The proxy downloads the whole map before it announces the map to the client, because 0.7
/// announces a map with the SHA-256 of its file.
#[derive(Debug, Default)]
struct Download {
    name: TextBuf,
    file: MapFile,
    next_request: i32,
    next_received: i32,
    /// Index of the next chunk for the client.
    next_sent: usize,
}

impl ClientOf07 {
    pub(in crate::teeworlds) fn new(server: Dialect) -> Self {
        Self {
            server,
            snapshots: Snapshots::new(Dialect::V07, server),
            world: World::default(),
            written: Snapshot::new(),
            announced: Announced::default(),
            map: Download::default(),
            profile: None,
            info: ServerInfo::default(),
        }
    }

    fn on_map_change(&mut self, map: &MapId<'_>, out: &mut Outgoing) {
        self.snapshots.reset();
        self.announced = Announced::default();
        self.map = Download { name: map.name.into(), file: MapFile::new(map.size), ..Download::default() };
        for _ in 0..MAX_REQUESTS {
            self.request_piece(out);
        }
    }

    fn request_piece(&mut self, out: &mut Outgoing) {
        let piece = self.map.next_request;
        self.map.next_request = piece.saturating_add(1);
        out.server(true, &ClientMessage::RequestMapData { piece: Some(piece) });
    }

    /// Stores a map chunk. After the last chunk, the proxy announces the map to the client.
    fn on_map_data(&mut self, piece: i32, is_last: bool, data: &[u8], out: &mut Outgoing) {
        let map = &mut self.map;
        if piece != map.next_received || map.file.is_complete() {
            return;
        }
        map.next_received = piece.saturating_add(1);
        if !map.file.add(data, is_last) {
            out.failure = Some("The map is too large for the proxy");
            return;
        }
        if !map.file.is_complete() {
            return self.request_piece(out);
        }
        let file = Map::new(map.name.to_string(), map.file.bytes());
        let id = MapId {
            name: map.name.as_text(),
            crc: file.crc(),
            size: file.size(),
            sha256: Some(*file.sha256()),
        };
        let per_request = i32::try_from(CHUNKS).unwrap_or(i32::MAX);
        let size = i32::try_from(CHUNK).unwrap_or(i32::MAX);
        let chunking = Some(MapChunking { per_request, size });
        out.client(true, &ServerMessage::MapChange { map: id, chunking });
    }

    /// Sends the next map chunks to the client.
    fn on_request(&mut self, out: &mut Outgoing) {
        for _ in 0..CHUNKS {
            let Some(MapChunk { bytes: data, .. }) = self.map.file.chunk(self.map.next_sent, CHUNK) else {
                return;
            };
            out.client(true, &ServerMessage::MapData { info: None, data });
            self.map.next_sent = self.map.next_sent.saturating_add(1);
        }
    }

    /// Sends a whisper as a DDNet command. Other 0.6 servers would show the command to all players.
    fn on_whisper(&self, to: Option<&TextBuf>, text: Text<'_>, out: &mut Outgoing) {
        match to {
            Some(name) if self.server == Dialect::Tken => {
                let line = whisper_command(&name.to_string(), &text.to_string());
                let text = Text::new(&line);
                out.server(true, &ClientMessage::Say { audience: Audience::All, text });
            }
            _ => {
                let text = Text::new("This server has no whispers: nobody received the line");
                out.client(true, &ServerMessage::Chat { from: None, audience: Audience::All, text });
            }
        }
    }

    fn on_chat_command(content: &[u8], out: &mut Outgoing) {
        let decoded = Dialect::V07.decode_wire_message(content);
        let Ok(WireMessage::V07(v07::Message::Game(v07::Game::ClCommand(command)))) = decoded else {
            return out.leave_out();
        };
        let line = format!("/{} {}", command.name, command.arguments);
        let text = Text::new(line.trim_end());
        out.server(true, &ClientMessage::Say { audience: Audience::All, text });
    }

    /// Translates a game message that the bridge's message type does not cover.
    fn on_other(&self, content: &[u8], out: &mut Outgoing) {
        use v07::{Game, Message};
        let Ok(WireMessage::V06(message)) = self.server.decode_wire_message(content) else {
            return out.leave_out();
        };
        match message {
            v06::Message::Game(v06::Game::SvWeaponPickup(pickup)) => {
                out.client_wire(|to| Message::Game(Game::SvWeaponPickup(pickup)).encode(to));
            }
            v06::Message::Game(v06::Game::SvExtraProjectile(extra)) => {
                let v06::object::Projectile { x, y, vel_x, vel_y, kind, start_tick } = extra.projectile;
                let projectile = v07::object::Projectile { x, y, vel_x, vel_y, kind, start_tick };
                let message = v07::game::SvExtraProjectile { projectile };
                out.client_wire(|to| Message::Game(message.into()).encode(to));
            }
            _ => out.leave_out(),
        }
    }
}

impl Relayed for ClientOf07 {
    fn on_client(&mut self, message: &MessageBuf, out: &mut Outgoing) {
        let Ok(decoded) = message.dialect.decode_client_message(&message.content) else {
            return out.leave_out();
        };
        let translated = match decoded {
            ClientMessage::Info { password, .. } => {
                let version = Text::new(self.server.net_version());
                ClientMessage::Info { version, password, client_version: None }
            }
            ClientMessage::RequestMapData { .. } => return self.on_request(out),
            ClientMessage::StartInfo(profile) => {
                self.profile = Some((profile.name.into(), profile.clan.into(), profile.country));
                decoded
            }
            ClientMessage::ChangeSkin(skin) => {
                let Some((name, clan, country)) = &self.profile else { return out.leave_out() };
                let (name, clan) = (name.as_text(), clan.as_text());
                let profile = Profile { name, clan, country: *country, skin };
                return out.server(true, &ClientMessage::ChangeInfo(profile));
            }
            ClientMessage::EnterGame => {
                self.snapshots.reset();
                out.client_wire(|to| self.info.encode_message_07(to));
                decoded
            }
            ClientMessage::Input { ack_snapshot, intended_tick, mut input, .. } => {
                input.player_flags = self.server.player_flags(Dialect::V07.player_status(input.player_flags));
                let ack_snapshot = self.snapshots.acknowledge(ack_snapshot);
                ClientMessage::Input { ack_snapshot, intended_tick, input, ping_correction: 0 }
            }
            ClientMessage::Say { audience: Audience::Whisper(target), text } => {
                let name = target.and_then(|id| self.announced.player(id)).map(|player| &player.name);
                return self.on_whisper(name, text, out);
            }
            ClientMessage::Other(content) => return Self::on_chat_command(content, out),
            ClientMessage::ReadyChange
            | ClientMessage::ClientVersion { .. }
            | ClientMessage::PingEx(_)
            | ClientMessage::PongEx(_)
            | ClientMessage::ItIs { .. }
            | ClientMessage::IDontKnow(_) => return out.leave_out(),
            _ => decoded,
        };
        out.server(message.vital, &translated);
    }

    fn on_server(&mut self, message: &MessageBuf, out: &mut Outgoing) {
        let Ok(decoded) = message.dialect.decode_server_message(&message.content) else {
            return out.leave_out();
        };
        let own = self.announced.own();
        let translated = match decoded {
            ServerMessage::MapChange { map, .. } => return self.on_map_change(&map, out),
            ServerMessage::MapData { info: Some(info), data } => {
                return self.on_map_data(info.piece, info.is_last, data, out);
            }
            ServerMessage::ConReady => {
                let settings = ServerSettings { player_slots: MAX_PLAYER_SLOTS, ..ServerSettings::default() };
                out.client(true, &ServerMessage::ServerSettings(settings));
                decoded
            }
            ServerMessage::Snapshot(snapshot) => {
                let Some((tick, items)) = self.snapshots.receive(&snapshot) else { return };
                self.server.read_world(tick, items, &Roster::default(), &mut self.world);
                self.announced.update(&self.world, out);
                let own = self.announced.own();
                // Items that do not fit are omitted.
                let _ = Dialect::V07.write_world(&self.world, own, &mut self.written);
                return self.snapshots.send(tick, &self.written, out);
            }
            ServerMessage::Chat { from, audience: Audience::Whisper(target), text } => {
                let audience = Audience::Whisper(target.or(own));
                ServerMessage::Chat { from: from.or(own), audience, text }
            }
            ServerMessage::TuneParams(values) => {
                let values = TuneParams { values: values.iter().collect() }.in_0_7();
                return out.client(true, &ServerMessage::TuneParams(List::new(&values)));
            }
            ServerMessage::VoteSet { timeout, description, reason } => {
                ServerMessage::VoteSet { timeout: timeout.min(MAX_VOTE_SECONDS), description, reason }
            }
            ServerMessage::Other(content) => return self.on_other(content, out),
            // Extensions of DDNet.
            ServerMessage::MapDetails { .. }
            | ServerMessage::RconType { .. }
            | ServerMessage::Capabilities { .. }
            | ServerMessage::Reconnect
            | ServerMessage::Redirect { .. }
            | ServerMessage::WhatIs(_)
            | ServerMessage::PingEx(_)
            | ServerMessage::PongEx(_)
            | ServerMessage::MapInfo(_)
            | ServerMessage::Teams(_)
            | ServerMessage::RaceTime { .. }
            | ServerMessage::Records { .. } => return out.leave_out(),
            _ => decoded,
        };
        out.client(message.vital, &translated);
    }

    fn on_info(&mut self, info: &ServerInfo) {
        self.info = info.clone();
    }
}
