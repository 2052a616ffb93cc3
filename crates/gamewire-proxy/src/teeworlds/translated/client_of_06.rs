use gamewire_teeworlds::model::message::{MapChunkInfo, MapChunking, MapId};
use gamewire_teeworlds::model::world::Player;
use gamewire_teeworlds::model::{Audience, ClientId, ClientMessage, Roster, ServerMessage, TextBuf, World};
use gamewire_teeworlds::raw::data::List;
use gamewire_teeworlds::raw::snapshot::Snapshot;
use gamewire_teeworlds::raw::{v06, v07};
use gamewire_teeworlds::server::{Map, MapChunk, TuneParams};
use gamewire_teeworlds::value::Team;
use gamewire_teeworlds::{Dialect, MessageBuf, Text, WireMessage};

use super::chat::whispered;
use super::game_events::{Shown, shown, sound_message};
use super::map_file::MapFile;
use super::map_format::for_0_6;
use crate::teeworlds::outgoing::{Outgoing, Relayed};
use crate::teeworlds::snapshots::Snapshots;

/// Size of a map chunk in 0.6, in bytes.
const CHUNK: usize = 896;
/// Maximum number of vote options per message in 0.6.
const MAX_VOTE_OPTIONS: usize = 15;
/// The client version in the 0.7 INFO message.
const CLIENT_VERSION: i32 = 0x0705;

/// Relays messages between a client of 0.6 and a server of 0.7.
#[derive(Debug)]
pub(in crate::teeworlds) struct ClientOf06 {
    client: Dialect,
    snapshots: Snapshots,
    world: World,
    written: Snapshot,
    /// The players and limits. In 0.7, the server sends them in messages.
    roster: Roster,
    own: Option<ClientId>,
    map: Download,
}

/// The server's map. The proxy downloads the whole map before it announces the map to the client, because a 0.6 client
/// needs another file format.
#[derive(Debug, Default)]
struct Download {
    name: TextBuf,
    file: MapFile,
    /// Number of chunks per request. The server sets it.
    per_request: i32,
    missing: i32,
    /// The map in the client's format.
    map: Option<Map>,
}

impl Download {
    fn request(&mut self, out: &mut Outgoing) {
        self.missing = self.per_request;
        out.server(true, &ClientMessage::RequestMapData { piece: None });
    }
}

impl ClientOf06 {
    pub(in crate::teeworlds) fn new(client: Dialect) -> Self {
        Self {
            client,
            snapshots: Snapshots::new(client, Dialect::V07),
            world: World::default(),
            written: Snapshot::new(),
            roster: Roster::default(),
            own: None,
            map: Download::default(),
        }
    }

    fn on_map_change(&mut self, map: &MapId<'_>, chunking: Option<MapChunking>, out: &mut Outgoing) {
        self.snapshots.reset();
        let per_request = chunking.map_or(1, |chunking| chunking.per_request.max(1));
        let (name, file) = (map.name.into(), MapFile::new(map.size));
        self.map = Download { name, file, per_request, ..Download::default() };
        self.map.request(out);
    }

    /// Sends a map chunk to the client.
    fn on_request(&self, piece: Option<i32>, out: &mut Outgoing) {
        let (Some(map), Some(piece)) = (&self.map.map, piece) else { return };
        let Some(MapChunk { bytes: data, is_last }) =
            usize::try_from(piece).ok().and_then(|number| map.chunk(number, CHUNK))
        else {
            return;
        };
        let info = Some(MapChunkInfo { is_last, crc: map.crc(), piece });
        out.client(true, &ServerMessage::MapData { info, data });
    }

    /// Stores a map chunk. After the last chunk, the proxy announces the map to the client.
    fn on_map_data(&mut self, data: &[u8], out: &mut Outgoing) {
        let download = &mut self.map;
        if download.map.is_some() {
            return;
        }
        if !download.file.add(data, false) {
            out.failure = Some("The map is too large for the proxy");
            return;
        }
        download.missing = download.missing.saturating_sub(1);
        if !download.file.is_complete() {
            if download.missing == 0 {
                download.request(out);
            }
            return;
        }
        let bytes = core::mem::take(&mut download.file).into_bytes();
        let map = Map::new(download.name.to_string(), for_0_6(&bytes).unwrap_or(bytes));
        let id = MapId { name: download.name.as_text(), crc: map.crc(), size: map.size(), sha256: None };
        out.client(true, &ServerMessage::MapChange { map: id, chunking: None });
        download.map = Some(map);
    }

    /// Sends a chat line to the server. A whisper command becomes a whisper message, because 0.6 clients have no such
    /// message.
    fn on_say(&self, audience: Audience, text: Text<'_>, out: &mut Outgoing) {
        let line = text.to_string();
        let Some((name, whisper)) = whispered(&line) else {
            return out.server(true, &ClientMessage::Say { audience, text });
        };
        let is_named = |player: &&Player| player.name.as_bytes() == name.as_bytes();
        match self.world.players.iter().find(is_named) {
            Some(player) => {
                let audience = Audience::Whisper(Some(player.id));
                out.server(true, &ClientMessage::Say { audience, text: Text::new(whisper) });
            }
            None => line_to_client(&format!("There is no player '{name}': nobody received the line"), out),
        }
    }

    fn name_of(&self, id: ClientId) -> String {
        self.roster.player(id).map_or_else(|| "?".to_owned(), |player| player.name.to_string())
    }

    /// Announces a player's change in a chat line. In 0.7, it is a message.
    fn announce(&self, message: &ServerMessage<'_>, out: &mut Outgoing) {
        match *message {
            ServerMessage::ClientInfo { local: false, silent: false, ref profile, .. } => {
                line_to_client(&format!("'{}' joined the game", profile.name), out);
            }
            ServerMessage::ClientDrop { client, reason } => {
                let (name, reason) = (self.name_of(client), TextBuf::from(reason));
                let reason = if reason.is_empty() { String::new() } else { format!(" ({reason})") };
                line_to_client(&format!("'{name}' left the game{reason}"), out);
            }
            ServerMessage::Team { client, team } => {
                let name = self.name_of(client);
                let team = match team {
                    Team::SPECTATORS => "the spectators",
                    Team::RED if self.roster.game().info.has_teams => "the red team",
                    Team::BLUE => "the blue team",
                    _ => "the game",
                };
                line_to_client(&format!("'{name}' joined {team}"), out);
            }
            _ => {}
        }
    }

    /// Translates a game message that the bridge's message type does not cover.
    fn on_other(&self, content: &[u8], out: &mut Outgoing) {
        use v06::{Game, Message};
        let Ok(WireMessage::V07(v07::Message::Game(message))) = Dialect::V07.decode_wire_message(content)
        else {
            return out.leave_out();
        };
        match message {
            v07::Game::SvWeaponPickup(pickup) => {
                out.client_wire(|to| Message::Game(Game::SvWeaponPickup(pickup)).encode(to));
            }
            v07::Game::SvExtraProjectile(extra) => {
                let v07::object::Projectile { x, y, vel_x, vel_y, kind, start_tick } = extra.projectile;
                let projectile = v06::object::Projectile { x, y, vel_x, vel_y, kind, start_tick };
                let message = v06::game::SvExtraProjectile { projectile };
                out.client_wire(|to| Message::Game(message.into()).encode(to));
            }
            v07::Game::SvGameMsg(event) => {
                let numbers: Vec<_> = event.params.iter().take(4).collect();
                let Some(Shown { line, broadcast, sound }) = shown(event.kind, &numbers, &self.roster) else {
                    return out.leave_out();
                };
                if let Some(line) = line {
                    line_to_client(&line, out);
                }
                if let Some(text) = broadcast {
                    out.client(true, &ServerMessage::Broadcast(Text::new(text)));
                }
                if let Some(sound) = sound {
                    out.client_wire(|to| Message::Game(sound_message(sound).into()).encode(to));
                }
            }
            _ => out.leave_out(),
        }
    }
}

fn line_to_client(line: &str, out: &mut Outgoing) {
    let text = Text::new(line);
    out.client(true, &ServerMessage::Chat { from: None, audience: Audience::All, text });
}

impl Relayed for ClientOf06 {
    fn on_client(&mut self, message: &MessageBuf, out: &mut Outgoing) {
        let Ok(decoded) = message.dialect.decode_client_message(&message.content) else {
            return out.leave_out();
        };
        let translated = match decoded {
            ClientMessage::Info { password, .. } => {
                let version = Text::new(Dialect::V07.net_version());
                ClientMessage::Info { version, password, client_version: Some(CLIENT_VERSION) }
            }
            ClientMessage::RequestMapData { piece } => return self.on_request(piece, out),
            ClientMessage::EnterGame => {
                self.snapshots.reset();
                decoded
            }
            ClientMessage::Input { ack_snapshot, intended_tick, mut input, .. } => {
                input.player_flags = Dialect::V07.player_flags(self.client.player_status(input.player_flags));
                (input.direction, input.wanted_weapon) =
                    (input.direction.clamp(-1, 1), input.wanted_weapon.clamp(0, 6));
                let ack_snapshot = self.snapshots.acknowledge(ack_snapshot);
                ClientMessage::Input { ack_snapshot, intended_tick, input, ping_correction: 0 }
            }
            ClientMessage::Say { audience, text } => return self.on_say(audience, text, out),
            ClientMessage::ClientVersion { .. }
            | ClientMessage::PingEx(_)
            | ClientMessage::PongEx(_)
            | ClientMessage::ItIs { .. }
            | ClientMessage::IDontKnow(_)
            | ClientMessage::Other(_) => return out.leave_out(),
            _ => decoded,
        };
        out.server(message.vital, &translated);
    }

    fn on_server(&mut self, message: &MessageBuf, out: &mut Outgoing) {
        let Ok(decoded) = message.dialect.decode_server_message(&message.content) else {
            return out.leave_out();
        };
        self.announce(&decoded, out);
        self.roster.apply(&decoded);
        let translated = match decoded {
            ServerMessage::MapChange { map, chunking } => return self.on_map_change(&map, chunking, out),
            ServerMessage::MapData { data, .. } => return self.on_map_data(data, out),
            ServerMessage::ClientInfo { client, local, .. } => {
                self.own = if local { Some(client) } else { self.own };
                return;
            }
            ServerMessage::Snapshot(snapshot) => {
                let Some((tick, items)) = self.snapshots.receive(&snapshot) else { return };
                Dialect::V07.read_world(tick, items, &self.roster, &mut self.world);
                // 0.6 shows the remaining time of a warmup, and a warmup that waits for players has no end.
                self.world.game.is_warmup &= self.world.game.end_tick > tick;
                // Items that do not fit are omitted.
                let _ = self.client.write_world(&self.world, self.own, &mut self.written);
                return self.snapshots.send(tick, &self.written, out);
            }
            ServerMessage::Chat { from, audience, text } => {
                let (from, audience) = self.client.addressed(self.own, from, audience);
                ServerMessage::Chat { from, audience, text }
            }
            ServerMessage::TuneParams(values) => {
                let params = TuneParams::of_0_7(values.iter().collect());
                return out.client(true, &ServerMessage::TuneParams(List::new(&params.values)));
            }
            ServerMessage::VoteOptionListAdd(options) => {
                let options: Vec<_> = options.iter().collect();
                for options in options.chunks(MAX_VOTE_OPTIONS) {
                    out.client(true, &ServerMessage::VoteOptionListAdd(List::new(options)));
                }
                return;
            }
            ServerMessage::Other(content) => return self.on_other(content, out),
            // These are in 0.6 snapshots, or have no counterpart in 0.6.
            ServerMessage::GameInfo(_)
            | ServerMessage::SkinChange { .. }
            | ServerMessage::ClientDrop { .. }
            | ServerMessage::Team { .. }
            | ServerMessage::ServerSettings(_) => return,
            ServerMessage::RaceFinish(_) if self.client != Dialect::Tken => return out.leave_out(),
            _ => decoded,
        };
        out.client(message.vital, &translated);
    }
}
