use crate::model::message::ClientId;
use crate::model::world::{
    Character, Damage, EventKind, Flag, FlagState, Game as GameState, Hook, HookState, Laser, Pickup,
    PickupKind, Player, PlayerStatus, Projectile, Race, Spectated, TeamScores, WorldEvent,
};
use crate::model::{Place, WorldCodec, WorldReader, common_objects};
use crate::shared::snapshot::SnapshotFull;
use crate::shared::value::{Emote, Team, Tick, Weapon};
use crate::v07::V07;
use crate::v07::object::{
    self, CharacterCore, GameData, GameDataFlag, GameDataRace, GameDataTeam, Object, PlayerInfo,
    PlayerInfoRace, SpectatorInfo,
};
use crate::v07::value::{self, CoreEventFlags, GameStateFlags, PlayerFlags};

common_objects!(V07);

/// In 0.7, snapshots are the same for every client. Messages contain the names, the teams, and the client's own id.
impl WorldCodec for V07 {
    const MAX_CLIENT_ID: u8 = 63;
    const IS_STRICT: bool = true;
    const CHARACTER: u16 = 10;

    fn place(kind: u16) -> Place {
        match kind {
            Self::CHARACTER => Place::Character,
            3 => Place::Beam,
            // Pickups and events.
            4 | 17..=22 => Place::Point,
            _ => Place::Everywhere,
        }
    }

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
        let sent = PICKUPS.iter().find(|(_, known)| *known == pickup.kind);
        let kind = sent.map_or_else(Default::default, |(sent, _)| *sent);
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

    /// Returns `None` for a sound for all players and for damage without a victim, which exist only in 0.6.
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

/// Returns `tick`, or 0 if it is negative. Clients of 0.7 drop a snapshot with a negative tick.
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

/// Pairs of a pickup of 0.7 and its kind in all versions.
const PICKUPS: [(value::PickupKind, PickupKind); 8] = [
    (value::PickupKind::HEALTH, PickupKind::Health),
    (value::PickupKind::ARMOR, PickupKind::Armor),
    (value::PickupKind::GRENADE, PickupKind::Grenade),
    (value::PickupKind::SHOTGUN, PickupKind::Shotgun),
    (value::PickupKind::LASER, PickupKind::Rifle),
    (value::PickupKind::NINJA, PickupKind::Ninja),
    (value::PickupKind::GUN, PickupKind::Pistol),
    (value::PickupKind::HAMMER, PickupKind::Hammer),
];

fn read_pickup(id: u16, pickup: &object::Pickup) -> Option<Pickup> {
    let (_, kind) = *PICKUPS.iter().find(|(sent, _)| *sent == pickup.kind)?;
    Some(Pickup { id, x: pickup.x, y: pickup.y, kind })
}

/// The flags of a player in 0.7, and the corresponding status in all versions.
const STATUS: [(PlayerFlags, PlayerStatus); 7] = [
    (PlayerFlags::ADMIN, PlayerStatus::ADMIN),
    (PlayerFlags::CHATTING, PlayerStatus::CHATTING),
    (PlayerFlags::SCOREBOARD, PlayerStatus::SCOREBOARD),
    (PlayerFlags::READY, PlayerStatus::READY),
    (PlayerFlags::DEAD, PlayerStatus::DEAD),
    (PlayerFlags::WATCHING, PlayerStatus::WATCHING),
    (PlayerFlags::BOT, PlayerStatus::BOT),
];

pub(super) fn read_status(flags: PlayerFlags) -> PlayerStatus {
    let set = STATUS.iter().filter(|(flag, _)| flags.contains(*flag));
    set.fold(PlayerStatus::default(), |all, (_, status)| all | *status)
}

pub(super) fn write_status(status: PlayerStatus) -> PlayerFlags {
    let set = STATUS.iter().filter(|(_, known)| status.contains(*known));
    set.fold(PlayerFlags::default(), |all, (flag, _)| all | *flag)
}
