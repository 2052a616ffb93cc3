//! Conversion between worlds and the snapshots of a version.

use super::info::MAX_CLIENTS;
use super::message::ClientId;
use super::place::Place;
use super::ranges::Ranges;
use super::roster::Roster;
use super::world::{
    Character, ExtendedItem, Flag, Game, Laser, Pickup, Player, PlayerStatus, Projectile, Spectated, World,
    WorldEvent,
};
use crate::shared::extended::ExtendedObject;
use crate::shared::object::{ItemInts, ObjectSet};
use crate::shared::snapshot::{FIRST_EXTENDED_TYPE, Item, Key, Snapshot, SnapshotFull};
use crate::shared::version::Version;

/// Maximum number of integers of an object.
pub(crate) const MAX_INTS: usize = 64;

/// A version with snapshots that contain a world.
pub(crate) trait WorldCodec: Version {
    /// Maximum client id.
    const MAX_CLIENT_ID: u8;
    /// True if an object with a number out of its range is ignored, as in 0.7.
    const IS_STRICT: bool;

    /// The type of characters.
    const CHARACTER: u16;

    /// Returns the location of the position in the objects of a type, which is needed to clip them.
    fn place(kind: u16) -> Place;

    /// Adds the content of an object to the world. Items are ordered by type.
    fn read_object(object: &Self::Object, id: u16, reader: &mut WorldReader<'_>);

    /// Calls `put` with the objects of the game at a tick.
    ///
    /// # Errors
    /// The first error of `put`.
    fn game_objects(
        game: &Game,
        tick: i32,
        put: &mut dyn FnMut(Self::Object) -> Result<(), SnapshotFull>,
    ) -> Result<(), SnapshotFull>;

    /// Returns the object of a pickup.
    fn pickup(pickup: &Pickup) -> Self::Object;

    /// Returns the object of a projectile.
    fn projectile(projectile: &Projectile) -> Self::Object;

    /// Returns the object of a laser beam.
    fn laser(laser: &Laser) -> Self::Object;

    /// Returns the object of a flag.
    fn flag(flag: &Flag) -> Self::Object;

    /// Returns the object of an event, if the version has one.
    fn event(event: &WorldEvent) -> Option<Self::Object>;

    /// Returns the object of a character of a player.
    fn character(character: &Character, player: Option<&Player>) -> Self::Object;

    /// Returns the object with the numbers of a player.
    fn player_info(player: &Player, is_local: bool) -> Self::Object;

    /// Returns the object with the name and looks of a player, if the version has one.
    fn client_info(player: &Player) -> Option<Self::Object>;

    /// Returns the object of the race of a player, if the version has one.
    fn player_race(player: &Player) -> Option<Self::Object>;

    /// Returns the object of the view of a spectator.
    fn spectated(spectated: &Spectated) -> Self::Object;
}

/// The state of reading a world from a snapshot.
pub(crate) struct WorldReader<'w> {
    pub(crate) world: &'w mut World,
    /// The players and limits that 0.7 sends in messages.
    pub(crate) roster: &'w Roster,
    /// The status of the players of visible characters (0.6).
    statuses: [PlayerStatus; MAX_CLIENTS],
    max_client_id: u8,
    /// Number of players that were read. The other players in the world are from the previous snapshot.
    players: usize,
}

impl WorldReader<'_> {
    /// Returns the client id of an item, if it is valid in this version.
    pub(crate) fn client_id(&self, id: u16) -> Option<ClientId> {
        u8::try_from(id).ok().filter(|id| *id <= self.max_client_id).map(ClientId)
    }

    /// Adds a player with only an id, and reuses the memory of an earlier one.
    pub(crate) fn add_player(&mut self, id: ClientId) -> Option<&mut Player> {
        let index = self.players;
        if self.world.players.len() <= index {
            self.world.players.push(Player::new(id));
        }
        let player = self.world.players.get_mut(index)?;
        player.reset(id);
        self.players = index.saturating_add(1);
        Some(player)
    }

    /// Stores the status of the player of a character, until the player is added.
    pub(crate) fn set_status(&mut self, id: ClientId, status: PlayerStatus) {
        if let Some(place) = self.statuses.get_mut(usize::from(id.0)) {
            *place = status;
        }
    }

    /// Returns the stored status of a player.
    pub(crate) fn status(&self, id: ClientId) -> PlayerStatus {
        self.statuses.get(usize::from(id.0)).copied().unwrap_or_default()
    }

    /// Returns a player that was added before.
    pub(crate) fn player(&mut self, id: ClientId) -> Option<&mut Player> {
        self.world.players.iter_mut().take(self.players).find(|player| player.id == id)
    }
}

/// Replaces `world` with the content of a snapshot of `tick`, with the names and teams of `roster`.
pub(crate) fn read_world<V: WorldCodec>(tick: i32, snapshot: &Snapshot, roster: &Roster, world: &mut World) {
    (world.tick, world.game, world.spectated) = (tick, *roster.game(), None);
    world.clear_lists();
    let statuses = [PlayerStatus::default(); MAX_CLIENTS];
    let mut reader = WorldReader { world, roster, statuses, max_client_id: V::MAX_CLIENT_ID, players: 0 };
    for item in snapshot.items() {
        if let Some(object) = decode::<V>(item) {
            V::read_object(&object, item.key.id, &mut reader);
        } else if let Some(object) = decode_extended(item, snapshot) {
            read_extended(ExtendedItem { id: item.key.id, object }, &mut reader);
        }
    }
    let players = reader.players;
    world.players.truncate(players);
}

/// Adds an object of DDNet. A projectile, laser or pickup is also added to the list of all versions.
fn read_extended(item: ExtendedItem, reader: &mut WorldReader<'_>) {
    let world = &mut *reader.world;
    match &item.object {
        ExtendedObject::DdnetProjectile(projectile) => {
            world.projectiles.push(Projectile::of_ddnet(item.id, projectile));
        }
        ExtendedObject::DdnetLaser(laser) => world.lasers.push(Laser::of_ddnet(item.id, laser)),
        ExtendedObject::DdnetPickup(pickup) => world.pickups.extend(Pickup::of_ddnet(item.id, pickup)),
        _ => {}
    }
    world.extended.push(item);
}

/// Replaces `snapshot` with `world` as `viewer` sees it. If `viewer` is `None`, only the parts that all viewers see
/// alike are written. Players with an id over the maximum are left out.
///
/// # Errors
/// [`SnapshotFull`] if `world` does not fit. `snapshot` holds the objects before the first that did not fit.
pub(crate) fn write_world<V: WorldCodec>(
    world: &World,
    viewer: Option<ClientId>,
    snapshot: &mut Snapshot,
) -> Result<(), SnapshotFull> {
    snapshot.clear();
    for projectile in &world.projectiles {
        insert(&V::projectile(projectile), projectile.id, snapshot)?;
    }
    for laser in &world.lasers {
        insert(&V::laser(laser), laser.id, snapshot)?;
    }
    for pickup in &world.pickups {
        insert(&V::pickup(pickup), pickup.id, snapshot)?;
    }
    for flag in &world.flags {
        insert(&V::flag(flag), flag.id, snapshot)?;
    }
    V::game_objects(&world.game, world.tick, &mut |object| insert(&object, 0, snapshot))?;
    let is_valid = |id: ClientId| id.0 <= V::MAX_CLIENT_ID;
    for character in world.characters.iter().filter(|character| is_valid(character.id)) {
        let object = V::character(character, world.player(character.id));
        insert(&object, character.id.0.into(), snapshot)?;
    }
    for player in world.players.iter().filter(|player| is_valid(player.id)) {
        let id = player.id.0.into();
        insert(&V::player_info(player, Some(player.id) == viewer), id, snapshot)?;
        for object in [V::client_info(player), V::player_race(player)].into_iter().flatten() {
            insert(&object, id, snapshot)?;
        }
    }
    if let Some(spectated) = &world.spectated {
        insert(&V::spectated(spectated), 0, snapshot)?;
    }
    for event in &world.events {
        if let Some(object) = V::event(event) {
            insert(&object, event.id, snapshot)?;
        }
    }
    Ok(())
}

/// Inserts the numbers of a player in the form that the player itself receives.
///
/// # Errors
/// [`SnapshotFull`] if they do not fit.
pub(crate) fn insert_own_player<V: WorldCodec>(
    player: &Player,
    snapshot: &mut Snapshot,
) -> Result<(), SnapshotFull> {
    insert(&V::player_info(player, true), player.id.0.into(), snapshot)
}

/// Adds the objects of DDNet in `world` to a snapshot, with the declarations of their types.
///
/// # Errors
/// [`SnapshotFull`] if they do not fit.
pub(crate) fn write_extended(world: &World, snapshot: &mut Snapshot) -> Result<(), SnapshotFull> {
    for item in &world.extended {
        insert_extended(&item.object, item.id, snapshot)?;
    }
    Ok(())
}

/// Inserts an object of DDNet with the declaration of its type, an item of type 0.
pub(crate) fn insert_extended(
    object: &ExtendedObject,
    id: u16,
    snapshot: &mut Snapshot,
) -> Result<(), SnapshotFull> {
    let uuid = object.id();
    let kind = ExtendedObject::type_of(uuid).ok_or(SnapshotFull)?;
    let words = [96, 64, 32, 0].map(|shift| u32::try_from(uuid >> shift & 0xffff_ffff).unwrap_or_default());
    snapshot.insert(Key { kind: 0, id: kind }, &words.map(u32::cast_signed))?;
    let (buffer, count) = encode(object)?;
    snapshot.insert(Key { kind, id }, buffer.get(..count).ok_or(SnapshotFull)?)
}

/// Decodes the object of an item. Returns `None` if the size is wrong or the type is unknown. In 0.7 it also returns
/// `None` if a number is out of its range.
fn decode<V: WorldCodec>(item: Item<'_>) -> Option<V::Object> {
    let kind = i32::from(item.key.kind);
    V::Object::size_of(kind).filter(|size| *size == item.ints.len())?;
    let mut ranges = Ranges::default();
    let object = V::Object::decode(kind, &mut ItemInts::new(item.ints, &[]), &mut ranges)?.ok()?;
    (!V::IS_STRICT || ranges.check("").is_ok()).then_some(object)
}

/// Decodes an object of DDNet, if the snapshot declares its type.
fn decode_extended(item: Item<'_>, snapshot: &Snapshot) -> Option<ExtendedObject> {
    if item.key.kind < FIRST_EXTENDED_TYPE {
        return None;
    }
    let uuid = snapshot.declared_type(item.key.kind)?;
    ExtendedObject::decode(uuid, &mut ItemInts::padded(item.ints, &[]), &mut ())?.ok()
}

fn insert<O: ObjectSet<Id = i32>>(object: &O, id: u16, snapshot: &mut Snapshot) -> Result<(), SnapshotFull> {
    let (buffer, count) = encode(object)?;
    let kind = u16::try_from(object.id()).map_err(|_| SnapshotFull)?;
    snapshot.insert(Key { kind, id }, buffer.get(..count).ok_or(SnapshotFull)?)
}

/// Returns the integers of an object and their number.
fn encode<O: ObjectSet>(object: &O) -> Result<([i32; MAX_INTS], usize), SnapshotFull> {
    let mut buffer = [0; MAX_INTS];
    let mut free = buffer.as_mut_slice();
    object.encode(&mut free).map_err(|_| SnapshotFull)?;
    let count = MAX_INTS.saturating_sub(free.len());
    Ok((buffer, count))
}

/// Defines the conversions of objects that are the same in both versions except for the type of ticks.
macro_rules! common_objects {
    ($V:ty) => {
        fn read_character(id: ClientId, character: &object::Character) -> Character {
            let core = &character.core;
            Character {
                id,
                tick: core.tick.into(),
                x: core.x,
                y: core.y,
                vel_x: core.vel_x,
                vel_y: core.vel_y,
                angle: core.angle,
                direction: core.direction.clamp(-1, 1),
                jumped: core.jumped.clamp(0, 3),
                hook: Hook {
                    state: HookState(core.hook_state.clamp(-1, 5)),
                    player: ClientId::from_wire(core.hooked_player),
                    tick: core.hook_tick.into(),
                    x: core.hook_x,
                    y: core.hook_y,
                    dx: core.hook_dx,
                    dy: core.hook_dy,
                },
                health: character.health.clamp(0, 10),
                armor: character.armor.clamp(0, 10),
                ammo: character.ammo_count,
                weapon: Weapon(character.weapon.0.clamp(-1, 5)),
                emote: Emote(character.emote.0.clamp(0, 5)),
                attack_tick: character.attack_tick.into(),
                triggered: CoreEventFlags::default(),
            }
        }

        fn write_core(character: &Character, ticks: impl Fn(i32) -> i32) -> CharacterCore {
            let hook = &character.hook;
            let max_id = <$V as WorldCodec>::MAX_CLIENT_ID;
            CharacterCore {
                tick: ticks(character.tick).into(),
                x: character.x,
                y: character.y,
                vel_x: character.vel_x,
                vel_y: character.vel_y,
                angle: character.angle,
                direction: character.direction.clamp(-1, 1),
                jumped: character.jumped.clamp(0, 3),
                hooked_player: ClientId::to_wire(hook.player.filter(|id| id.0 <= max_id)),
                hook_state: hook.state.0.clamp(-1, 5),
                hook_tick: ticks(hook.tick).into(),
                hook_x: hook.x,
                hook_y: hook.y,
                hook_dx: hook.dx,
                hook_dy: hook.dy,
            }
        }

        fn read_projectile(id: u16, projectile: &object::Projectile) -> Projectile {
            let object::Projectile { x, y, vel_x, vel_y, kind, start_tick } = *projectile;
            Projectile { id, x, y, vel_x, vel_y, weapon: kind, start_tick: start_tick.into(), owner: None }
        }

        fn write_projectile(projectile: &Projectile, ticks: impl Fn(i32) -> i32) -> Object {
            let Projectile { x, y, vel_x, vel_y, weapon, start_tick, .. } = *projectile;
            let (kind, start_tick) = (Weapon(weapon.0.clamp(0, 5)), ticks(start_tick).into());
            Object::Projectile(object::Projectile { x, y, vel_x, vel_y, kind, start_tick })
        }

        fn read_laser(id: u16, laser: &object::Laser) -> Laser {
            let object::Laser { x, y, from_x, from_y, start_tick } = *laser;
            Laser { id, x, y, from_x, from_y, start_tick: start_tick.into(), owner: None }
        }

        fn write_laser(laser: &Laser, ticks: impl Fn(i32) -> i32) -> Object {
            let Laser { x, y, from_x, from_y, start_tick, .. } = *laser;
            Object::Laser(object::Laser { x, y, from_x, from_y, start_tick: ticks(start_tick).into() })
        }

        fn write_flag(flag: &Flag) -> Object {
            Object::Flag(object::Flag { x: flag.x, y: flag.y, team: flag.team.0.clamp(0, 1) })
        }

        /// Returns the event of an object, or `None` if it is not an event or if only this version has it.
        fn read_event(id: u16, object: &Object) -> Option<WorldEvent> {
            let (at, kind) = match object {
                Object::Explosion(event) => (event.at, EventKind::Explosion),
                Object::Spawn(event) => (event.at, EventKind::Spawn),
                Object::HammerHit(event) => (event.at, EventKind::HammerHit),
                Object::Death(event) => (event.at, EventKind::Death(ClientId::from_wire(event.client_id)?)),
                Object::SoundWorld(event) => (event.at, EventKind::Sound(event.sound_id)),
                _ => return None,
            };
            Some(WorldEvent { id, x: at.x, y: at.y, kind })
        }

        /// Returns the object of an event that both versions have.
        fn write_event(event: &WorldEvent) -> Option<Object> {
            let at = object::Common { x: event.x, y: event.y };
            Some(match event.kind {
                EventKind::Explosion => Object::Explosion(object::Explosion { at }),
                EventKind::Spawn => Object::Spawn(object::Spawn { at }),
                EventKind::HammerHit => Object::HammerHit(object::HammerHit { at }),
                EventKind::Death(client) => Object::Death(object::Death { at, client_id: client.0.into() }),
                EventKind::Sound(sound_id) => Object::SoundWorld(object::SoundWorld { at, sound_id }),
                EventKind::GlobalSound(_) | EventKind::Damage { .. } => return None,
            })
        }
    };
}

pub(crate) use common_objects;
