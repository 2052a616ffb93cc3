//! The messages and worlds of a session in 0.7.

use gamewire_wire::Writer;

use crate::session::message::{
    Audience, ClientId, ClientMessage, MapChunking, MapId, Profile, ServerMessage,
};
use crate::session::ranges::{check_team, wire_id};
use crate::session::world::{Character, Game as GameState, Pickup, PickupKind, Player};
use crate::session::{EncodeError, MessageCodec, WorldCodec, WorldReader, common_messages, common_objects};
use crate::shared::data::{Rest, Sha256, SizedInput, Texts};
use crate::shared::pack::Text;
use crate::shared::value::{Tick, Weapon};
use crate::v07::V07;
use crate::v07::message::game::{
    ClCallVote, ClSay, ClSetSpectatorMode, ClSkinChange, ClStartInfo, SvChat, SvClientDrop, SvClientInfo,
    SvGameInfo, SvTeam, SvVoteSet,
};
use crate::v07::message::system::{
    Info, MapChange, MapData, RconAuth, RconAuthOff, RconAuthOn, RequestMapData,
};
use crate::v07::message::{Game, Message, System, system};
use crate::v07::object::{self, CharacterCore, GameData, Object, PlayerInfo};
use crate::v07::value::{self, ChatMode, GameFlags, GameStateFlags, PlayerFlags, SpecMode, VoteKind};

/// Maximum client id.
const MAX_ID: i32 = 63;
/// The name of the default parts of a skin.
const STANDARD: Text<'static> = Text::new("standard");

common_messages!(v07, super::MAX_ID);
common_objects!();

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
            Message::System(System::RconAuthOn(RconAuthOn {})) => ServerMessage::RconAuth { granted: true },
            Message::System(System::RconAuthOff(RconAuthOff {})) => {
                ServerMessage::RconAuth { granted: false }
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
            Message::Game(Game::SvTeam(SvTeam { client_id, team, .. })) => {
                ServerMessage::Team { client: ClientId::from_wire(client_id)?, team }
            }
            Message::Game(Game::SvClientInfo(message)) => {
                let SvClientInfo { client_id, local, team, name, clan, country, silent, .. } = message;
                let skin = message.skin_part_names.iter().next().unwrap_or_default();
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
            Message::Game(Game::SvGameInfo(SvGameInfo { game_flags, score_limit, time_limit, .. })) => {
                ServerMessage::GameInfo {
                    has_teams: game_flags.contains(GameFlags::TEAMS),
                    has_flags: game_flags.contains(GameFlags::FLAGS),
                    score_limit,
                    time_limit,
                }
            }
            _ => return common::server_message(message),
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
            ServerMessage::RconAuth { granted: true } => Self::system(RconAuthOn {}, to),
            ServerMessage::RconAuth { granted: false } => Self::system(RconAuthOff {}, to),
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
            ServerMessage::Team { client, team } => {
                let client_id = wire_id(Some(client), MAX_ID, "team", "client_id")?;
                let team = check_team(team, "team")?;
                Self::game(SvTeam { client_id, team, silent: false, cooldown_tick: Tick(0) }, to)
            }
            ServerMessage::ClientInfo { client, local, team, profile, silent } => {
                let parts = skin_parts(profile.skin);
                let message = SvClientInfo {
                    client_id: wire_id(Some(client), MAX_ID, "client_info", "client_id")?,
                    local,
                    team: check_team(team, "client_info")?,
                    name: profile.name,
                    clan: profile.clan,
                    country: profile.country,
                    skin_part_names: Texts::new(&parts),
                    use_custom_colors: [false; 6],
                    skin_part_colors: [0; 6],
                    silent,
                };
                Self::game(message, to)
            }
            ServerMessage::ClientDrop { client, reason } => {
                let client_id = wire_id(Some(client), MAX_ID, "client_drop", "client_id")?;
                Self::game(SvClientDrop { client_id, reason, silent: false }, to)
            }
            ServerMessage::GameInfo { has_teams, has_flags, score_limit, time_limit } => {
                for (limit, field) in [(score_limit, "score_limit"), (time_limit, "time_limit")] {
                    EncodeError::check(limit, &(0..=i32::MAX), "game_info", field)?;
                }
                let game_flags = GameFlags::TEAMS.when(has_teams) | GameFlags::FLAGS.when(has_flags);
                let (match_num, match_current) = (0, 0);
                Self::game(SvGameInfo { game_flags, score_limit, time_limit, match_num, match_current }, to)
            }
            ServerMessage::VoteSet { timeout, description, reason } => {
                let timeout = EncodeError::check(timeout, &(0..=60), "vote_set", "timeout")?;
                let kind = VoteKind::UNKNOWN;
                Self::game(SvVoteSet { client_id: -1, kind, timeout, description, reason }, to)
            }
            _ => common::encode_server_message(message, to),
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
            Message::System(System::RconAuth(RconAuth { password })) => ClientMessage::RconAuth { password },
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
                let ClStartInfo { name, clan, country, skin_part_names, .. } = message;
                let skin = skin_part_names.iter().next().unwrap_or_default();
                ClientMessage::StartInfo(Profile { name, clan, country, skin })
            }
            Message::Game(Game::ClCallVote(ClCallVote { kind, value, reason, .. })) => {
                ClientMessage::CallVote { kind, value, reason }
            }
            _ => return common::client_message(message),
        })
    }

    fn encode_client_message(message: &ClientMessage<'_>, to: &mut Writer<'_>) -> Result<(), EncodeError> {
        let (use_custom_colors, skin_part_colors) = ([false; 6], [0; 6]);
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
            ClientMessage::RconAuth { password } => Self::system(RconAuth { password }, to),
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
            ClientMessage::StartInfo(Profile { name, clan, country, skin }) => {
                let parts = skin_parts(skin);
                let skin_part_names = Texts::new(&parts);
                let message =
                    ClStartInfo { name, clan, country, skin_part_names, use_custom_colors, skin_part_colors };
                Self::game(message, to)
            }
            ClientMessage::ChangeInfo(Profile { skin, .. }) => {
                let parts = skin_parts(skin);
                let skin_part_names = Texts::new(&parts);
                Self::game(ClSkinChange { skin_part_names, use_custom_colors, skin_part_colors }, to)
            }
            ClientMessage::CallVote { kind, value, reason } => {
                Self::game(ClCallVote { kind, value, reason, force: false }, to)
            }
            _ => common::encode_client_message(message, to),
        }
    }

    /// Servers of 0.7 check every number.
    fn skips_range_check(_: &Message<'_>) -> bool {
        false
    }
}

/// Returns the parts of a skin with a body and the default marking, decoration, hands, feet and eyes.
fn skin_parts(body: Text<'_>) -> [Text<'_>; 6] {
    let body = if body.as_bytes().is_empty() { STANDARD } else { body };
    [body, Text::new(""), Text::new(""), STANDARD, STANDARD, STANDARD]
}

/// A snapshot is the same for every client. Messages have the names and teams, and tell a client its own id.
impl WorldCodec for V07 {
    const MAX_CLIENT_ID: u8 = 63;
    const IS_STRICT: bool = true;

    fn read_object(object: &Object, id: u16, reader: &mut WorldReader<'_>) {
        match object {
            Object::Pickup(pickup) => reader.world.pickups.extend(read_pickup(id, pickup)),
            Object::GameData(data) => read_game(data, &mut reader.world.game),
            Object::Character(character) => {
                let character = reader.client_id(id).map(|id| read_character(id, character));
                reader.world.characters.extend(character);
            }
            Object::PlayerInfo(info) => {
                let Some(id) = reader.client_id(id) else { return };
                let known = reader.roster.player(id);
                let Some(player) = reader.add_player(id) else { return };
                if let Some(known) = known {
                    (player.local, player.team, player.country) = (known.local, known.team, known.country);
                    player.name.clone_from(&known.name);
                    player.clan.clone_from(&known.clan);
                    player.skin.clone_from(&known.skin);
                }
                (player.score, player.latency) = (info.score, info.latency);
            }
            _ => {}
        }
    }

    fn pickup(pickup: &Pickup) -> Object {
        let kind = match pickup.kind {
            PickupKind::Health => value::PickupKind::HEALTH,
            PickupKind::Armor => value::PickupKind::ARMOR,
            PickupKind::Grenade => value::PickupKind::GRENADE,
            PickupKind::Shotgun => value::PickupKind::SHOTGUN,
            PickupKind::Rifle => value::PickupKind::LASER,
            PickupKind::Ninja => value::PickupKind::NINJA,
            PickupKind::Pistol => value::PickupKind::GUN,
            PickupKind::Hammer => value::PickupKind::HAMMER,
        };
        Object::Pickup(object::Pickup { x: pickup.x, y: pickup.y, kind })
    }

    fn game_info(game: &GameState) -> Object {
        Object::GameData(GameData {
            game_start_tick: Tick(game.start_tick.max(0)),
            game_state_flags: GameStateFlags::GAMEOVER.when(game.is_over)
                | GameStateFlags::SUDDENDEATH.when(game.is_sudden_death)
                | GameStateFlags::PAUSED.when(game.is_paused),
            game_state_end_tick: Tick(0),
        })
    }

    fn character(character: &Character) -> Object {
        Object::Character(write_character(character, character.tick.max(0), object::Character::default()))
    }

    /// Without a ready phase, all players are ready.
    fn player_info(player: &Player, _: bool) -> Object {
        let player_flags = PlayerFlags::READY;
        Object::PlayerInfo(PlayerInfo { player_flags, score: player.score, latency: player.latency })
    }

    fn client_info(_: &Player) -> Option<Object> {
        None
    }
}

const fn read_game(data: &GameData, game: &mut GameState) {
    let flags = data.game_state_flags;
    game.start_tick = data.game_start_tick.0;
    game.is_over = flags.contains(GameStateFlags::GAMEOVER) || flags.contains(GameStateFlags::ROUNDOVER);
    game.is_sudden_death = flags.contains(GameStateFlags::SUDDENDEATH);
    game.is_paused = flags.contains(GameStateFlags::PAUSED);
}

fn read_pickup(id: u16, pickup: &object::Pickup) -> Option<Pickup> {
    let kind = match pickup.kind {
        value::PickupKind::HEALTH => PickupKind::Health,
        value::PickupKind::ARMOR => PickupKind::Armor,
        value::PickupKind::GRENADE => PickupKind::Grenade,
        value::PickupKind::SHOTGUN => PickupKind::Shotgun,
        value::PickupKind::LASER => PickupKind::Rifle,
        value::PickupKind::NINJA => PickupKind::Ninja,
        value::PickupKind::GUN => PickupKind::Pistol,
        value::PickupKind::HAMMER => PickupKind::Hammer,
        _ => return None,
    };
    Some(Pickup { id, x: pickup.x, y: pickup.y, kind })
}
