use gamewire_wire::Writer;

use super::model_world::{read_status, write_status};
use crate::model::message::{
    Audience, ClientId, ClientMessage, GameInfo, MapChunking, MapId, Profile, RaceFinish, ServerMessage,
    ServerSettings,
};
use crate::model::ranges::{check_team, wire_id};
use crate::model::world::PlayerStatus;
use crate::model::{EncodeError, MessageCodec, SKIN_PARTS, Skin, SkinPart, both_ways, common_messages};
use crate::shared::data::{Rest, Sha256, SizedInput, Texts};
use crate::shared::pack::Text;
use crate::shared::value::Tick;
use crate::v07::V07;
use crate::v07::game::{
    ClCallVote, ClReadyChange, ClSay, ClSetSpectatorMode, ClSkinChange, ClStartInfo, SvChat, SvCheckpoint,
    SvClientDrop, SvClientInfo, SvGameInfo, SvRaceFinish, SvServerSettings, SvSkinChange, SvTeam,
    SvVoteOptionListAdd, SvVoteSet,
};
use crate::v07::system::{Info, MapChange, MapData, RconAuth, RconAuthOff, RconAuthOn, RequestMapData};
use crate::v07::value::{ChatMode, GameFlags, PlayerFlags, SpecMode, VoteKind};
use crate::v07::{Game, Message, System, system};

/// Maximum client id.
const MAX_ID: i32 = 63;

common_messages!(v07, super::MAX_ID);

both_ways! {
    read_server, write_server, ServerMessage;
    System {
        RconAuthOn {} <=> RconAuth { granted: true },
        RconAuthOff {} <=> RconAuth { granted: false },
    }
    Game {
        SvCheckpoint { diff: difference } <=> Checkpoint { difference },
        SvServerSettings { kick_vote, kick_min, spec_vote, team_lock, team_balance, player_slots }
            <=> ServerSettings(ServerSettings {
                kick_vote, kick_min, spec_vote, team_lock, team_balance, player_slots
            }),
    }
}

impl MessageCodec for V07 {
    const NET_VERSION: &'static str = "0.7 802f1be60a05665f";

    fn server_message<'a>(message: &Message<'a>) -> Option<ServerMessage<'a>> {
        Some(match *message {
            Message::System(System::MapChange(message)) => {
                let MapChange { name, crc, size, num_response_chunks_per_request, chunk_size, sha256 } =
                    message;
                ServerMessage::MapChange {
                    map: MapId { name, crc: crc.cast_unsigned(), size, sha256: Some(sha256.0) },
                    chunking: Some(MapChunking {
                        per_request: num_response_chunks_per_request,
                        size: chunk_size,
                    }),
                }
            }
            Message::System(System::MapData(MapData { data })) => {
                ServerMessage::MapData { info: None, data: data.0 }
            }
            Message::Game(Game::SvChat(SvChat { mode, client_id, target_id, text })) => {
                let audience = match mode {
                    ChatMode::ALL => Audience::All,
                    ChatMode::TEAM => Audience::Team,
                    ChatMode::WHISPER => Audience::Whisper(ClientId::from_wire(target_id)),
                    _ => return None,
                };
                ServerMessage::Chat { from: ClientId::from_wire(client_id), audience, text }
            }
            Message::Game(Game::SvVoteOptionListAdd(SvVoteOptionListAdd { descriptions, .. })) => {
                ServerMessage::VoteOptionListAdd(descriptions)
            }
            Message::Game(Game::SvSkinChange(message)) => {
                let (custom, colors) = (message.use_custom_colors, message.skin_part_colors);
                let skin = read_skin(&message.skin_part_names, custom, colors);
                ServerMessage::SkinChange { client: ClientId::from_wire(message.client_id)?, skin }
            }
            Message::Game(Game::SvRaceFinish(message)) => {
                let SvRaceFinish { client_id, time, diff, record_personal, record_server } = message;
                ServerMessage::RaceFinish(RaceFinish {
                    client: ClientId::from_wire(client_id)?,
                    time,
                    difference: diff,
                    is_personal_record: record_personal,
                    is_server_record: record_server.unwrap_or(false),
                })
            }
            Message::Game(Game::SvTeam(SvTeam { client_id, team, .. })) => {
                ServerMessage::Team { client: ClientId::from_wire(client_id)?, team }
            }
            Message::Game(Game::SvClientInfo(message)) => {
                let SvClientInfo { client_id, local, team, name, clan, country, silent, .. } = message;
                let (custom, colors) = (message.use_custom_colors, message.skin_part_colors);
                let skin = read_skin(&message.skin_part_names, custom, colors);
                let profile = Profile { name, clan, country, skin };
                ServerMessage::ClientInfo {
                    client: ClientId::from_wire(client_id)?,
                    local,
                    team,
                    profile,
                    silent,
                }
            }
            Message::Game(Game::SvClientDrop(SvClientDrop { client_id, reason, .. })) => {
                ServerMessage::ClientDrop { client: ClientId::from_wire(client_id)?, reason }
            }
            Message::Game(Game::SvGameInfo(message)) => {
                let SvGameInfo { game_flags, score_limit, time_limit, match_num, match_current } = message;
                ServerMessage::GameInfo(GameInfo {
                    has_teams: game_flags.contains(GameFlags::TEAMS),
                    has_flags: game_flags.contains(GameFlags::FLAGS),
                    is_survival: game_flags.contains(GameFlags::SURVIVAL),
                    is_race: game_flags.contains(GameFlags::RACE),
                    score_limit,
                    time_limit,
                    num_rounds: match_num,
                    round: match_current,
                })
            }
            _ => return read_server(message).or_else(|| common::server_message(message)),
        })
    }

    fn encode_server_message(message: &ServerMessage<'_>, to: &mut Writer<'_>) -> Result<(), EncodeError> {
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
                Self::system(message, to)
            }
            ServerMessage::MapData { data, .. } => Self::system(MapData { data: Rest(data) }, to),
            ServerMessage::Chat { from, audience, text } => {
                let (mode, target) = match audience {
                    Audience::All => (ChatMode::ALL, None),
                    Audience::Team => (ChatMode::TEAM, None),
                    Audience::Whisper(target) => (ChatMode::WHISPER, target),
                };
                let client_id = wire_id(from, MAX_ID, "chat", "client_id")?;
                let target_id = wire_id(target, MAX_ID, "chat", "target_id")?;
                Self::game(SvChat { mode, client_id, target_id, text }, to)
            }
            ServerMessage::VoteOptionListAdd(descriptions) => {
                let num_options = i32::try_from(descriptions.iter().count()).unwrap_or(i32::MAX);
                Self::game(SvVoteOptionListAdd { num_options, descriptions }, to)
            }
            ServerMessage::SkinChange { client, ref skin } => {
                let (parts, use_custom_colors, skin_part_colors) = write_skin(skin);
                let client_id = wire_id(Some(client), MAX_ID, "skin_change", "client_id")?;
                let skin_part_names = Texts::new(&parts);
                Self::game(
                    SvSkinChange { client_id, skin_part_names, use_custom_colors, skin_part_colors },
                    to,
                )
            }
            ServerMessage::RaceFinish(race) => {
                let message = SvRaceFinish {
                    client_id: wire_id(Some(race.client), MAX_ID, "race_finish", "client_id")?,
                    time: EncodeError::check(race.time, &(-1..=i32::MAX), "race_finish", "time")?,
                    diff: race.difference,
                    record_personal: race.is_personal_record,
                    record_server: Some(race.is_server_record),
                };
                Self::game(message, to)
            }
            ServerMessage::RaceTime { .. } => Err(EncodeError::no_message("ddrace_time")),
            ServerMessage::Records { .. } => Err(EncodeError::no_message("record")),
            ServerMessage::Other(message) => Ok(to.bytes(message)?),
            ServerMessage::Team { client, team } => {
                let client_id = wire_id(Some(client), MAX_ID, "team", "client_id")?;
                let team = check_team(team, "team")?;
                Self::game(SvTeam { client_id, team, silent: false, cooldown_tick: Tick(0) }, to)
            }
            ServerMessage::ClientInfo { client, local, team, profile, silent } => {
                let (parts, use_custom_colors, skin_part_colors) = write_skin(&profile.skin);
                let message = SvClientInfo {
                    client_id: wire_id(Some(client), MAX_ID, "client_info", "client_id")?,
                    local,
                    team: check_team(team, "client_info")?,
                    name: profile.name,
                    clan: profile.clan,
                    country: profile.country,
                    skin_part_names: Texts::new(&parts),
                    use_custom_colors,
                    skin_part_colors,
                    silent,
                };
                Self::game(message, to)
            }
            ServerMessage::ClientDrop { client, reason } => {
                let client_id = wire_id(Some(client), MAX_ID, "client_drop", "client_id")?;
                Self::game(SvClientDrop { client_id, reason, silent: false }, to)
            }
            ServerMessage::GameInfo(info) => Self::game(write_game_info(info)?, to),
            ServerMessage::VoteSet { timeout, description, reason } => {
                let timeout = EncodeError::check(timeout, &(0..=60), "vote_set", "timeout")?;
                let kind = VoteKind::UNKNOWN;
                Self::game(SvVoteSet { client_id: -1, kind, timeout, description, reason }, to)
            }
            _ => {
                check_server(message)?;
                match write_server(message) {
                    Some(message) => Ok(message.encode(to)?),
                    None => common::encode_server_message(message, to),
                }
            }
        }
    }

    fn client_message<'a>(message: &Message<'a>) -> Option<ClientMessage<'a>> {
        Some(match *message {
            Message::System(System::Info(Info { version, password, client_version })) => {
                ClientMessage::Info { version, password: password.unwrap_or_default(), client_version }
            }
            Message::System(System::RequestMapData(RequestMapData {})) => {
                ClientMessage::RequestMapData { piece: None }
            }
            Message::System(System::Input(message)) => {
                let system::Input { ack_snapshot, intended_tick, input, ping_correction } = message;
                let (input, ping_correction) =
                    (common::read_input(&input.input), ping_correction.unwrap_or(0));
                ClientMessage::Input { ack_snapshot, intended_tick, input, ping_correction }
            }
            Message::System(System::RconAuth(RconAuth { password })) => {
                ClientMessage::RconAuth { user: Text::new(""), password, wants_commands: true }
            }
            Message::Game(Game::ClReadyChange(ClReadyChange {})) => ClientMessage::ReadyChange,
            Message::Game(Game::ClSay(ClSay { mode, target, text })) => {
                let audience = match mode {
                    ChatMode::ALL => Audience::All,
                    ChatMode::TEAM => Audience::Team,
                    ChatMode::WHISPER => Audience::Whisper(Some(ClientId::from_wire(target)?)),
                    _ => return None,
                };
                ClientMessage::Say { audience, text }
            }
            Message::Game(Game::ClSetSpectatorMode(ClSetSpectatorMode { spec_mode, spectator_id })) => {
                match spec_mode {
                    SpecMode::FREEVIEW => ClientMessage::Spectate(None),
                    SpecMode::PLAYER => ClientMessage::Spectate(Some(ClientId::from_wire(spectator_id)?)),
                    _ => return None,
                }
            }
            Message::Game(Game::ClStartInfo(message)) => {
                let ClStartInfo { name, clan, country, .. } = message;
                let (custom, colors) = (message.use_custom_colors, message.skin_part_colors);
                let skin = read_skin(&message.skin_part_names, custom, colors);
                ClientMessage::StartInfo(Profile { name, clan, country, skin })
            }
            Message::Game(Game::ClSkinChange(message)) => {
                let (custom, colors) = (message.use_custom_colors, message.skin_part_colors);
                ClientMessage::ChangeSkin(read_skin(&message.skin_part_names, custom, colors))
            }
            Message::Game(Game::ClCallVote(ClCallVote { kind, value, reason, .. })) => {
                ClientMessage::CallVote { kind, value, reason }
            }
            _ => return common::client_message(message),
        })
    }

    fn encode_client_message(message: &ClientMessage<'_>, to: &mut Writer<'_>) -> Result<(), EncodeError> {
        match *message {
            ClientMessage::Info { version, password, client_version } => {
                Self::system(Info { version, password: Some(password), client_version }, to)
            }
            ClientMessage::RequestMapData { .. } => Self::system(RequestMapData {}, to),
            ClientMessage::Input { ack_snapshot, intended_tick, ref input, ping_correction } => {
                for (value, range, field) in [
                    (ack_snapshot, -1..=i32::MAX, "ack_snapshot"),
                    (input.direction, -1..=1, "direction"),
                    (input.player_flags, 0..=127, "player_flags"),
                    (input.wanted_weapon, 0..=6, "wanted_weapon"),
                ] {
                    EncodeError::check(value, &range, "input", field)?;
                }
                let input = SizedInput { input: common::write_input(input), extra: &[] };
                let ping_correction = Some(ping_correction);
                Self::system(system::Input { ack_snapshot, intended_tick, input, ping_correction }, to)
            }
            ClientMessage::RconAuth { password, .. } => Self::system(RconAuth { password }, to),
            ClientMessage::ReadyChange => Self::game(ClReadyChange {}, to),
            ClientMessage::Other(message) => Ok(to.bytes(message)?),
            ClientMessage::Say { audience, text } => {
                let (mode, target) = match audience {
                    Audience::All => (ChatMode::ALL, None),
                    Audience::Team => (ChatMode::TEAM, None),
                    Audience::Whisper(Some(target)) => (ChatMode::WHISPER, Some(target)),
                    Audience::Whisper(None) => {
                        return Err(EncodeError::missing_field("whisper", "the receiver"));
                    }
                };
                Self::game(ClSay { mode, target: wire_id(target, MAX_ID, "say", "target")?, text }, to)
            }
            ClientMessage::Spectate(target) => {
                let spec_mode = if target.is_some() { SpecMode::PLAYER } else { SpecMode::FREEVIEW };
                let spectator_id = wire_id(target, MAX_ID, "set_spectator_mode", "spectator_id")?;
                Self::game(ClSetSpectatorMode { spec_mode, spectator_id }, to)
            }
            ClientMessage::StartInfo(Profile { name, clan, country, ref skin }) => {
                let (parts, use_custom_colors, skin_part_colors) = write_skin(skin);
                let skin_part_names = Texts::new(&parts);
                let message =
                    ClStartInfo { name, clan, country, skin_part_names, use_custom_colors, skin_part_colors };
                Self::game(message, to)
            }
            ClientMessage::ChangeInfo(Profile { ref skin, .. }) | ClientMessage::ChangeSkin(ref skin) => {
                let (parts, use_custom_colors, skin_part_colors) = write_skin(skin);
                let skin_part_names = Texts::new(&parts);
                Self::game(ClSkinChange { skin_part_names, use_custom_colors, skin_part_colors }, to)
            }
            ClientMessage::CallVote { kind, value, reason } => {
                Self::game(ClCallVote { kind, value, reason, force: false }, to)
            }
            _ => common::encode_client_message(message, to),
        }
    }

    fn player_status(flags: i32) -> PlayerStatus {
        read_status(PlayerFlags(flags))
    }

    fn player_flags(status: PlayerStatus) -> i32 {
        write_status(status).0
    }

    /// Returns `false`, because servers of 0.7 check every number.
    fn skips_range_check(_: &Message<'_>) -> bool {
        false
    }
}

fn write_game_info(info: GameInfo) -> Result<SvGameInfo, EncodeError> {
    let check = |value, field| EncodeError::check(value, &(0..=i32::MAX), "game_info", field);
    Ok(SvGameInfo {
        game_flags: GameFlags::TEAMS.when(info.has_teams)
            | GameFlags::FLAGS.when(info.has_flags)
            | GameFlags::SURVIVAL.when(info.is_survival)
            | GameFlags::RACE.when(info.is_race),
        score_limit: check(info.score_limit, "score_limit")?,
        time_limit: check(info.time_limit, "time_limit")?,
        match_num: check(info.num_rounds, "match_num")?,
        match_current: check(info.round, "match_current")?,
    })
}

/// Checks the ranges of the messages that [`write_server`] converts.
fn check_server(message: &ServerMessage<'_>) -> Result<(), EncodeError> {
    if let ServerMessage::ServerSettings(ServerSettings { kick_min, player_slots, .. }) = *message {
        EncodeError::check(kick_min, &(0..=MAX_ID + 1), "server_settings", "kick_min")?;
        EncodeError::check(player_slots, &(0..=MAX_ID + 1), "server_settings", "player_slots")?;
    }
    Ok(())
}

/// The names, the marks of custom colors and the colors of the parts of a skin.
type SkinFields<'a> = ([Text<'a>; SKIN_PARTS], [bool; SKIN_PARTS], [i32; SKIN_PARTS]);

fn write_skin<'a>(skin: &Skin<'a>) -> SkinFields<'a> {
    let parts = skin.parts();
    let colors = parts.map(|part| part.color);
    (parts.map(|part| part.name), colors.map(|color| color.is_some()), colors.map(Option::unwrap_or_default))
}

fn read_skin<'a>(
    names: &Texts<'a, SKIN_PARTS>,
    custom: [bool; SKIN_PARTS],
    colors: [i32; SKIN_PARTS],
) -> Skin<'a> {
    let mut parts = [SkinPart::default(); SKIN_PARTS];
    let read = names.iter().zip(custom).zip(colors);
    for (part, ((name, is_custom), color)) in parts.iter_mut().zip(read) {
        *part = SkinPart { name, color: is_custom.then_some(color) };
    }
    Skin::Parts(parts)
}
