use crate::model::message::ClientId;
use crate::model::world::{
    Character, EventKind, Flag, FlagState, Game as GameState, Hook, HookState, Laser, Pickup, PickupKind,
    Player, PlayerStatus, Projectile, Spectated, TeamScores, WorldEvent,
};
use crate::model::{Place, Skin, SkinColors, WorldCodec, WorldReader, common_objects};
use crate::shared::object::IntText;
use crate::shared::pack::{Sanitize, Text};
use crate::shared::snapshot::SnapshotFull;
use crate::shared::value::{CoreEventFlags, SpecMode};
use crate::shared::value::{Emote, Team, Tick, Weapon};
use crate::v06::V06;
use crate::v06::object::{
    self, CharacterCore, ClientInfo, GameData, GameInfo, Object, PlayerInfo, SpectatorInfo,
};
use crate::v06::value::{GameFlags, GameStateFlags, PlayerFlags, Powerup};

/// Maximum bytes of the name of a skin.
const MAX_SKIN_BYTES: usize = 24;

common_objects!(V06);

/// Like the games, this codec clamps numbers that an application uses as an index or a kind.
impl WorldCodec for V06 {
    const MAX_CLIENT_ID: u8 = 127;
    const IS_STRICT: bool = false;
    const CHARACTER: u16 = 9;

    fn place(kind: u16) -> Place {
        match kind {
            Self::CHARACTER => Place::Character,
            3 => Place::Beam,
            // Pickups and events.
            4 | 14..=17 | 19 | 20 => Place::Point,
            _ => Place::Everywhere,
        }
    }

    fn read_object(object: &Object, id: u16, reader: &mut WorldReader<'_>) {
        match object {
            Object::Projectile(projectile) => reader.world.projectiles.push(read_projectile(id, projectile)),
            Object::Laser(laser) => reader.world.lasers.push(read_laser(id, laser)),
            Object::Pickup(pickup) => {
                let object::Pickup { x, y, kind, subtype } = *pickup;
                reader.world.pickups.extend(Pickup::of_powerup(id, x, y, kind, subtype));
            }
            Object::Flag(flag) => {
                let team = Team(flag.team.clamp(0, 1));
                reader.world.flags.push(Flag { id, x: flag.x, y: flag.y, team });
            }
            Object::GameInfo(info) => reader.world.game = read_game(info, reader.world.tick),
            Object::GameData(data) => read_game_data(data, &mut reader.world.game),
            // Items are ordered by type, so the player is added when its PlayerInfo follows.
            Object::Character(character) => {
                if let Some(client) = reader.client_id(id) {
                    reader.world.characters.push(read_character(client, character));
                    reader.set_status(client, read_status(character.player_flags));
                }
            }
            // The games ignore an item with another id.
            Object::PlayerInfo(info) if i32::from(id) == info.client_id => {
                let Some(id) = reader.client_id(id) else { return };
                let status = reader.status(id);
                let Some(player) = reader.add_player(id) else { return };
                (player.local, player.score, player.latency) = (info.local != 0, info.score, info.latency);
                (player.team, player.status) = (Team(info.team.0.clamp(-1, 1)), status);
            }
            // Items are ordered by type, so each PlayerInfo is before each ClientInfo.
            Object::ClientInfo(info) => {
                if let Some(id) = reader.client_id(id)
                    && let Some(player) = reader.player(id)
                {
                    read_client_info(info, player);
                }
            }
            Object::SpectatorInfo(info) => {
                let player = ClientId::from_wire(info.spectator_id);
                let mode = if player.is_some() { SpecMode::PLAYER } else { SpecMode::FREEVIEW };
                reader.world.spectated = Some(Spectated { mode, player, x: info.x, y: info.y });
            }
            Object::SoundGlobal(sound) => {
                let kind = EventKind::GlobalSound(sound.sound_id);
                reader.world.events.push(WorldEvent { id, x: sound.at.x, y: sound.at.y, kind });
            }
            Object::DamageInd(damage) => {
                let kind = EventKind::Damage { angle: damage.angle, victim: None };
                reader.world.events.push(WorldEvent { id, x: damage.at.x, y: damage.at.y, kind });
            }
            _ => reader.world.events.extend(read_event(id, object)),
        }
    }

    fn game_objects(
        game: &GameState,
        tick: i32,
        put: &mut dyn FnMut(Object) -> Result<(), SnapshotFull>,
    ) -> Result<(), SnapshotFull> {
        put(Object::GameInfo(write_game(game, tick)))?;
        if game.team_scores.is_none() && game.flags.is_none() {
            return Ok(());
        }
        let scores = game.team_scores.unwrap_or_default();
        let [red, blue] = game.flags.unwrap_or_default();
        put(Object::GameData(GameData {
            teamscore_red: scores.red,
            teamscore_blue: scores.blue,
            flag_carrier_red: red.to_wire(),
            flag_carrier_blue: blue.to_wire(),
        }))
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

    fn projectile(projectile: &Projectile) -> Object {
        write_projectile(projectile, |tick| tick)
    }

    fn laser(laser: &Laser) -> Object {
        write_laser(laser, |tick| tick)
    }

    fn flag(flag: &Flag) -> Object {
        write_flag(flag)
    }

    fn event(event: &WorldEvent) -> Option<Object> {
        let at = object::Common { x: event.x, y: event.y };
        match event.kind {
            EventKind::GlobalSound(sound_id) => {
                Some(Object::SoundGlobal(object::SoundGlobal { at, sound_id }))
            }
            EventKind::Damage { angle, .. } => Some(Object::DamageInd(object::DamageInd { at, angle })),
            _ => write_event(event),
        }
    }

    fn character(character: &Character, player: Option<&Player>) -> Object {
        Object::Character(object::Character {
            core: write_core(character, |tick| tick),
            player_flags: write_status(player.map(|player| player.status).unwrap_or_default()),
            health: character.health.clamp(0, 10),
            armor: character.armor.clamp(0, 10),
            ammo_count: character.ammo.clamp(-1, 10),
            weapon: Weapon(character.weapon.0.clamp(0, 5)),
            emote: Emote(character.emote.0.clamp(0, 5)),
            attack_tick: character.attack_tick.max(0),
        })
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
        let skin = player.skin.as_skin();
        let colors = skin.colors();
        let SkinColors { body, feet } = colors.unwrap_or_default();
        Some(Object::ClientInfo(ClientInfo {
            name: IntText::from_bytes(player.name.as_bytes()),
            clan: IntText::from_bytes(player.clan.as_bytes()),
            country: player.country,
            skin: IntText::from_bytes(skin.name().as_bytes()),
            use_custom_color: colors.is_some().into(),
            color_body: body,
            color_feet: feet,
        }))
    }

    fn player_race(_: &Player) -> Option<Object> {
        None
    }

    fn spectated(spectated: &Spectated) -> Object {
        let spectator_id = ClientId::to_wire(spectated.player);
        Object::SpectatorInfo(SpectatorInfo { spectator_id, x: spectated.x, y: spectated.y })
    }
}

fn read_client_info(info: &ClientInfo, player: &mut Player) {
    let mut skin = [0; MAX_SKIN_BYTES];
    let mut length = 0_usize;
    for (place, byte) in skin.iter_mut().zip(info.skin.bytes()) {
        *place = byte;
        length = length.saturating_add(1);
    }
    let name = Text::received(skin.get(..length).unwrap_or_default(), Sanitize::Strict);
    let colors = SkinColors { body: info.color_body, feet: info.color_feet };
    let colors = (info.use_custom_color != 0).then_some(colors);
    player.set_profile(info.name.bytes(), info.clan.bytes(), info.country, &Skin::Whole { name, colors });
}

/// Converts the state of the game. In races of DDNet, the warmup timer is the negative tick at which the race started.
const fn read_game(info: &GameInfo, tick: i32) -> GameState {
    let flags = info.game_state_flags;
    let is_race = flags.contains(GameStateFlags::RACETIME) && info.warmup_timer < 0;
    let is_warmup = info.warmup_timer > 0;
    GameState {
        info: crate::model::message::GameInfo {
            has_teams: info.game_flags.contains(GameFlags::TEAMS),
            has_flags: info.game_flags.contains(GameFlags::FLAGS),
            is_survival: false,
            is_race: false,
            score_limit: info.score_limit,
            time_limit: info.time_limit,
            num_rounds: info.round_num,
            round: info.round_current,
        },
        start_tick: info.round_start_tick.0,
        end_tick: if is_warmup { tick.saturating_add(info.warmup_timer) } else { 0 },
        is_over: flags.contains(GameStateFlags::GAMEOVER),
        is_sudden_death: flags.contains(GameStateFlags::SUDDENDEATH),
        is_paused: flags.contains(GameStateFlags::PAUSED),
        is_warmup,
        is_countdown: false,
        team_scores: None,
        flags: None,
        race_start_tick: if is_race { Some(info.warmup_timer.saturating_neg()) } else { None },
        race: None,
    }
}

fn write_game(game: &GameState, tick: i32) -> GameInfo {
    let warmup_timer = match game.race_start_tick {
        Some(start) => start.saturating_neg(),
        None if game.is_warmup => game.end_tick.saturating_sub(tick).max(1),
        None => 0,
    };
    GameInfo {
        game_flags: GameFlags::TEAMS.when(game.info.has_teams) | GameFlags::FLAGS.when(game.info.has_flags),
        game_state_flags: GameStateFlags::GAMEOVER.when(game.is_over)
            | GameStateFlags::SUDDENDEATH.when(game.is_sudden_death)
            | GameStateFlags::PAUSED.when(game.is_paused)
            | GameStateFlags::RACETIME.when(game.race_start_tick.is_some()),
        round_start_tick: Tick(game.start_tick),
        warmup_timer,
        score_limit: game.info.score_limit.max(0),
        time_limit: game.info.time_limit.max(0),
        round_num: game.info.num_rounds.max(0),
        round_current: game.info.round.max(0),
    }
}

fn read_game_data(data: &GameData, game: &mut GameState) {
    if game.info.has_teams {
        game.team_scores = Some(TeamScores { red: data.teamscore_red, blue: data.teamscore_blue });
    }
    if game.info.has_flags {
        game.flags = Some([data.flag_carrier_red, data.flag_carrier_blue].map(FlagState::from_wire));
    }
}

/// The flags of a player in 0.6, and the corresponding status in all versions.
const STATUS: [(PlayerFlags, PlayerStatus); 4] = [
    (PlayerFlags::IN_MENU, PlayerStatus::IN_MENU),
    (PlayerFlags::CHATTING, PlayerStatus::CHATTING),
    (PlayerFlags::SCOREBOARD, PlayerStatus::SCOREBOARD),
    (PlayerFlags::AIM, PlayerStatus::AIM),
];

pub(super) fn read_status(flags: PlayerFlags) -> PlayerStatus {
    let set = STATUS.iter().filter(|(flag, _)| flags.contains(*flag));
    set.fold(PlayerStatus::default(), |all, (_, status)| all | *status)
}

pub(super) fn write_status(status: PlayerStatus) -> PlayerFlags {
    let set = STATUS.iter().filter(|(_, known)| status.contains(*known));
    set.fold(PlayerFlags::PLAYING, |all, (flag, _)| all | *flag)
}
