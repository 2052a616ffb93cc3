//! Conversion between messages of the model and messages of a version.

use gamewire_wire::Writer;

use super::error::EncodeError;
use super::message::{ClientMessage, ServerMessage};
use super::world::PlayerStatus;
use crate::shared::version::{MessageOf, Version};

/// A version that can represent messages of the model.
pub(crate) trait MessageCodec: Version {
    /// The version of the protocol, as a client sends it in its first message.
    const NET_VERSION: &'static str;

    /// Returns the message of the model. Returns `None` if the model does not have it or if only clients send it.
    fn server_message<'a>(message: &MessageOf<'a, Self>) -> Option<ServerMessage<'a>>;

    /// Returns the message of the model. Returns `None` if the model does not have it or if only servers send it.
    fn client_message<'a>(message: &MessageOf<'a, Self>) -> Option<ClientMessage<'a>>;

    /// Writes a message as the content of one chunk.
    ///
    /// # Errors
    /// [`EncodeError`] if this version has no such message, a value is out of its range, or the buffer is full.
    fn encode_server_message(message: &ServerMessage<'_>, to: &mut Writer<'_>) -> Result<(), EncodeError>;

    /// Writes a message as the content of one chunk.
    ///
    /// # Errors
    /// [`EncodeError`] if this version has no such message, a value is out of its range, or the buffer is full.
    fn encode_client_message(message: &ClientMessage<'_>, to: &mut Writer<'_>) -> Result<(), EncodeError>;

    /// Converts the flags of a player's input to its status.
    fn player_status(flags: i32) -> PlayerStatus;

    /// Converts the status of a player to the flags of its input.
    fn player_flags(status: PlayerStatus) -> i32;

    /// Returns whether the games decode this message without checking the ranges of its numbers.
    fn skips_range_check(message: &MessageOf<'_, Self>) -> bool;

    /// Writes a system message.
    fn system<'a>(message: impl Into<Self::System<'a>>, to: &mut Writer<'_>) -> Result<(), EncodeError> {
        Ok(MessageOf::<Self>::System(message.into()).encode(to)?)
    }

    /// Writes a game message.
    fn game<'a>(message: impl Into<Self::Game<'a>>, to: &mut Writer<'_>) -> Result<(), EncodeError> {
        Ok(MessageOf::<Self>::Game(message.into()).encode(to)?)
    }
}

/// Defines the conversions of messages with the same fields in a version and in the model. Both sides of a row are
/// patterns and expressions.
macro_rules! both_ways {
    (
        $read:ident, $write:ident, $Model:ident;
        $($Set:ident { $($Wire:ident $wire:tt <=> $Name:ident $fields:tt,)+ })+
    ) => {
        fn $read<'a>(message: &Message<'a>) -> Option<$Model<'a>> {
            Some(match *message {
                $($(Message::$Set($Set::$Wire($Wire $wire)) => $Model::$Name $fields,)+)+
                _ => return None,
            })
        }

        fn $write<'a>(message: &$Model<'a>) -> Option<Message<'a>> {
            Some(match *message {
                $($($Model::$Name $fields => Message::$Set($Set::$Wire($Wire $wire)),)+)+
                _ => return None,
            })
        }
    };
}

/// Defines a module with the conversions of the messages that both versions have, in `$version` and with client ids up
/// to `$max_id`.
macro_rules! common_messages {
    ($version:ident, $max_id:expr) => {
        mod common {
            use gamewire_wire::Writer;

            use $crate::model::EncodeError;
            use $crate::model::both_ways;
            use $crate::model::message::{
                ClientId, ClientMessage, Input, MapId, RaceFinish, RconCommand, ServerMessage,
            };
            use $crate::model::ranges::{KILL_WEAPONS, check_emoticon, check_team, wire_id};
            use $crate::shared::data::{Numbers, Sha256};
            use $crate::shared::extended::game::{
                SvDdraceTime, SvMapInfo, SvRaceFinish, SvRecord, SvTeamsState,
            };
            use $crate::shared::extended::system::{
                Capabilities, ClientVersion, IDontKnow, ItIs, MapDetails, PingEx, PongEx, RconType,
                Reconnect, Redirect, WhatIs,
            };
            use $crate::shared::extended::{ExtendedGame, ExtendedSystem};
            use $crate::shared::version::SnapshotMessage;
            use $crate::$version::game::{
                ClEmoticon, ClKill, ClSetTeam, ClVote, SvBroadcast, SvEmoticon, SvKillMsg, SvMotd,
                SvReadyToEnter, SvTuneParams, SvVoteClearOptions, SvVoteOptionAdd, SvVoteOptionRemove,
                SvVoteSet, SvVoteStatus,
            };
            use $crate::$version::object::PlayerInput;
            use $crate::$version::system::{
                ConReady, EnterGame, InputTiming, Ping, PingReply, RconCmd, RconCmdAdd, RconCmdRemove,
                RconLine, Ready, Snap, SnapEmpty, SnapSingle,
            };
            use $crate::$version::value::PlayerFlags;
            use $crate::$version::{Game, Message, System};

            both_ways! {
                read_server, write_server, ServerMessage;
                System {
                    ConReady {} <=> ConReady {},
                    SnapEmpty { tick, delta } <=> Snapshot(SnapshotMessage::Empty(SnapEmpty { tick, delta })),
                    SnapSingle { tick, delta, crc, data }
                        <=> Snapshot(SnapshotMessage::Single(SnapSingle { tick, delta, crc, data })),
                    Snap { tick, delta, num_parts, part, crc, data }
                        <=> Snapshot(SnapshotMessage::Part(Snap { tick, delta, num_parts, part, crc, data })),
                    InputTiming { input_pred_tick: intended_tick, time_left }
                        <=> InputTiming { intended_tick, time_left },
                    RconLine { line } <=> RconLine(line),
                    RconCmdAdd { name, help, params } <=> RconCommandAdd(RconCommand { name, help, params }),
                    RconCmdRemove { name } <=> RconCommandRemove(name),
                    Ping {} <=> Ping {},
                    PingReply {} <=> PingReply {},
                }
                Game {
                    SvMotd { text } <=> Motd(text),
                    SvBroadcast { text } <=> Broadcast(text),
                    SvReadyToEnter {} <=> ReadyToEnter {},
                    SvVoteClearOptions {} <=> VoteClearOptions {},
                    SvVoteOptionAdd { description } <=> VoteOptionAdd(description),
                    SvVoteOptionRemove { description } <=> VoteOptionRemove(description),
                    SvTuneParams { params: Numbers(params) } <=> TuneParams(params),
                }
                ExtendedGame {
                    SvMapInfo { description } <=> MapInfo(description),
                    SvTeamsState { teams } <=> Teams(teams),
                    SvRecord { server_time_best: server, player_time_best: player }
                        <=> Records { server, player },
                }
                ExtendedSystem {
                    RconType { username_required: needs_user } <=> RconType { needs_user },
                    PingEx { id } <=> PingEx(id),
                    PongEx { id } <=> PongEx(id),
                    WhatIs { uuid } <=> WhatIs(uuid),
                    Capabilities { version, flags } <=> Capabilities { version, flags },
                    Reconnect {} <=> Reconnect {},
                    Redirect { port } <=> Redirect { port },
                }
            }

            both_ways! {
                read_client, write_client, ClientMessage;
                System {
                    Ready {} <=> Ready {},
                    EnterGame {} <=> EnterGame {},
                    RconCmd { cmd } <=> RconCmd(cmd),
                    Ping {} <=> Ping {},
                    PingReply {} <=> PingReply {},
                }
                Game {
                    ClSetTeam { team } <=> SetTeam(team),
                    ClKill {} <=> Kill {},
                    ClEmoticon { emoticon } <=> Emoticon(emoticon),
                    ClVote { vote } <=> Vote(vote),
                }
                ExtendedSystem {
                    ClientVersion { connection_id, ddnet_version: version, ddnet_version_string: text }
                        <=> ClientVersion { connection_id, version, text },
                    PingEx { id } <=> PingEx(id),
                    PongEx { id } <=> PongEx(id),
                    ItIs { uuid, name } <=> ItIs { uuid, name },
                    IDontKnow { uuid } <=> IDontKnow(uuid),
                }
            }

            pub(super) fn server_message<'a>(message: &Message<'a>) -> Option<ServerMessage<'a>> {
                Some(match *message {
                    Message::Game(Game::SvKillMsg(SvKillMsg { killer, victim, weapon, .. })) => {
                        let (killer, victim) = (ClientId::from_wire(killer), ClientId::from_wire(victim)?);
                        ServerMessage::Kill { killer, victim, weapon }
                    }
                    Message::Game(Game::SvEmoticon(SvEmoticon { client_id, emoticon })) => {
                        ServerMessage::Emoticon { from: ClientId::from_wire(client_id)?, emoticon }
                    }
                    Message::Game(Game::SvVoteSet(SvVoteSet { timeout, description, reason, .. })) => {
                        ServerMessage::VoteSet { timeout, description, reason }
                    }
                    Message::Game(Game::SvVoteStatus(SvVoteStatus { yes, no, total, .. })) => {
                        ServerMessage::VoteStatus { yes, no, total }
                    }
                    Message::ExtendedGame(ExtendedGame::SvDdraceTime(SvDdraceTime {
                        time,
                        check,
                        finish,
                    })) => ServerMessage::RaceTime { time, checkpoint: check, is_finish: finish != 0 },
                    Message::ExtendedGame(ExtendedGame::SvRaceFinish(message)) => {
                        let SvRaceFinish { client_id, time, diff, record_personal, record_server } = message;
                        ServerMessage::RaceFinish(RaceFinish {
                            client: ClientId::from_wire(client_id)?,
                            time,
                            difference: diff,
                            is_personal_record: record_personal,
                            is_server_record: record_server.unwrap_or(false),
                        })
                    }
                    Message::ExtendedSystem(ExtendedSystem::MapDetails(details)) => {
                        let MapDetails { name, sha256, crc, size, url } = details;
                        let (crc, size) = (crc.cast_unsigned(), size.unwrap_or(-1).max(-1));
                        ServerMessage::MapDetails {
                            map: MapId { name, crc, size, sha256: Some(sha256.0) },
                            url,
                        }
                    }
                    _ => return read_server(message),
                })
            }

            pub(super) fn encode_server_message(
                message: &ServerMessage<'_>,
                to: &mut Writer<'_>,
            ) -> Result<(), EncodeError> {
                let message = match *message {
                    ServerMessage::Kill { killer, victim, weapon } => {
                        Message::Game(Game::SvKillMsg(SvKillMsg {
                            killer: wire_id(killer, $max_id, "kill_msg", "killer")?,
                            victim: wire_id(Some(victim), $max_id, "kill_msg", "victim")?,
                            weapon: EncodeError::check(weapon, &KILL_WEAPONS, "kill_msg", "weapon")?,
                            mode_special: 0,
                        }))
                    }
                    ServerMessage::Emoticon { from, emoticon } => {
                        let client_id = wire_id(Some(from), $max_id, "emoticon", "client_id")?;
                        let emoticon = check_emoticon(emoticon)?;
                        Message::Game(Game::SvEmoticon(SvEmoticon { client_id, emoticon }))
                    }
                    ServerMessage::VoteStatus { yes, no, total } => {
                        let pass = total.saturating_sub(yes).saturating_sub(no);
                        for (count, field) in [(yes, "yes"), (no, "no"), (pass, "pass"), (total, "total")] {
                            EncodeError::check(count, &(0..=$max_id + 1), "vote_status", field)?;
                        }
                        Message::Game(Game::SvVoteStatus(SvVoteStatus { yes, no, pass, total }))
                    }
                    ServerMessage::RaceTime { time, checkpoint, is_finish } => {
                        let (check, finish) = (checkpoint, is_finish.into());
                        Message::ExtendedGame(SvDdraceTime { time, check, finish }.into())
                    }
                    ServerMessage::RaceFinish(race) => {
                        Message::ExtendedGame(ExtendedGame::SvRaceFinish(SvRaceFinish {
                            client_id: wire_id(Some(race.client), $max_id, "race_finish", "client_id")?,
                            time: race.time,
                            diff: race.difference,
                            record_personal: race.is_personal_record,
                            record_server: Some(race.is_server_record),
                        }))
                    }
                    ServerMessage::MapDetails { map: MapId { name, crc, size, sha256 }, url } => {
                        // The URL follows the size on the wire, so it cannot be sent without the size.
                        let size = (size >= 0 || url.is_some()).then_some(size);
                        let sha256 =
                            sha256.ok_or(EncodeError::missing_field("map_details", "the SHA-256"))?;
                        let (sha256, crc) = (Sha256(sha256), crc.cast_signed());
                        let details = MapDetails { name, sha256, crc, size, url };
                        Message::ExtendedSystem(ExtendedSystem::MapDetails(details))
                    }
                    _ => write_server(message).ok_or(EncodeError::no_message("other"))?,
                };
                Ok(message.encode(to)?)
            }

            pub(super) fn client_message<'a>(message: &Message<'a>) -> Option<ClientMessage<'a>> {
                read_client(message)
            }

            pub(super) fn encode_client_message(
                message: &ClientMessage<'_>,
                to: &mut Writer<'_>,
            ) -> Result<(), EncodeError> {
                match *message {
                    ClientMessage::SetTeam(team) => drop(check_team(team, "set_team")?),
                    ClientMessage::Emoticon(emoticon) => drop(check_emoticon(emoticon)?),
                    ClientMessage::Vote(vote) => drop(EncodeError::check(vote, &(-1..=1), "vote", "vote")?),
                    _ => {}
                }
                Ok(write_client(message).ok_or(EncodeError::no_message("other"))?.encode(to)?)
            }

            pub(super) fn read_input(input: &PlayerInput) -> Input {
                Input {
                    direction: input.direction,
                    target_x: input.target_x,
                    target_y: input.target_y,
                    jump: i32::from(input.jump) != 0,
                    fire: input.fire,
                    hook: i32::from(input.hook) != 0,
                    player_flags: input.player_flags.0,
                    wanted_weapon: input.wanted_weapon,
                    next_weapon: input.next_weapon,
                    prev_weapon: input.prev_weapon,
                }
            }

            pub(super) fn write_input(input: &Input) -> PlayerInput {
                PlayerInput {
                    direction: input.direction,
                    target_x: input.target_x,
                    target_y: input.target_y,
                    jump: input.jump.into(),
                    fire: input.fire,
                    hook: input.hook.into(),
                    player_flags: PlayerFlags(input.player_flags),
                    wanted_weapon: input.wanted_weapon,
                    next_weapon: input.next_weapon,
                    prev_weapon: input.prev_weapon,
                }
            }
        }
    };
}

pub(crate) use {both_ways, common_messages};
