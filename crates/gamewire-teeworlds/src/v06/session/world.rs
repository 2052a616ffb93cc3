//! The world in snapshots of 0.6.

use super::client::SKIN;
use crate::session::message::ClientId;
use crate::session::objects::{decode, insert};
use crate::session::world::{Character, Game, Pickup, PickupKind, Player, World};
use crate::session::{Roster, WorldCodec};
use crate::shared::object::IntText;
use crate::shared::snapshot::{Snapshot, SnapshotFull};
use crate::shared::value::{Emote, Team, Tick, Weapon};
use crate::v06::V06;
use crate::v06::object::{self, CharacterCore, ClientInfo, GameInfo, Object, PlayerInfo};
use crate::v06::value::{GameFlags, GameStateFlags, PlayerFlags, Powerup};

impl WorldCodec for V06 {
    /// Reads a snapshot. Like the games, it clamps numbers that an application uses as an index or a kind.
    fn read_world(tick: i32, snapshot: &Snapshot, _: &Roster, world: &mut World) {
        (world.tick, world.game) = (tick, Game::default());
        world.characters.clear();
        world.pickups.clear();
        let mut players = 0_usize;
        // Items are ordered by type, so each PlayerInfo is before each ClientInfo.
        for item in snapshot.items() {
            let id = item.key.id;
            match decode::<Object>(item, false) {
                Some(Object::Pickup(pickup)) => world.pickups.extend(read_pickup(id, &pickup)),
                Some(Object::GameInfo(info)) => world.game = read_game(&info),
                Some(Object::Character(character)) => {
                    world.characters.extend(client(id).map(|id| read_character(id, &character)));
                }
                Some(Object::PlayerInfo(info)) => {
                    // The games ignore an item whose id differs.
                    let Some(id) = client(id).filter(|id| i32::from(id.0) == info.client_id) else {
                        continue;
                    };
                    if let Some(player) = world.entry(players, id) {
                        (player.local, player.score, player.latency) =
                            (info.local != 0, info.score, info.latency);
                        player.team = Team(info.team.0.clamp(-1, 1));
                        players = players.saturating_add(1);
                    }
                }
                Some(Object::ClientInfo(info)) => {
                    let known = world.players.iter_mut().take(players);
                    if let Some(player) = known.into_iter().find(|player| u16::from(player.id.0) == id) {
                        player.country = info.country;
                        Player::set_text(&mut player.name, info.name.bytes());
                        Player::set_text(&mut player.clan, info.clan.bytes());
                        Player::set_text(&mut player.skin, info.skin.bytes());
                    }
                }
                _ => {}
            }
        }
        world.players.truncate(players);
    }

    /// Writes the world as `viewer` sees it.
    fn write_world(world: &World, viewer: ClientId, snapshot: &mut Snapshot) -> Result<(), SnapshotFull> {
        snapshot.clear();
        for pickup in &world.pickups {
            insert(&Object::Pickup(write_pickup(pickup)), pickup.id, snapshot)?;
        }
        insert(&Object::GameInfo(write_game(&world.game)), 0, snapshot)?;
        for character in &world.characters {
            insert(&Object::Character(write_character(character)), character.id.0.into(), snapshot)?;
        }
        for player in &world.players {
            let info = PlayerInfo {
                local: (player.id == viewer).into(),
                client_id: player.id.0.into(),
                team: player.team,
                score: player.score,
                latency: player.latency,
            };
            insert(&Object::PlayerInfo(info), player.id.0.into(), snapshot)?;
        }
        for player in &world.players {
            let skin = if player.skin.is_empty() { SKIN.as_bytes() } else { &player.skin };
            let info = ClientInfo {
                name: IntText::from_bytes(&player.name),
                clan: IntText::from_bytes(&player.clan),
                country: player.country,
                skin: IntText::from_bytes(skin),
                use_custom_color: 0,
                color_body: 0,
                color_feet: 0,
            };
            insert(&Object::ClientInfo(info), player.id.0.into(), snapshot)?;
        }
        Ok(())
    }
}

fn client(id: u16) -> Option<ClientId> {
    ClientId::from_wire(id.into())
}

const fn read_game(info: &GameInfo) -> Game {
    Game {
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

fn write_game(game: &Game) -> GameInfo {
    let state = |is_so, flag| if is_so { flag } else { GameStateFlags(0) };
    let kind = |is_so, flag| if is_so { flag } else { GameFlags(0) };
    GameInfo {
        game_flags: kind(game.has_teams, GameFlags::TEAMS) | kind(game.has_flags, GameFlags::FLAGS),
        game_state_flags: state(game.is_over, GameStateFlags::GAMEOVER)
            | state(game.is_sudden_death, GameStateFlags::SUDDENDEATH)
            | state(game.is_paused, GameStateFlags::PAUSED),
        round_start_tick: Tick(game.start_tick),
        warmup_timer: 0,
        score_limit: game.score_limit.max(0),
        time_limit: game.time_limit.max(0),
        round_num: 0,
        round_current: 1,
    }
}

fn read_character(id: ClientId, character: &object::Character) -> Character {
    let core = &character.core;
    Character {
        id,
        tick: core.tick,
        x: core.x,
        y: core.y,
        vel_x: core.vel_x,
        vel_y: core.vel_y,
        angle: core.angle,
        direction: core.direction.clamp(-1, 1),
        health: character.health.clamp(0, 10),
        armor: character.armor.clamp(0, 10),
        weapon: character.weapon.0.clamp(0, 5),
    }
}

fn write_character(character: &Character) -> object::Character {
    object::Character {
        core: CharacterCore {
            tick: character.tick,
            x: character.x,
            y: character.y,
            vel_x: character.vel_x,
            vel_y: character.vel_y,
            angle: character.angle,
            direction: character.direction.clamp(-1, 1),
            jumped: 0,
            hooked_player: -1,
            hook_state: 0,
            hook_tick: 0,
            hook_x: character.x,
            hook_y: character.y,
            hook_dx: 0,
            hook_dy: 0,
        },
        player_flags: PlayerFlags::PLAYING,
        health: character.health.clamp(0, 10),
        armor: character.armor.clamp(0, 10),
        ammo_count: 10,
        weapon: Weapon(character.weapon.clamp(0, 5)),
        emote: Emote::NORMAL,
        attack_tick: 0,
    }
}

/// Returns the kind of a pickup from its type and subtype. The types of DDNet that replace armor count as armor.
fn read_pickup(id: u16, pickup: &object::Pickup) -> Option<Pickup> {
    let kind = match (pickup.kind, Weapon(pickup.subtype)) {
        (Powerup::HEALTH, _) => PickupKind::Health,
        (Powerup::WEAPON, Weapon::HAMMER) => PickupKind::Hammer,
        (Powerup::WEAPON, Weapon::PISTOL) => PickupKind::Pistol,
        (Powerup::WEAPON, Weapon::SHOTGUN) => PickupKind::Shotgun,
        (Powerup::WEAPON, Weapon::GRENADE) => PickupKind::Grenade,
        (Powerup::WEAPON, Weapon::RIFLE) => PickupKind::Rifle,
        (Powerup::NINJA, _) | (Powerup::WEAPON, Weapon::NINJA) => PickupKind::Ninja,
        (
            Powerup::ARMOR
            | Powerup::ARMOR_SHOTGUN
            | Powerup::ARMOR_GRENADE
            | Powerup::ARMOR_NINJA
            | Powerup::ARMOR_LASER,
            _,
        ) => PickupKind::Armor,
        _ => return None,
    };
    Some(Pickup { id, x: pickup.x, y: pickup.y, kind })
}

const fn write_pickup(pickup: &Pickup) -> object::Pickup {
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
    object::Pickup { x: pickup.x, y: pickup.y, kind, subtype }
}
