//! The messages of servers of 0.7.

use gamewire_wire::Writer;

use super::client::{MAX_CLIENT_ID, skin_parts};
use crate::session::extended;
use crate::session::message::{Audience, ClientId, MapChunking, MapId, Profile, ServerMessage};
use crate::session::ranges::{KILL_WEAPONS, check_emoticon, check_team, wire_id};
use crate::session::{EncodeError, ServerMessageCodec};
use crate::shared::data::{Rest, Sha256, SizedData, Texts};
use crate::shared::value::Tick;
use crate::shared::version::{SnapshotMessage, SystemSet};
use crate::v07::V07;
use crate::v07::message::game::{
    SvBroadcast, SvChat, SvClientDrop, SvClientInfo, SvEmoticon, SvGameInfo, SvKillMsg, SvMotd,
    SvReadyToEnter, SvTeam, SvVoteClearOptions, SvVoteSet, SvVoteStatus,
};
use crate::v07::message::system::{
    ConReady, InputTiming, MapChange, MapData, Ping, PingReply, RconAuthOff, RconAuthOn, RconLine, Snap,
    SnapEmpty, SnapSingle,
};
use crate::v07::message::{Game, Message, System};
use crate::v07::value::{ChatMode, GameFlags, VoteKind};

impl ServerMessageCodec for V07 {
    fn decode_server_message<'a>(message: &Message<'a>) -> ServerMessage<'a> {
        match message {
            Message::System(message) => read_system(message),
            Message::Game(message) => read_game(message).unwrap_or(ServerMessage::Other),
            Message::ExtendedSystem(message) => extended::to_server_message(message),
            Message::ExtendedGame(_) | Message::Unknown(_) => ServerMessage::Other,
        }
    }

    fn encode_server_message(message: &ServerMessage<'_>, to: &mut Writer<'_>) -> Result<(), EncodeError> {
        if let Some(message) = extended::from_server_message(message) {
            return Ok(Message::ExtendedSystem(message).encode(to)?);
        }
        match *message {
            ServerMessage::MapChange { map: MapId { name, crc, size, sha256 }, chunking } => {
                let sha256 = sha256.ok_or(EncodeError::missing_field("map_change", "the SHA-256"))?;
                let chunking = chunking.ok_or(EncodeError::missing_field("map_change", "the chunk size"))?;
                let message = MapChange {
                    name,
                    crc: crc.cast_signed(),
                    size,
                    num_response_chunks_per_request: chunking.per_request,
                    chunk_size: chunking.size,
                    sha256: Sha256(sha256),
                };
                system(message, to)
            }
            ServerMessage::MapDetails { .. } => Err(EncodeError::missing_field("map_details", "the SHA-256")),
            ServerMessage::MapData { data, .. } => system(MapData { data: Rest(data) }, to),
            ServerMessage::ConReady => system(ConReady {}, to),
            ServerMessage::ReadyToEnter => game(SvReadyToEnter {}, to),
            ServerMessage::Snapshot(snapshot) => write_snapshot(snapshot, to),
            ServerMessage::InputTiming { intended_tick, time_left } => {
                system(InputTiming { input_pred_tick: intended_tick, time_left }, to)
            }
            ServerMessage::RconAuth { granted: true } => system(RconAuthOn {}, to),
            ServerMessage::RconAuth { granted: false } => system(RconAuthOff {}, to),
            ServerMessage::RconLine(line) => system(RconLine { line }, to),
            ServerMessage::Ping => system(Ping {}, to),
            ServerMessage::PingReply => system(PingReply {}, to),
            ServerMessage::Motd(text) => game(SvMotd { text }, to),
            ServerMessage::Broadcast(text) => game(SvBroadcast { text }, to),
            ServerMessage::Chat { from, audience, text } => {
                let (mode, target) = match audience {
                    Audience::All => (ChatMode::ALL, None),
                    Audience::Team => (ChatMode::TEAM, None),
                    Audience::Whisper(target) => (ChatMode::WHISPER, target),
                };
                let client_id = wire_id(from, MAX_CLIENT_ID, "chat", "client_id")?;
                let target_id = wire_id(target, MAX_CLIENT_ID, "chat", "target_id")?;
                game(SvChat { mode, client_id, target_id, text }, to)
            }
            ServerMessage::Kill { killer, victim, weapon } => {
                let killer = wire_id(killer, MAX_CLIENT_ID, "kill_msg", "killer")?;
                let victim = wire_id(Some(victim), MAX_CLIENT_ID, "kill_msg", "victim")?;
                let weapon = EncodeError::check(weapon, &KILL_WEAPONS, "kill_msg", "weapon")?;
                game(SvKillMsg { killer, victim, weapon, mode_special: 0 }, to)
            }
            ServerMessage::Emoticon { from, emoticon } => {
                let client_id = wire_id(Some(from), MAX_CLIENT_ID, "emoticon", "client_id")?;
                game(SvEmoticon { client_id, emoticon: check_emoticon(emoticon)? }, to)
            }
            ServerMessage::Team { client, team } => {
                let client_id = wire_id(Some(client), MAX_CLIENT_ID, "team", "client_id")?;
                let team = check_team(team, "team")?;
                game(SvTeam { client_id, team, silent: false, cooldown_tick: Tick(0) }, to)
            }
            ServerMessage::ClientInfo { client, local, team, profile, silent } => {
                let skin_part_names = &skin_parts(profile.skin);
                let message = SvClientInfo {
                    client_id: wire_id(Some(client), MAX_CLIENT_ID, "client_info", "client_id")?,
                    local,
                    team: check_team(team, "client_info")?,
                    name: profile.name,
                    clan: profile.clan,
                    country: profile.country,
                    skin_part_names: Texts::new(skin_part_names),
                    use_custom_colors: [false; 6],
                    skin_part_colors: [0; 6],
                    silent,
                };
                game(message, to)
            }
            ServerMessage::ClientDrop { client, reason } => {
                let client_id = wire_id(Some(client), MAX_CLIENT_ID, "client_drop", "client_id")?;
                game(SvClientDrop { client_id, reason, silent: false }, to)
            }
            ServerMessage::GameInfo { has_teams, has_flags, score_limit, time_limit } => {
                let teams = if has_teams { GameFlags::TEAMS } else { GameFlags(0) };
                let flags = if has_flags { GameFlags::FLAGS } else { GameFlags(0) };
                let (match_num, match_current) = (0, 0);
                for (limit, field) in [(score_limit, "score_limit"), (time_limit, "time_limit")] {
                    EncodeError::check(limit, &(0..=i32::MAX), "game_info", field)?;
                }
                let game_flags = teams | flags;
                game(SvGameInfo { game_flags, score_limit, time_limit, match_num, match_current }, to)
            }
            ServerMessage::VoteSet { timeout, description, reason } => {
                let timeout = EncodeError::check(timeout, &(0..=60), "vote_set", "timeout")?;
                game(SvVoteSet { client_id: -1, kind: VoteKind::UNKNOWN, timeout, description, reason }, to)
            }
            ServerMessage::VoteStatus { yes, no, total } => {
                let pass = total.saturating_sub(yes).saturating_sub(no);
                for (count, field) in [(yes, "yes"), (no, "no"), (pass, "pass"), (total, "total")] {
                    EncodeError::check(count, &(0..=64), "vote_status", field)?;
                }
                game(SvVoteStatus { yes, no, pass, total }, to)
            }
            ServerMessage::VoteClearOptions => game(SvVoteClearOptions {}, to),
            ServerMessage::PingEx(_)
            | ServerMessage::PongEx(_)
            | ServerMessage::WhatIs(_)
            | ServerMessage::Capabilities { .. }
            | ServerMessage::Reconnect
            | ServerMessage::Redirect { .. }
            | ServerMessage::Other => Err(EncodeError::no_message("other")),
        }
    }
}

fn read_system<'a>(message: &System<'a>) -> ServerMessage<'a> {
    match *message {
        System::MapChange(MapChange {
            name,
            crc,
            size,
            num_response_chunks_per_request: per_request,
            chunk_size,
            sha256,
        }) => ServerMessage::MapChange {
            map: MapId { name, crc: crc.cast_unsigned(), size, sha256: Some(sha256.0) },
            chunking: Some(MapChunking { per_request, size: chunk_size }),
        },
        System::MapData(MapData { data }) => ServerMessage::MapData { info: None, data: data.0 },
        System::ConReady(ConReady {}) => ServerMessage::ConReady,
        System::InputTiming(InputTiming { input_pred_tick, time_left }) => {
            ServerMessage::InputTiming { intended_tick: input_pred_tick, time_left }
        }
        System::RconAuthOn(RconAuthOn {}) => ServerMessage::RconAuth { granted: true },
        System::RconAuthOff(RconAuthOff {}) => ServerMessage::RconAuth { granted: false },
        System::RconLine(RconLine { line }) => ServerMessage::RconLine(line),
        System::Ping(Ping {}) => ServerMessage::Ping,
        System::PingReply(PingReply {}) => ServerMessage::PingReply,
        _ => message.snapshot().map_or(ServerMessage::Other, ServerMessage::Snapshot),
    }
}

fn read_game<'a>(message: &Game<'a>) -> Option<ServerMessage<'a>> {
    Some(match *message {
        Game::SvMotd(SvMotd { text }) => ServerMessage::Motd(text),
        Game::SvBroadcast(SvBroadcast { text }) => ServerMessage::Broadcast(text),
        Game::SvChat(SvChat { mode, client_id, target_id, text }) => {
            let audience = match mode {
                ChatMode::ALL => Audience::All,
                ChatMode::TEAM => Audience::Team,
                ChatMode::WHISPER => Audience::Whisper(ClientId::from_wire(target_id)),
                _ => return None,
            };
            ServerMessage::Chat { from: ClientId::from_wire(client_id), audience, text }
        }
        Game::SvTeam(SvTeam { client_id, team, .. }) => {
            ServerMessage::Team { client: ClientId::from_wire(client_id)?, team }
        }
        Game::SvClientInfo(SvClientInfo {
            client_id,
            local,
            team,
            name,
            clan,
            country,
            skin_part_names,
            silent,
            ..
        }) => {
            let client = ClientId::from_wire(client_id)?;
            let skin = skin_part_names.iter().next().unwrap_or_default();
            let profile = Profile { name, clan, country, skin };
            ServerMessage::ClientInfo { client, local, team, profile, silent }
        }
        Game::SvClientDrop(SvClientDrop { client_id, reason, .. }) => {
            ServerMessage::ClientDrop { client: ClientId::from_wire(client_id)?, reason }
        }
        Game::SvGameInfo(SvGameInfo { game_flags, score_limit, time_limit, .. }) => ServerMessage::GameInfo {
            has_teams: game_flags.contains(GameFlags::TEAMS),
            has_flags: game_flags.contains(GameFlags::FLAGS),
            score_limit,
            time_limit,
        },
        Game::SvKillMsg(SvKillMsg { killer, victim, weapon, .. }) => ServerMessage::Kill {
            killer: ClientId::from_wire(killer),
            victim: ClientId::from_wire(victim)?,
            weapon,
        },
        Game::SvEmoticon(SvEmoticon { client_id, emoticon }) => {
            ServerMessage::Emoticon { from: ClientId::from_wire(client_id)?, emoticon }
        }
        Game::SvReadyToEnter(SvReadyToEnter {}) => ServerMessage::ReadyToEnter,
        Game::SvVoteClearOptions(SvVoteClearOptions {}) => ServerMessage::VoteClearOptions,
        Game::SvVoteSet(SvVoteSet { timeout, description, reason, .. }) => {
            ServerMessage::VoteSet { timeout, description, reason }
        }
        Game::SvVoteStatus(SvVoteStatus { yes, no, total, .. }) => {
            ServerMessage::VoteStatus { yes, no, total }
        }
        _ => return None,
    })
}

fn write_snapshot(snapshot: SnapshotMessage<'_>, to: &mut Writer<'_>) -> Result<(), EncodeError> {
    match snapshot {
        SnapshotMessage::Empty { tick, delta } => system(SnapEmpty { tick, delta }, to),
        SnapshotMessage::Single { tick, delta, crc, data } => {
            system(SnapSingle { tick, delta, crc, data: SizedData(data) }, to)
        }
        SnapshotMessage::Part { tick, delta, num_parts, part, crc, data } => {
            system(Snap { tick, delta, num_parts, part, crc, data: SizedData(data) }, to)
        }
    }
}

fn system<'a>(message: impl Into<System<'a>>, to: &mut Writer<'_>) -> Result<(), EncodeError> {
    Ok(Message::System(message.into()).encode(to)?)
}

fn game<'a>(message: impl Into<Game<'a>>, to: &mut Writer<'_>) -> Result<(), EncodeError> {
    Ok(Message::Game(message.into()).encode(to)?)
}
