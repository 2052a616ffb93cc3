//! Conversion between worlds and the snapshots of a version.

use super::message::ClientId;
use super::ranges::Ranges;
use super::roster::Roster;
use super::world::{Character, Game, Pickup, Player, World};
use crate::shared::object::{ItemInts, ObjectSet};
use crate::shared::snapshot::{Item, Key, Snapshot, SnapshotFull};
use crate::shared::version::Version;

/// Maximum number of integers of an object.
const MAX_INTS: usize = 64;

/// A version whose snapshots contain a world.
pub(crate) trait WorldCodec: Version {
    /// Maximum client id.
    const MAX_CLIENT_ID: u8;
    /// An object with a number out of its range is ignored, as in 0.7.
    const IS_STRICT: bool;

    /// Adds the content of an object to the world. Items are ordered by type.
    fn read_object(object: &Self::Object, id: u16, world: &mut WorldReader<'_>);

    /// Returns the object of a pickup.
    fn pickup(pickup: &Pickup) -> Self::Object;

    /// Returns the object of the game.
    fn game_info(game: &Game) -> Self::Object;

    /// Returns the object of a character.
    fn character(character: &Character) -> Self::Object;

    /// Returns the object with the numbers of a player.
    fn player_info(player: &Player, is_local: bool) -> Self::Object;

    /// Returns the object with the name and looks of a player, if the version has one.
    fn client_info(player: &Player) -> Option<Self::Object>;
}

/// A world that is read from a snapshot.
pub(crate) struct WorldReader<'w> {
    pub(crate) world: &'w mut World,
    /// The players and limits that 0.7 sends in messages.
    pub(crate) roster: &'w Roster,
    max_client_id: u8,
    /// Number of players that were read. The others are of the previous snapshot.
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

    /// Returns a player that was added before.
    pub(crate) fn player(&mut self, id: ClientId) -> Option<&mut Player> {
        self.world.players.iter_mut().take(self.players).find(|player| player.id == id)
    }
}

/// Replaces `world` by the content of a snapshot of `tick`, with the names and teams of `roster`.
pub(crate) fn read_world<V: WorldCodec>(tick: i32, snapshot: &Snapshot, roster: &Roster, world: &mut World) {
    (world.tick, world.game) = (tick, *roster.game());
    world.characters.clear();
    world.pickups.clear();
    let mut reader = WorldReader { world, roster, max_client_id: V::MAX_CLIENT_ID, players: 0 };
    for item in snapshot.items() {
        if let Some(object) = decode::<V>(item) {
            V::read_object(&object, item.key.id, &mut reader);
        }
    }
    let players = reader.players;
    world.players.truncate(players);
}

/// Replaces `snapshot` by `world` as `viewer` sees it. Players with an id over the maximum are left out.
///
/// # Errors
/// [`SnapshotFull`] if `world` does not fit. `snapshot` holds the objects before the first that did not fit.
pub(crate) fn write_world<V: WorldCodec>(
    world: &World,
    viewer: ClientId,
    snapshot: &mut Snapshot,
) -> Result<(), SnapshotFull> {
    snapshot.clear();
    for pickup in &world.pickups {
        insert(&V::pickup(pickup), pickup.id, snapshot)?;
    }
    insert(&V::game_info(&world.game), 0, snapshot)?;
    let is_valid = |id: ClientId| id.0 <= V::MAX_CLIENT_ID;
    for character in world.characters.iter().filter(|character| is_valid(character.id)) {
        insert(&V::character(character), character.id.0.into(), snapshot)?;
    }
    let players = world.players.iter().filter(|player| is_valid(player.id));
    for player in players.clone() {
        insert(&V::player_info(player, player.id == viewer), player.id.0.into(), snapshot)?;
    }
    for (player, info) in players.filter_map(|player| Some((player, V::client_info(player)?))) {
        insert(&info, player.id.0.into(), snapshot)?;
    }
    Ok(())
}

/// Decodes the object of an item. Returns `None` if the size is wrong or the type is unknown, and in 0.7 also if a number
/// is out of its range.
fn decode<V: WorldCodec>(item: Item<'_>) -> Option<V::Object> {
    let kind = i32::from(item.key.kind);
    V::Object::size_of(kind).filter(|size| *size == item.ints.len())?;
    let mut ranges = Ranges::default();
    let object = V::Object::decode(kind, &mut ItemInts::new(item.ints, &[]), &mut ranges)?.ok()?;
    (!V::IS_STRICT || ranges.check("").is_ok()).then_some(object)
}

fn insert<O: ObjectSet<Id = i32>>(object: &O, id: u16, snapshot: &mut Snapshot) -> Result<(), SnapshotFull> {
    let mut buffer = [0; MAX_INTS];
    let mut free = buffer.as_mut_slice();
    object.encode(&mut free).map_err(|_| SnapshotFull)?;
    let count = MAX_INTS.saturating_sub(free.len());
    let kind = u16::try_from(object.id()).map_err(|_| SnapshotFull)?;
    snapshot.insert(Key { kind, id }, buffer.get(..count).ok_or(SnapshotFull)?)
}

/// Defines the conversions of characters, which are the same in both versions except for the type of ticks.
macro_rules! common_objects {
    () => {
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
                health: character.health.clamp(0, 10),
                armor: character.armor.clamp(0, 10),
                weapon: character.weapon.0.clamp(0, 5),
            }
        }

        /// Returns a character with the fields of `rest` that a world does not have.
        fn write_character(character: &Character, tick: i32, rest: object::Character) -> object::Character {
            object::Character {
                core: CharacterCore {
                    tick: tick.into(),
                    x: character.x,
                    y: character.y,
                    vel_x: character.vel_x,
                    vel_y: character.vel_y,
                    angle: character.angle,
                    direction: character.direction.clamp(-1, 1),
                    hooked_player: -1,
                    hook_x: character.x,
                    hook_y: character.y,
                    ..CharacterCore::default()
                },
                health: character.health.clamp(0, 10),
                armor: character.armor.clamp(0, 10),
                ammo_count: 10,
                weapon: Weapon(character.weapon.clamp(0, 5)),
                ..rest
            }
        }
    };
}

pub(crate) use common_objects;
