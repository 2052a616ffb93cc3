use gamewire_wire::Writer;

use super::model_world::{read_status, write_status};
use crate::model::message::{Audience, ClientId, ClientMessage, MapChunkInfo, MapId, Profile, ServerMessage};
use crate::model::ranges::wire_id;
use crate::model::world::PlayerStatus;
use crate::model::{EncodeError, MessageCodec, Skin, SkinColors, common_messages};
use crate::shared::data::{SizedData, SizedInput, Texts};
use crate::shared::pack::Text;
use crate::v06::V06;
use crate::v06::game::{
    ClCallVote, ClChangeInfo, ClSay, ClSetSpectatorMode, ClStartInfo, SvChat, SvDdraceTimeLegacy,
    SvRecordLegacy, SvTeamsStateLegacy, SvVoteOptionListAdd, SvVoteSet,
};
use crate::v06::system::{Info, MapChange, MapData, RconAuth, RconAuthStatus, RequestMapData};
use crate::v06::value::{ChatTeam, PlayerFlags};
use crate::v06::{Game, Message, System, system};

/// Maximum client id.
const MAX_ID: i32 = 127;
/// Maximum vote options of one message.
const MAX_VOTE_OPTIONS: usize = 15;
/// The color that clients send while custom colors are off.
const COLOR: i32 = 65408;

common_messages!(v06, super::MAX_ID);

impl MessageCodec for V06 {
    const NET_VERSION: &'static str = "0.6 626fce9a778df4d4";

    fn server_message<'a>(message: &Message<'a>) -> Option<ServerMessage<'a>> {
        Some(match *message {
            Message::System(System::MapChange(MapChange { name, crc, size })) => ServerMessage::MapChange {
                map: MapId { name, crc: crc.cast_unsigned(), size, sha256: None },
                chunking: None,
            },
            Message::System(System::MapData(MapData { last, crc, chunk, data })) => ServerMessage::MapData {
                info: Some(MapChunkInfo { is_last: last != 0, crc: crc.cast_unsigned(), piece: chunk }),
                data: data.0,
            },
            Message::System(System::RconAuthStatus(RconAuthStatus { auth_level: Some(level), .. })) => {
                ServerMessage::RconAuth { granted: level != 0 }
            }
            Message::Game(Game::SvVoteOptionListAdd(SvVoteOptionListAdd { num_options, descriptions })) => {
                let count = usize::try_from(num_options).unwrap_or(0);
                ServerMessage::VoteOptionListAdd(descriptions.list().first(count))
            }
            Message::Game(Game::SvTeamsStateLegacy(SvTeamsStateLegacy { teams })) => {
                ServerMessage::Teams(teams)
            }
            Message::Game(Game::SvDdraceTimeLegacy(SvDdraceTimeLegacy { time, check, finish })) => {
                ServerMessage::RaceTime { time, checkpoint: check, is_finish: finish != 0 }
            }
            Message::Game(Game::SvRecordLegacy(SvRecordLegacy { server_time_best, player_time_best })) => {
                ServerMessage::Records { server: server_time_best, player: player_time_best }
            }
            Message::Game(Game::SvChat(SvChat { team, client_id, text })) => {
                let client = ClientId::from_wire(client_id);
                let (from, audience) = match team {
                    ChatTeam::ALL | ChatTeam::EVERYONE => (client, Audience::All),
                    ChatTeam::WHISPER_SEND => (None, Audience::Whisper(client)),
                    ChatTeam::WHISPER_RECEIVE => (client, Audience::Whisper(None)),
                    _ => (client, Audience::Team),
                };
                ServerMessage::Chat { from, audience, text }
            }
            _ => return common::server_message(message),
        })
    }

    fn encode_server_message(message: &ServerMessage<'_>, to: &mut Writer<'_>) -> Result<(), EncodeError> {
        match *message {
            ServerMessage::MapChange { map: MapId { name, crc, size, .. }, .. } => {
                Self::system(MapChange { name, crc: crc.cast_signed(), size }, to)
            }
            ServerMessage::MapData { info, data } => {
                let info = info.ok_or(EncodeError::missing_field("map_data", "the number of the chunk"))?;
                let MapChunkInfo { is_last, crc, piece } = info;
                let (last, crc) = (is_last.into(), crc.cast_signed());
                Self::system(MapData { last, crc, chunk: piece, data: SizedData(data) }, to)
            }
            ServerMessage::RconAuth { granted } => {
                let level = Some(granted.into());
                Self::system(RconAuthStatus { auth_level: level, receive_commands: level }, to)
            }
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
                let client_id = wire_id(client, MAX_ID, "chat", "client_id")?;
                Self::game(SvChat { team, client_id, text }, to)
            }
            // In 0.6 the victim is sent as the killer if the world kills.
            ServerMessage::Kill { killer: None, victim, weapon } => {
                let message = ServerMessage::Kill { killer: Some(victim), victim, weapon };
                common::encode_server_message(&message, to)
            }
            ServerMessage::VoteOptionListAdd(options) => {
                let mut descriptions = [Text::new(""); MAX_VOTE_OPTIONS];
                let mut options = options.iter();
                let count =
                    descriptions.iter_mut().zip(&mut options).map(|(to, option)| *to = option).count();
                if count == 0 || options.next().is_some() {
                    return Err(EncodeError::no_message("a list of no or more than 15 vote options"));
                }
                let num_options = i32::try_from(count).unwrap_or(i32::MAX);
                let descriptions = Texts::new(&descriptions);
                Self::game(SvVoteOptionListAdd { num_options, descriptions }, to)
            }
            ServerMessage::ServerSettings(_) => Err(EncodeError::no_message("server_settings")),
            ServerMessage::SkinChange { .. } => Err(EncodeError::no_message("skin_change")),
            ServerMessage::Checkpoint { .. } => Err(EncodeError::no_message("checkpoint")),
            ServerMessage::Other(message) => Ok(to.bytes(message)?),
            ServerMessage::Team { .. } => Err(EncodeError::no_message("team")),
            ServerMessage::ClientInfo { .. } => Err(EncodeError::no_message("client_info")),
            ServerMessage::ClientDrop { .. } => Err(EncodeError::no_message("client_drop")),
            ServerMessage::GameInfo { .. } => Err(EncodeError::no_message("game_info")),
            ServerMessage::VoteSet { timeout, description, reason } => {
                let timeout = EncodeError::check(timeout, &(0..=i32::MAX), "vote_set", "timeout")?;
                Self::game(SvVoteSet { timeout, description, reason }, to)
            }
            _ => common::encode_server_message(message, to),
        }
    }

    fn client_message<'a>(message: &Message<'a>) -> Option<ClientMessage<'a>> {
        Some(match *message {
            Message::System(System::Info(Info { version, password })) => {
                ClientMessage::Info { version, password: password.unwrap_or_default(), client_version: None }
            }
            Message::System(System::RequestMapData(RequestMapData { chunk })) => {
                ClientMessage::RequestMapData { piece: Some(chunk) }
            }
            Message::System(System::Input(system::Input { ack_snapshot, intended_tick, input })) => {
                let input = common::read_input(&input.input);
                ClientMessage::Input { ack_snapshot, intended_tick, input, ping_correction: 0 }
            }
            Message::System(System::RconAuth(RconAuth { unused: user, password, request_commands })) => {
                let wants_commands = request_commands != Some(0);
                ClientMessage::RconAuth { user, password, wants_commands }
            }
            Message::Game(Game::ClSay(ClSay { team, text })) => {
                ClientMessage::Say { audience: if team { Audience::Team } else { Audience::All }, text }
            }
            Message::Game(Game::ClSetSpectatorMode(ClSetSpectatorMode { spectator_id })) => {
                ClientMessage::Spectate(ClientId::from_wire(spectator_id))
            }
            Message::Game(Game::ClStartInfo(message)) => {
                let ClStartInfo { name, clan, country, skin, use_custom_color, color_body, color_feet } =
                    message;
                let skin = read_skin(skin, use_custom_color, color_body, color_feet);
                ClientMessage::StartInfo(Profile { name, clan, country, skin })
            }
            Message::Game(Game::ClChangeInfo(message)) => {
                let ClChangeInfo { name, clan, country, skin, use_custom_color, color_body, color_feet } =
                    message;
                let skin = read_skin(skin, use_custom_color, color_body, color_feet);
                ClientMessage::ChangeInfo(Profile { name, clan, country, skin })
            }
            Message::Game(Game::ClCallVote(ClCallVote { kind, value, reason })) => {
                ClientMessage::CallVote { kind, value, reason }
            }
            _ => return common::client_message(message),
        })
    }

    fn encode_client_message(message: &ClientMessage<'_>, to: &mut Writer<'_>) -> Result<(), EncodeError> {
        match *message {
            ClientMessage::Info { version, password, .. } => {
                Self::system(Info { version, password: Some(password) }, to)
            }
            ClientMessage::RequestMapData { piece } => {
                let missing = EncodeError::missing_field("request_map_data", "the number of the piece");
                Self::system(RequestMapData { chunk: piece.ok_or(missing)? }, to)
            }
            ClientMessage::Input { ack_snapshot, intended_tick, ref input, .. } => {
                let input = SizedInput { input: common::write_input(input), extra: &[] };
                Self::system(system::Input { ack_snapshot, intended_tick, input }, to)
            }
            ClientMessage::RconAuth { user, password, wants_commands } => {
                let request_commands = Some(wants_commands.into());
                Self::system(RconAuth { unused: user, password, request_commands }, to)
            }
            ClientMessage::ReadyChange => Err(EncodeError::no_message("ready_change")),
            ClientMessage::ChangeSkin(_) => Err(EncodeError::no_message("skin_change")),
            ClientMessage::Other(message) => Ok(to.bytes(message)?),
            ClientMessage::Say { audience, text } => {
                let team = match audience {
                    Audience::All => false,
                    Audience::Team => true,
                    // 0.6 has no whispers. A line of chat would be sent to all players.
                    Audience::Whisper(_) => return Err(EncodeError::no_message("whisper")),
                };
                Self::game(ClSay { team, text }, to)
            }
            ClientMessage::Spectate(target) => {
                let spectator_id = wire_id(target, MAX_ID, "set_spectator_mode", "spectator_id")?;
                Self::game(ClSetSpectatorMode { spectator_id }, to)
            }
            ClientMessage::StartInfo(Profile { name, clan, country, ref skin }) => {
                let (use_custom_color, [color_body, color_feet]) = write_colors(skin);
                let skin = skin.name();
                Self::game(
                    ClStartInfo { name, clan, country, skin, use_custom_color, color_body, color_feet },
                    to,
                )
            }
            ClientMessage::ChangeInfo(Profile { name, clan, country, ref skin }) => {
                let (use_custom_color, [color_body, color_feet]) = write_colors(skin);
                let skin = skin.name();
                Self::game(
                    ClChangeInfo { name, clan, country, skin, use_custom_color, color_body, color_feet },
                    to,
                )
            }
            ClientMessage::CallVote { kind, value, reason } => {
                Self::game(ClCallVote { kind, value, reason }, to)
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

    /// Returns `true` for inputs, because servers of 0.6 do not check their integers.
    fn skips_range_check(message: &Message<'_>) -> bool {
        matches!(message, Message::System(System::Input(_)))
    }
}

fn read_skin(name: Text<'_>, use_custom_color: bool, body: i32, feet: i32) -> Skin<'_> {
    Skin::Whole { name, colors: use_custom_color.then_some(SkinColors { body, feet }) }
}

/// Returns whether there are custom colors, and the colors of the body and the feet.
fn write_colors(skin: &Skin<'_>) -> (bool, [i32; 2]) {
    match skin.colors() {
        Some(SkinColors { body, feet }) => (true, [body, feet]),
        None => (false, [COLOR; 2]),
    }
}
