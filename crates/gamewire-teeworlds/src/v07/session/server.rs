//! What servers of 0.7 say.

use gamewire_wire::Writer;

use super::client::skin_of;
use crate::session::EncodeError;
use crate::session::extended;
use crate::session::message::{Audience, ClientId, FromServer, MapId, MapPieces, Profile};
use crate::shared::data::{Rest, Sha256, SizedData, Texts};
use crate::shared::value::Tick;
use crate::shared::version::{SnapshotMessage, SystemSet};
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

pub(super) fn read<'a>(message: &Message<'a>) -> FromServer<'a> {
    match message {
        Message::System(message) => read_system(message),
        Message::Game(message) => read_game(message).unwrap_or(FromServer::Other),
        Message::ExtendedSystem(message) => extended::from_server(message),
        Message::ExtendedGame(_) | Message::Unknown(_) => FromServer::Other,
    }
}

fn read_system<'a>(message: &System<'a>) -> FromServer<'a> {
    match *message {
        System::MapChange(MapChange {
            name,
            crc,
            size,
            num_response_chunks_per_request: per_request,
            chunk_size,
            sha256,
        }) => FromServer::MapChange {
            map: MapId { name, crc: crc.cast_unsigned(), size, sha256: Some(sha256.0) },
            pieces: Some(MapPieces { per_request, size: chunk_size }),
        },
        System::MapData(MapData { data }) => FromServer::MapData { place: None, data: data.0 },
        System::ConReady(ConReady {}) => FromServer::ConReady,
        System::InputTiming(InputTiming { input_pred_tick, time_left }) => {
            FromServer::InputTiming { intended_tick: input_pred_tick, time_left }
        }
        System::RconAuthOn(RconAuthOn {}) => FromServer::RconAuth { granted: true },
        System::RconAuthOff(RconAuthOff {}) => FromServer::RconAuth { granted: false },
        System::RconLine(RconLine { line }) => FromServer::RconLine(line),
        System::Ping(Ping {}) => FromServer::Ping,
        System::PingReply(PingReply {}) => FromServer::PingReply,
        _ => message.snapshot().map_or(FromServer::Other, FromServer::Snapshot),
    }
}

fn read_game<'a>(message: &Game<'a>) -> Option<FromServer<'a>> {
    Some(match *message {
        Game::SvMotd(SvMotd { text }) => FromServer::Motd(text),
        Game::SvBroadcast(SvBroadcast { text }) => FromServer::Broadcast(text),
        Game::SvChat(SvChat { mode, client_id, target_id, text }) => {
            let audience = match mode {
                ChatMode::ALL => Audience::All,
                ChatMode::TEAM => Audience::Team,
                ChatMode::WHISPER => Audience::Whisper(ClientId::from_wire(target_id)),
                _ => return None,
            };
            FromServer::Chat { from: ClientId::from_wire(client_id), audience, text }
        }
        Game::SvTeam(SvTeam { client_id, team, .. }) => {
            FromServer::Team { client: ClientId::from_wire(client_id)?, team }
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
            FromServer::ClientInfo { client, local, team, profile, silent }
        }
        Game::SvClientDrop(SvClientDrop { client_id, reason, .. }) => {
            FromServer::ClientDrop { client: ClientId::from_wire(client_id)?, reason }
        }
        Game::SvGameInfo(SvGameInfo { game_flags, score_limit, time_limit, .. }) => FromServer::GameInfo {
            has_teams: game_flags.contains(GameFlags::TEAMS),
            has_flags: game_flags.contains(GameFlags::FLAGS),
            score_limit,
            time_limit,
        },
        Game::SvKillMsg(SvKillMsg { killer, victim, weapon, .. }) => FromServer::Kill {
            killer: ClientId::from_wire(killer),
            victim: ClientId::from_wire(victim)?,
            weapon,
        },
        Game::SvEmoticon(SvEmoticon { client_id, emoticon }) => {
            FromServer::Emoticon { from: ClientId::from_wire(client_id)?, emoticon }
        }
        Game::SvReadyToEnter(SvReadyToEnter {}) => FromServer::ReadyToEnter,
        Game::SvVoteClearOptions(SvVoteClearOptions {}) => FromServer::VoteClearOptions,
        Game::SvVoteSet(SvVoteSet { timeout, description, reason, .. }) => {
            FromServer::VoteSet { timeout, description, reason }
        }
        Game::SvVoteStatus(SvVoteStatus { yes, no, total, .. }) => FromServer::VoteStatus { yes, no, total },
        _ => return None,
    })
}

pub(super) fn write(word: &FromServer<'_>, to: &mut Writer<'_>) -> Result<(), EncodeError> {
    if let Some(message) = extended::of_server(word) {
        return Ok(Message::ExtendedSystem(message).encode(to)?);
    }
    match *word {
        FromServer::MapChange { map: MapId { name, crc, size, sha256 }, pieces } => {
            let sha256 = sha256.ok_or(EncodeError::lacks("map_change", "the SHA-256 sum"))?;
            let pieces = pieces.ok_or(EncodeError::lacks("map_change", "the size of the pieces"))?;
            let message = MapChange {
                name,
                crc: crc.cast_signed(),
                size,
                num_response_chunks_per_request: pieces.per_request,
                chunk_size: pieces.size,
                sha256: Sha256(sha256),
            };
            system(message, to)
        }
        FromServer::MapDetails { .. } => Err(EncodeError::lacks("map_details", "the SHA-256 sum")),
        FromServer::MapData { data, .. } => system(MapData { data: Rest(data) }, to),
        FromServer::ConReady => system(ConReady {}, to),
        FromServer::ReadyToEnter => game(SvReadyToEnter {}, to),
        FromServer::Snapshot(snapshot) => write_snapshot(snapshot, to),
        FromServer::InputTiming { intended_tick, time_left } => {
            system(InputTiming { input_pred_tick: intended_tick, time_left }, to)
        }
        FromServer::RconAuth { granted: true } => system(RconAuthOn {}, to),
        FromServer::RconAuth { granted: false } => system(RconAuthOff {}, to),
        FromServer::RconLine(line) => system(RconLine { line }, to),
        FromServer::Ping => system(Ping {}, to),
        FromServer::PingReply => system(PingReply {}, to),
        FromServer::Motd(text) => game(SvMotd { text }, to),
        FromServer::Broadcast(text) => game(SvBroadcast { text }, to),
        FromServer::Chat { from, audience, text } => {
            let (mode, target) = match audience {
                Audience::All => (ChatMode::ALL, None),
                Audience::Team => (ChatMode::TEAM, None),
                Audience::Whisper(target) => (ChatMode::WHISPER, target),
            };
            let (client_id, target_id) = (ClientId::to_wire(from), ClientId::to_wire(target));
            game(SvChat { mode, client_id, target_id, text }, to)
        }
        FromServer::Kill { killer, victim, weapon } => {
            let killer = ClientId::to_wire(killer);
            game(SvKillMsg { killer, victim: victim.0.into(), weapon, mode_special: 0 }, to)
        }
        FromServer::Emoticon { from, emoticon } => {
            game(SvEmoticon { client_id: from.0.into(), emoticon }, to)
        }
        FromServer::Team { client, team } => {
            let client_id = client.0.into();
            game(SvTeam { client_id, team, silent: false, cooldown_tick: Tick(0) }, to)
        }
        FromServer::ClientInfo { client, local, team, profile, silent } => {
            let skin_part_names = &skin_of(profile.skin);
            let message = SvClientInfo {
                client_id: client.0.into(),
                local,
                team,
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
        FromServer::ClientDrop { client, reason } => {
            game(SvClientDrop { client_id: client.0.into(), reason, silent: false }, to)
        }
        FromServer::GameInfo { has_teams, has_flags, score_limit, time_limit } => {
            let teams = if has_teams { GameFlags::TEAMS } else { GameFlags(0) };
            let flags = if has_flags { GameFlags::FLAGS } else { GameFlags(0) };
            let (match_num, match_current) = (0, 0);
            let game_flags = teams | flags;
            game(SvGameInfo { game_flags, score_limit, time_limit, match_num, match_current }, to)
        }
        FromServer::VoteSet { timeout, description, reason } => {
            game(SvVoteSet { client_id: -1, kind: VoteKind::UNKNOWN, timeout, description, reason }, to)
        }
        FromServer::VoteStatus { yes, no, total } => {
            let pass = total.saturating_sub(yes).saturating_sub(no);
            game(SvVoteStatus { yes, no, pass, total }, to)
        }
        FromServer::VoteClearOptions => game(SvVoteClearOptions {}, to),
        FromServer::PingEx(_)
        | FromServer::PongEx(_)
        | FromServer::WhatIs(_)
        | FromServer::Capabilities { .. }
        | FromServer::Reconnect
        | FromServer::Redirect { .. }
        | FromServer::Other => Err(EncodeError::no_message("other")),
    }
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
