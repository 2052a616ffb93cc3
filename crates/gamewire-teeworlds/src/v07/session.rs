//! The messages and worlds of a session in 0.7.

use gamewire_wire::Writer;

use crate::session::message::{
    Audience, ClientId, ClientMessage, MapChunking, MapId, Profile, RaceFinish, ServerMessage,
    ServerSettings, WireMessage,
};
use crate::session::ranges::{check_team, wire_id};
use crate::session::world::{
    Character, Damage, EventKind, Flag, FlagState, Game as GameState, Hook, HookState, Laser, Pickup,
    PickupKind, Player, PlayerStatus, Projectile, Race, Spectated, TeamScores, WorldEvent,
};
use crate::session::{
    EncodeError, MessageCodec, SKIN_PARTS, Skin, SkinPart, WorldCodec, WorldReader, common_messages,
    common_objects,
};
use crate::shared::data::{Rest, Sha256, SizedInput, Texts};
use crate::shared::pack::Text;
use crate::shared::snapshot::SnapshotFull;
use crate::shared::value::{Emote, Team, Tick, Weapon};
use crate::v07::V07;
use crate::v07::message::game::{
    ClCallVote, ClReadyChange, ClSay, ClSetSpectatorMode, ClSkinChange, ClStartInfo, SvChat, SvCheckpoint,
    SvClientDrop, SvClientInfo, SvGameInfo, SvRaceFinish, SvServerSettings, SvSkinChange, SvTeam,
    SvVoteOptionListAdd, SvVoteSet,
};
use crate::v07::message::system::{
    Info, MapChange, MapData, RconAuth, RconAuthOff, RconAuthOn, RequestMapData,
};
use crate::v07::message::{Game, Message, System, system};
use crate::v07::object::{
    self, CharacterCore, GameData, GameDataFlag, GameDataRace, GameDataTeam, Object, PlayerInfo,
    PlayerInfoRace, SpectatorInfo,
};
use crate::v07::value::{
    self, ChatMode, CoreEventFlags, GameFlags, GameStateFlags, PlayerFlags, SpecMode, VoteKind,
};

/// Maximum client id.
const MAX_ID: i32 = 63;

common_messages!(v07, super::MAX_ID);
common_objects!(V07);

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
            Message::Game(Game::SvVoteOptionListAdd(SvVoteOptionListAdd { descriptions, .. })) => {
                ServerMessage::VoteOptionListAdd(descriptions)
            }
            Message::Game(Game::SvServerSettings(message)) => {
                let SvServerSettings {
                    kick_vote,
                    kick_min,
                    spec_vote,
                    team_lock,
                    team_balance,
                    player_slots,
                } = message;
                ServerMessage::ServerSettings(ServerSettings {
                    kick_vote,
                    kick_min,
                    spec_vote,
                    team_lock,
                    team_balance,
                    player_slots,
                })
            }
            Message::Game(Game::SvSkinChange(message)) => {
                let (custom, colors) = (message.use_custom_colors, message.skin_part_colors);
                let skin = read_skin(&message.skin_part_names, custom, colors);
                ServerMessage::SkinChange { client: ClientId::from_wire(message.client_id)?, skin }
            }
            Message::Game(Game::SvCheckpoint(SvCheckpoint { diff })) => {
                ServerMessage::Checkpoint { difference: diff }
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
                ServerMessage::GameInfo {
                    has_teams: game_flags.contains(GameFlags::TEAMS),
                    has_flags: game_flags.contains(GameFlags::FLAGS),
                    is_survival: game_flags.contains(GameFlags::SURVIVAL),
                    is_race: game_flags.contains(GameFlags::RACE),
                    score_limit,
                    time_limit,
                    num_rounds: match_num,
                    round: match_current,
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
            ServerMessage::VoteOptionListAdd(descriptions) => {
                let num_options = i32::try_from(descriptions.iter().count()).unwrap_or(i32::MAX);
                Self::game(SvVoteOptionListAdd { num_options, descriptions }, to)
            }
            ServerMessage::ServerSettings(settings) => {
                let ServerSettings { kick_vote, kick_min, spec_vote, team_lock, team_balance, player_slots } =
                    settings;
                for (count, field) in [(kick_min, "kick_min"), (player_slots, "player_slots")] {
                    EncodeError::check(count, &(0..=MAX_ID + 1), "server_settings", field)?;
                }
                let message = SvServerSettings {
                    kick_vote,
                    kick_min,
                    spec_vote,
                    team_lock,
                    team_balance,
                    player_slots,
                };
                Self::game(message, to)
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
            ServerMessage::Checkpoint { difference } => Self::game(SvCheckpoint { diff: difference }, to),
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
            ServerMessage::Other(ref message) => Self::encode_wire_message(message, to),
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
            ServerMessage::GameInfo {
                has_teams,
                has_flags,
                is_survival,
                is_race,
                score_limit,
                time_limit,
                num_rounds,
                round,
            } => {
                let limits = [(score_limit, "score_limit"), (time_limit, "time_limit")];
                for (value, field) in
                    limits.into_iter().chain([(num_rounds, "match_num"), (round, "match_current")])
                {
                    EncodeError::check(value, &(0..=i32::MAX), "game_info", field)?;
                }
                let game_flags = GameFlags::TEAMS.when(has_teams)
                    | GameFlags::FLAGS.when(has_flags)
                    | GameFlags::SURVIVAL.when(is_survival)
                    | GameFlags::RACE.when(is_race);
                let (match_num, match_current) = (num_rounds, round);
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
            ClientMessage::Other(ref message) => Self::encode_wire_message(message, to),
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
            ClientMessage::ChangeInfo(Profile { ref skin, .. }) => {
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

    fn wire_message<'a>(message: Message<'a>) -> WireMessage<'a> {
        WireMessage::V07(message)
    }

    fn from_wire_message<'a>(message: &WireMessage<'a>) -> Option<Message<'a>> {
        if let WireMessage::V07(message) = *message { Some(message) } else { None }
    }

    /// Servers of 0.7 check every number.
    fn skips_range_check(_: &Message<'_>) -> bool {
        false
    }
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

/// A snapshot is the same for every client. Messages have the names and teams, and tell a client its own id.
impl WorldCodec for V07 {
    const MAX_CLIENT_ID: u8 = 63;
    const IS_STRICT: bool = true;

    fn read_object(object: &Object, id: u16, reader: &mut WorldReader<'_>) {
        match object {
            Object::Projectile(projectile) => reader.world.projectiles.push(read_projectile(id, projectile)),
            Object::Laser(laser) => reader.world.lasers.push(read_laser(id, laser)),
            Object::Pickup(pickup) => reader.world.pickups.extend(read_pickup(id, pickup)),
            Object::Flag(flag) => {
                reader.world.flags.push(Flag { id, x: flag.x, y: flag.y, team: Team(flag.team) });
            }
            Object::GameData(data) => read_game(data, &mut reader.world.game),
            Object::GameDataTeam(data) => {
                let scores = TeamScores { red: data.teamscore_red, blue: data.teamscore_blue };
                reader.world.game.team_scores = Some(scores);
            }
            Object::GameDataFlag(data) => {
                let carriers = [data.flag_carrier_red, data.flag_carrier_blue];
                reader.world.game.flags = Some(carriers.map(FlagState::from_wire));
            }
            Object::GameDataRace(data) => {
                let GameDataRace { best_time, precision, race_flags: flags } = *data;
                reader.world.game.race = Some(Race { best_time, precision, flags });
            }
            Object::Character(character) => {
                let triggered = character.triggered_events;
                let character =
                    reader.client_id(id).map(|id| Character { triggered, ..read_character(id, character) });
                reader.world.characters.extend(character);
            }
            Object::PlayerInfo(info) => {
                let Some(id) = reader.client_id(id) else { return };
                let known = reader.roster.player(id);
                let Some(player) = reader.add_player(id) else { return };
                if let Some(known) = known {
                    (player.local, player.team) = (known.local, known.team);
                    let (name, clan) = (known.name.as_bytes(), known.clan.as_bytes());
                    let (name, clan) = (name.iter().copied(), clan.iter().copied());
                    player.set_profile(name, clan, known.country, &known.skin.as_skin());
                }
                (player.score, player.latency) = (info.score, info.latency);
                player.status = read_status(info.player_flags);
            }
            Object::PlayerInfoRace(race) => {
                if let Some(id) = reader.client_id(id)
                    && let Some(player) = reader.player(id)
                {
                    player.race_start_tick = Some(race.race_start_tick.0);
                }
            }
            Object::SpectatorInfo(info) => {
                let player = ClientId::from_wire(info.spectator_id);
                let SpectatorInfo { spec_mode: mode, x, y, .. } = *info;
                reader.world.spectated = Some(Spectated { mode, player, x, y });
            }
            Object::Damage(damage) => {
                let object::Damage { at, client_id, angle, health_amount, armor_amount, self_damage } =
                    *damage;
                let victim = ClientId::from_wire(client_id).map(|client| Damage {
                    client,
                    health: health_amount,
                    armor: armor_amount,
                    is_self: self_damage,
                });
                let kind = EventKind::Damage { angle, victim };
                reader.world.events.push(WorldEvent { id, x: at.x, y: at.y, kind });
            }
            _ => reader.world.events.extend(read_event(id, object)),
        }
    }

    fn game_objects(
        game: &GameState,
        _: i32,
        put: &mut dyn FnMut(Object) -> Result<(), SnapshotFull>,
    ) -> Result<(), SnapshotFull> {
        put(Object::GameData(write_game(game)))?;
        if let Some(TeamScores { red, blue }) = game.team_scores {
            put(Object::GameDataTeam(GameDataTeam { teamscore_red: red, teamscore_blue: blue }))?;
        }
        if let Some(flags) = game.flags {
            let [flag_carrier_red, flag_carrier_blue] = flags.map(FlagState::to_wire);
            put(Object::GameDataFlag(GameDataFlag {
                flag_carrier_red,
                flag_carrier_blue,
                ..GameDataFlag::default()
            }))?;
        }
        match game.race {
            Some(Race { best_time, precision, flags }) => {
                put(Object::GameDataRace(GameDataRace { best_time, precision, race_flags: flags }))
            }
            None => Ok(()),
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

    fn projectile(projectile: &Projectile) -> Object {
        write_projectile(projectile, from_zero)
    }

    fn laser(laser: &Laser) -> Object {
        write_laser(laser, from_zero)
    }

    fn flag(flag: &Flag) -> Object {
        write_flag(flag)
    }

    /// A sound for all players and damage without a victim exist only in 0.6.
    fn event(event: &WorldEvent) -> Option<Object> {
        let EventKind::Damage { angle, victim: Some(damage) } = event.kind else { return write_event(event) };
        let Damage { client, health, armor, is_self } = damage;
        Some(Object::Damage(object::Damage {
            at: object::Common { x: event.x, y: event.y },
            client_id: client.0.into(),
            angle,
            health_amount: health.clamp(0, 9),
            armor_amount: armor.clamp(0, 9),
            self_damage: is_self,
        }))
    }

    fn character(character: &Character, _: Option<&Player>) -> Object {
        Object::Character(object::Character {
            core: write_core(character, from_zero),
            health: character.health.clamp(0, 10),
            armor: character.armor.clamp(0, 10),
            ammo_count: character.ammo,
            weapon: Weapon(character.weapon.0.clamp(0, 5)),
            emote: Emote(character.emote.0.clamp(0, 5)),
            attack_tick: Tick(from_zero(character.attack_tick)),
            triggered_events: character.triggered,
        })
    }

    fn player_info(player: &Player, _: bool) -> Object {
        let player_flags = write_status(player.status);
        Object::PlayerInfo(PlayerInfo { player_flags, score: player.score, latency: player.latency })
    }

    fn client_info(_: &Player) -> Option<Object> {
        None
    }

    fn player_race(player: &Player) -> Option<Object> {
        let race_start_tick = Tick(from_zero(player.race_start_tick?));
        Some(Object::PlayerInfoRace(PlayerInfoRace { race_start_tick }))
    }

    fn spectated(spectated: &Spectated) -> Object {
        let spectator_id = ClientId::to_wire(spectated.player.filter(|id| id.0 <= Self::MAX_CLIENT_ID));
        let Spectated { mode: spec_mode, x, y, .. } = *spectated;
        Object::SpectatorInfo(SpectatorInfo { spec_mode, spectator_id, x, y })
    }
}

/// Clients of 0.7 drop a snapshot with a negative tick.
fn from_zero(tick: i32) -> i32 {
    tick.max(0)
}

const fn read_game(data: &GameData, game: &mut GameState) {
    let flags = data.game_state_flags;
    (game.start_tick, game.end_tick) = (data.game_start_tick.0, data.game_state_end_tick.0);
    game.is_over = flags.contains(GameStateFlags::GAMEOVER) || flags.contains(GameStateFlags::ROUNDOVER);
    game.is_sudden_death = flags.contains(GameStateFlags::SUDDENDEATH);
    game.is_paused = flags.contains(GameStateFlags::PAUSED);
    game.is_warmup = flags.contains(GameStateFlags::WARMUP);
    game.is_countdown = flags.contains(GameStateFlags::STARTCOUNTDOWN);
}

fn write_game(game: &GameState) -> GameData {
    GameData {
        game_start_tick: Tick(from_zero(game.start_tick)),
        game_state_flags: GameStateFlags::GAMEOVER.when(game.is_over)
            | GameStateFlags::SUDDENDEATH.when(game.is_sudden_death)
            | GameStateFlags::PAUSED.when(game.is_paused)
            | GameStateFlags::WARMUP.when(game.is_warmup)
            | GameStateFlags::STARTCOUNTDOWN.when(game.is_countdown),
        game_state_end_tick: Tick(from_zero(game.end_tick)),
    }
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

/// The flags of a player in 0.7, and what they mean in all versions.
const STATUS: [(PlayerFlags, PlayerStatus); 7] = [
    (PlayerFlags::ADMIN, PlayerStatus::ADMIN),
    (PlayerFlags::CHATTING, PlayerStatus::CHATTING),
    (PlayerFlags::SCOREBOARD, PlayerStatus::SCOREBOARD),
    (PlayerFlags::READY, PlayerStatus::READY),
    (PlayerFlags::DEAD, PlayerStatus::DEAD),
    (PlayerFlags::WATCHING, PlayerStatus::WATCHING),
    (PlayerFlags::BOT, PlayerStatus::BOT),
];

fn read_status(flags: PlayerFlags) -> PlayerStatus {
    let set = STATUS.iter().filter(|(flag, _)| flags.contains(*flag));
    set.fold(PlayerStatus::default(), |all, (_, status)| all | *status)
}

fn write_status(status: PlayerStatus) -> PlayerFlags {
    let set = STATUS.iter().filter(|(_, known)| status.contains(*known));
    set.fold(PlayerFlags::default(), |all, (flag, _)| all | *flag)
}
