//! The messages and worlds of a session in 0.6.

use gamewire_wire::Writer;

use crate::session::message::{
    Audience, ClientId, ClientMessage, MapChunkInfo, MapId, Profile, ServerMessage,
};
use crate::session::ranges::wire_id;
use crate::session::world::{Character, Game as GameState, Pickup, PickupKind, Player};
use crate::session::{EncodeError, MessageCodec, WorldCodec, WorldReader, common_messages, common_objects};
use crate::shared::data::{SizedData, SizedInput};
use crate::shared::object::IntText;
use crate::shared::pack::Text;
use crate::shared::value::{Team, Tick, Weapon};
use crate::v06::V06;
use crate::v06::message::game::{
    ClCallVote, ClChangeInfo, ClSay, ClSetSpectatorMode, ClStartInfo, SvChat, SvVoteSet,
};
use crate::v06::message::system::{Info, MapChange, MapData, RconAuth, RconAuthStatus, RequestMapData};
use crate::v06::message::{Game, Message, System, system};
use crate::v06::object::{self, CharacterCore, ClientInfo, GameInfo, Object, PlayerInfo};
use crate::v06::value::{ChatTeam, GameFlags, GameStateFlags, PlayerFlags, Powerup};

/// Maximum client id.
const MAX_ID: i32 = 127;
/// The skin of a client without a skin name.
const SKIN: Text<'static> = Text::new("default");
/// The color that clients send while custom colors are off.
const COLOR: i32 = 65408;

common_messages!(v06, super::MAX_ID);
common_objects!();

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
            // In 0.6 the victim is the killer if the world kills.
            ServerMessage::Kill { killer: None, victim, weapon } => {
                let message = ServerMessage::Kill { killer: Some(victim), victim, weapon };
                common::encode_server_message(&message, to)
            }
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
            Message::System(System::RconAuth(RconAuth { password, .. })) => {
                ClientMessage::RconAuth { password }
            }
            Message::Game(Game::ClSay(ClSay { team, text })) => {
                ClientMessage::Say { audience: if team { Audience::Team } else { Audience::All }, text }
            }
            Message::Game(Game::ClSetSpectatorMode(ClSetSpectatorMode { spectator_id })) => {
                ClientMessage::Spectate(ClientId::from_wire(spectator_id))
            }
            Message::Game(Game::ClStartInfo(ClStartInfo { name, clan, country, skin, .. })) => {
                ClientMessage::StartInfo(Profile { name, clan, country, skin })
            }
            Message::Game(Game::ClChangeInfo(ClChangeInfo { name, clan, country, skin, .. })) => {
                ClientMessage::ChangeInfo(Profile { name, clan, country, skin })
            }
            Message::Game(Game::ClCallVote(ClCallVote { kind, value, reason })) => {
                ClientMessage::CallVote { kind, value, reason }
            }
            _ => return common::client_message(message),
        })
    }

    fn encode_client_message(message: &ClientMessage<'_>, to: &mut Writer<'_>) -> Result<(), EncodeError> {
        let (use_custom_color, color_body, color_feet) = (false, COLOR, COLOR);
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
            ClientMessage::RconAuth { password } => {
                // The client does not read the list of commands.
                Self::system(RconAuth { unused: Text::new(""), password, request_commands: Some(0) }, to)
            }
            ClientMessage::Say { audience, text } => {
                let team = match audience {
                    Audience::All => false,
                    Audience::Team => true,
                    // A line of chat would be sent to all players.
                    Audience::Whisper(_) => return Err(EncodeError::no_message("whisper")),
                };
                Self::game(ClSay { team, text }, to)
            }
            ClientMessage::Spectate(target) => {
                let spectator_id = wire_id(target, MAX_ID, "set_spectator_mode", "spectator_id")?;
                Self::game(ClSetSpectatorMode { spectator_id }, to)
            }
            ClientMessage::StartInfo(Profile { name, clan, country, skin }) => {
                let skin = or_default(skin);
                Self::game(
                    ClStartInfo { name, clan, country, skin, use_custom_color, color_body, color_feet },
                    to,
                )
            }
            ClientMessage::ChangeInfo(Profile { name, clan, country, skin }) => {
                let skin = or_default(skin);
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

    /// Servers of 0.6 do not check the integers of an input.
    fn skips_range_check(message: &Message<'_>) -> bool {
        matches!(message, Message::System(System::Input(_)))
    }
}

fn or_default(skin: Text<'_>) -> Text<'_> {
    if skin.as_bytes().is_empty() { SKIN } else { skin }
}

/// Like the games, it clamps numbers that an application uses as an index or a kind.
impl WorldCodec for V06 {
    const MAX_CLIENT_ID: u8 = 127;
    const IS_STRICT: bool = false;

    fn read_object(object: &Object, id: u16, reader: &mut WorldReader<'_>) {
        match object {
            Object::Pickup(pickup) => reader.world.pickups.extend(read_pickup(id, pickup)),
            Object::GameInfo(info) => reader.world.game = read_game(info),
            Object::Character(character) => {
                let character = reader.client_id(id).map(|id| read_character(id, character));
                reader.world.characters.extend(character);
            }
            // The games ignore an item whose id differs.
            Object::PlayerInfo(info) if i32::from(id) == info.client_id => {
                if let Some(id) = reader.client_id(id)
                    && let Some(player) = reader.add_player(id)
                {
                    (player.local, player.score, player.latency) =
                        (info.local != 0, info.score, info.latency);
                    player.team = Team(info.team.0.clamp(-1, 1));
                }
            }
            // Items are ordered by type, so each PlayerInfo is before each ClientInfo.
            Object::ClientInfo(info) => {
                if let Some(id) = reader.client_id(id)
                    && let Some(player) = reader.player(id)
                {
                    player.country = info.country;
                    Player::set_text(&mut player.name, info.name.bytes());
                    Player::set_text(&mut player.clan, info.clan.bytes());
                    Player::set_text(&mut player.skin, info.skin.bytes());
                }
            }
            _ => {}
        }
    }

    fn pickup(pickup: &Pickup) -> Object {
        let (kind, Weapon(subtype)) = match pickup.kind {
            PickupKind::Health => (Powerup::HEALTH, Weapon(0)),
            PickupKind::Armor => (Powerup::ARMOR, Weapon(0)),
            PickupKind::Hammer => (Powerup::WEAPON, Weapon::HAMMER),
            PickupKind::Pistol => (Powerup::WEAPON, Weapon::PISTOL),
            PickupKind::Shotgun => (Powerup::WEAPON, Weapon::SHOTGUN),
            PickupKind::Grenade => (Powerup::WEAPON, Weapon::GRENADE),
            PickupKind::Rifle => (Powerup::WEAPON, Weapon::RIFLE),
            PickupKind::Ninja => (Powerup::NINJA, Weapon::NINJA),
        };
        Object::Pickup(object::Pickup { x: pickup.x, y: pickup.y, kind, subtype })
    }

    fn game_info(game: &GameState) -> Object {
        Object::GameInfo(GameInfo {
            game_flags: GameFlags::TEAMS.when(game.has_teams) | GameFlags::FLAGS.when(game.has_flags),
            game_state_flags: GameStateFlags::GAMEOVER.when(game.is_over)
                | GameStateFlags::SUDDENDEATH.when(game.is_sudden_death)
                | GameStateFlags::PAUSED.when(game.is_paused),
            round_start_tick: Tick(game.start_tick),
            warmup_timer: 0,
            score_limit: game.score_limit.max(0),
            time_limit: game.time_limit.max(0),
            round_num: 0,
            round_current: 1,
        })
    }

    fn character(character: &Character) -> Object {
        let rest = object::Character { player_flags: PlayerFlags::PLAYING, ..object::Character::default() };
        Object::Character(write_character(character, character.tick, rest))
    }

    fn player_info(player: &Player, is_local: bool) -> Object {
        Object::PlayerInfo(PlayerInfo {
            local: is_local.into(),
            client_id: player.id.0.into(),
            team: player.team,
            score: player.score,
            latency: player.latency,
        })
    }

    fn client_info(player: &Player) -> Option<Object> {
        let skin = if player.skin.is_empty() { SKIN.as_bytes() } else { &player.skin };
        Some(Object::ClientInfo(ClientInfo {
            name: IntText::from_bytes(&player.name),
            clan: IntText::from_bytes(&player.clan),
            country: player.country,
            skin: IntText::from_bytes(skin),
            use_custom_color: 0,
            color_body: 0,
            color_feet: 0,
        }))
    }
}

const fn read_game(info: &GameInfo) -> GameState {
    GameState {
        start_tick: info.round_start_tick.0,
        is_over: info.game_state_flags.contains(GameStateFlags::GAMEOVER),
        is_sudden_death: info.game_state_flags.contains(GameStateFlags::SUDDENDEATH),
        is_paused: info.game_state_flags.contains(GameStateFlags::PAUSED),
        has_teams: info.game_flags.contains(GameFlags::TEAMS),
        has_flags: info.game_flags.contains(GameFlags::FLAGS),
        score_limit: info.score_limit,
        time_limit: info.time_limit,
    }
}

/// Returns a pickup by its type and subtype. The types of DDNet that replace armor count as armor.
fn read_pickup(id: u16, pickup: &object::Pickup) -> Option<Pickup> {
    let kind = match (pickup.kind, Weapon(pickup.subtype)) {
        (Powerup::HEALTH, _) => PickupKind::Health,
        (Powerup::WEAPON, Weapon::HAMMER) => PickupKind::Hammer,
        (Powerup::WEAPON, Weapon::PISTOL) => PickupKind::Pistol,
        (Powerup::WEAPON, Weapon::SHOTGUN) => PickupKind::Shotgun,
        (Powerup::WEAPON, Weapon::GRENADE) => PickupKind::Grenade,
        (Powerup::WEAPON, Weapon::RIFLE) => PickupKind::Rifle,
        (Powerup::NINJA, _) | (Powerup::WEAPON, Weapon::NINJA) => PickupKind::Ninja,
        // Armor, and four kinds of DDNet that replace it.
        (Powerup::ARMOR, _) | (Powerup(4..=7), _) => PickupKind::Armor,
        _ => return None,
    };
    Some(Pickup { id, x: pickup.x, y: pickup.y, kind })
}
