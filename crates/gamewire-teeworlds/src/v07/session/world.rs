//! The world in snapshots of 0.7.

use crate::session::message::ClientId;
use crate::session::objects::{decode, insert};
use crate::session::world::{Character, Game, Pickup, PickupKind, World};
use crate::session::{Roster, WorldCodec};
use crate::shared::snapshot::{Snapshot, SnapshotFull};
use crate::shared::value::{Emote, Tick, Weapon};
use crate::v07::V07;
use crate::v07::object::{self, CharacterCore, GameData, Object, PlayerInfo};
use crate::v07::value::{self, CoreEventFlags, GameStateFlags, PlayerFlags};

/// Maximum number of players in 0.7.
const MAX_PLAYERS: u8 = 64;

impl WorldCodec for V07 {
    /// Reads a snapshot with the names and teams of the roster. Like the games, it ignores an object with a number out of its
    /// range.
    fn read_world(tick: i32, snapshot: &Snapshot, roster: &Roster, world: &mut World) {
        (world.tick, world.game) = (tick, *roster.game());
        world.characters.clear();
        world.pickups.clear();
        let mut players = 0_usize;
        for item in snapshot.items() {
            let id = item.key.id;
            match decode::<Object>(item, true) {
                Some(Object::Pickup(pickup)) => world.pickups.extend(read_pickup(id, &pickup)),
                Some(Object::GameData(data)) => read_game(&data, &mut world.game),
                Some(Object::Character(character)) => {
                    world.characters.extend(client(id).map(|id| read_character(id, &character)));
                }
                Some(Object::PlayerInfo(info)) => {
                    let Some(id) = client(id) else { continue };
                    let Some(player) = world.entry(players, id) else { continue };
                    if let Some(known) = roster.player(id) {
                        (player.local, player.team, player.country) =
                            (known.local, known.team, known.country);
                        player.name.clone_from(&known.name);
                        player.clan.clone_from(&known.clan);
                        player.skin.clone_from(&known.skin);
                    }
                    (player.score, player.latency) = (info.score, info.latency);
                    players = players.saturating_add(1);
                }
                _ => {}
            }
        }
        world.players.truncate(players);
    }

    /// Writes the world, which is the same for every client: messages tell a client its own id. Players with an id over the
    /// maximum are left out.
    fn write_world(world: &World, _: ClientId, snapshot: &mut Snapshot) -> Result<(), SnapshotFull> {
        snapshot.clear();
        for pickup in &world.pickups {
            insert(&Object::Pickup(write_pickup(pickup)), pickup.id, snapshot)?;
        }
        insert(&Object::GameData(write_game(&world.game)), 0, snapshot)?;
        let is_known = |id: ClientId| id.0 < MAX_PLAYERS;
        for character in world.characters.iter().filter(|character| is_known(character.id)) {
            insert(&Object::Character(write_character(character)), character.id.0.into(), snapshot)?;
        }
        for player in world.players.iter().filter(|player| is_known(player.id)) {
            // Without a ready phase, all players are ready.
            let info =
                PlayerInfo { player_flags: PlayerFlags::READY, score: player.score, latency: player.latency };
            insert(&Object::PlayerInfo(info), player.id.0.into(), snapshot)?;
        }
        Ok(())
    }
}

fn client(id: u16) -> Option<ClientId> {
    ClientId::from_wire(id.into()).filter(|id| id.0 < MAX_PLAYERS)
}

const fn read_game(data: &GameData, game: &mut Game) {
    let flags = data.game_state_flags;
    game.start_tick = data.game_start_tick.0;
    game.is_over = flags.contains(GameStateFlags::GAMEOVER) || flags.contains(GameStateFlags::ROUNDOVER);
    game.is_sudden_death = flags.contains(GameStateFlags::SUDDENDEATH);
    game.is_paused = flags.contains(GameStateFlags::PAUSED);
}

fn write_game(game: &Game) -> GameData {
    let state = |is_so, flag| if is_so { flag } else { GameStateFlags(0) };
    GameData {
        game_start_tick: Tick(game.start_tick.max(0)),
        game_state_flags: state(game.is_over, GameStateFlags::GAMEOVER)
            | state(game.is_sudden_death, GameStateFlags::SUDDENDEATH)
            | state(game.is_paused, GameStateFlags::PAUSED),
        game_state_end_tick: Tick(0),
    }
}

const fn read_character(id: ClientId, character: &object::Character) -> Character {
    let core = &character.core;
    Character {
        id,
        tick: core.tick.0,
        x: core.x,
        y: core.y,
        vel_x: core.vel_x,
        vel_y: core.vel_y,
        angle: core.angle,
        direction: core.direction,
        health: character.health,
        armor: character.armor,
        weapon: character.weapon.0,
    }
}

fn write_character(character: &Character) -> object::Character {
    object::Character {
        core: CharacterCore {
            tick: Tick(character.tick.max(0)),
            x: character.x,
            y: character.y,
            vel_x: character.vel_x,
            vel_y: character.vel_y,
            angle: character.angle,
            direction: character.direction.clamp(-1, 1),
            jumped: 0,
            hooked_player: -1,
            hook_state: 0,
            hook_tick: Tick(0),
            hook_x: character.x,
            hook_y: character.y,
            hook_dx: 0,
            hook_dy: 0,
        },
        health: character.health.clamp(0, 10),
        armor: character.armor.clamp(0, 10),
        ammo_count: 10,
        weapon: Weapon(character.weapon.clamp(0, 5)),
        emote: Emote::NORMAL,
        attack_tick: Tick(0),
        triggered_events: CoreEventFlags(0),
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

const fn write_pickup(pickup: &Pickup) -> object::Pickup {
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
    object::Pickup { x: pickup.x, y: pickup.y, kind }
}
