//! The messages of servers of 0.6.

use gamewire_wire::Writer;

use super::client::MAX_CLIENT_ID;
use crate::session::extended;
use crate::session::message::{Audience, ClientId, MapChunkInfo, MapId, ServerMessage};
use crate::session::ranges::{KILL_WEAPONS, check_emoticon, wire_id};
use crate::session::{EncodeError, ServerMessageCodec};
use crate::shared::data::SizedData;
use crate::shared::version::{SnapshotMessage, SystemSet};
use crate::v06::V06;
use crate::v06::message::game::{
    SvBroadcast, SvChat, SvEmoticon, SvKillMsg, SvMotd, SvReadyToEnter, SvVoteClearOptions, SvVoteSet,
    SvVoteStatus,
};
use crate::v06::message::system::{
    ConReady, InputTiming, MapChange, MapData, Ping, PingReply, RconAuthStatus, RconLine, Snap, SnapEmpty,
    SnapSingle,
};
use crate::v06::message::{Game, Message, System};
use crate::v06::value::ChatTeam;

impl ServerMessageCodec for V06 {
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
            ServerMessage::MapChange { map: MapId { name, crc, size, .. }, .. } => {
                system(MapChange { name, crc: crc.cast_signed(), size }, to)
            }
            ServerMessage::MapDetails { .. } => Err(EncodeError::missing_field("map_details", "the SHA-256")),
            ServerMessage::MapData { info, data } => {
                let info = info.ok_or(EncodeError::missing_field("map_data", "the number of the chunk"))?;
                let MapChunkInfo { is_last, crc, piece } = info;
                let (last, crc) = (is_last.into(), crc.cast_signed());
                system(MapData { last, crc, chunk: piece, data: SizedData(data) }, to)
            }
            ServerMessage::ConReady => system(ConReady {}, to),
            ServerMessage::ReadyToEnter => game(SvReadyToEnter {}, to),
            ServerMessage::Snapshot(snapshot) => write_snapshot(snapshot, to),
            ServerMessage::InputTiming { intended_tick, time_left } => {
                system(InputTiming { input_pred_tick: intended_tick, time_left }, to)
            }
            ServerMessage::RconAuth { granted } => {
                let level = Some(granted.into());
                system(RconAuthStatus { auth_level: level, receive_commands: level }, to)
            }
            ServerMessage::RconLine(line) => system(RconLine { line }, to),
            ServerMessage::Ping => system(Ping {}, to),
            ServerMessage::PingReply => system(PingReply {}, to),
            ServerMessage::Motd(text) => game(SvMotd { text }, to),
            ServerMessage::Broadcast(text) => game(SvBroadcast { text }, to),
            ServerMessage::Chat { from, audience, text } => {
                let (team, client) = match (audience, from) {
                    (Audience::All, from) => (ChatTeam::ALL, from),
                    (Audience::Team, from) => (ChatTeam::TEAM, from),
                    (Audience::Whisper(None), Some(from)) => (ChatTeam::WHISPER_RECEIVE, Some(from)),
                    (Audience::Whisper(Some(target)), None) => (ChatTeam::WHISPER_SEND, Some(target)),
                    (Audience::Whisper(_), _) => {
                        return Err(EncodeError::no_message("a whisper with both ends"));
                    }
                };
                game(
                    SvChat { team, client_id: wire_id(client, MAX_CLIENT_ID, "chat", "client_id")?, text },
                    to,
                )
            }
            ServerMessage::Kill { killer, victim, weapon } => {
                // In 0.6 the victim is the killer if the world kills.
                let killer = wire_id(Some(killer.unwrap_or(victim)), MAX_CLIENT_ID, "kill_msg", "killer")?;
                let victim = wire_id(Some(victim), MAX_CLIENT_ID, "kill_msg", "victim")?;
                let weapon = EncodeError::check(weapon, &KILL_WEAPONS, "kill_msg", "weapon")?;
                game(SvKillMsg { killer, victim, weapon, mode_special: 0 }, to)
            }
            ServerMessage::Emoticon { from, emoticon } => {
                let client_id = wire_id(Some(from), MAX_CLIENT_ID, "emoticon", "client_id")?;
                game(SvEmoticon { client_id, emoticon: check_emoticon(emoticon)? }, to)
            }
            ServerMessage::Team { .. } => Err(EncodeError::no_message("team")),
            ServerMessage::ClientInfo { .. } => Err(EncodeError::no_message("client_info")),
            ServerMessage::ClientDrop { .. } => Err(EncodeError::no_message("client_drop")),
            ServerMessage::GameInfo { .. } => Err(EncodeError::no_message("game_info")),
            ServerMessage::VoteSet { timeout, description, reason } => {
                let timeout = EncodeError::check(timeout, &(0..=i32::MAX), "vote_set", "timeout")?;
                game(SvVoteSet { timeout, description, reason }, to)
            }
            ServerMessage::VoteStatus { yes, no, total } => {
                let pass = total.saturating_sub(yes).saturating_sub(no);
                for (count, field) in [(yes, "yes"), (no, "no"), (pass, "pass"), (total, "total")] {
                    EncodeError::check(count, &(0..=128), "vote_status", field)?;
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
        System::MapChange(MapChange { name, crc, size }) => ServerMessage::MapChange {
            map: MapId { name, crc: crc.cast_unsigned(), size, sha256: None },
            chunking: None,
        },
        System::MapData(MapData { last, crc, chunk, data }) => ServerMessage::MapData {
            info: Some(MapChunkInfo { is_last: last != 0, crc: crc.cast_unsigned(), piece: chunk }),
            data: data.0,
        },
        System::ConReady(ConReady {}) => ServerMessage::ConReady,
        System::InputTiming(InputTiming { input_pred_tick, time_left }) => {
            ServerMessage::InputTiming { intended_tick: input_pred_tick, time_left }
        }
        System::RconAuthStatus(RconAuthStatus { auth_level: Some(level), .. }) => {
            ServerMessage::RconAuth { granted: level != 0 }
        }
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
        Game::SvChat(SvChat { team, client_id, text }) => {
            let client = ClientId::from_wire(client_id);
            let (from, audience) = match team {
                ChatTeam::ALL | ChatTeam::EVERYONE => (client, Audience::All),
                ChatTeam::WHISPER_SEND => (None, Audience::Whisper(client)),
                ChatTeam::WHISPER_RECEIVE => (client, Audience::Whisper(None)),
                _ => (client, Audience::Team),
            };
            ServerMessage::Chat { from, audience, text }
        }
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
        Game::SvVoteSet(SvVoteSet { timeout, description, reason }) => {
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
