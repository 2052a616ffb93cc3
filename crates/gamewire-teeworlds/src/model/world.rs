//! The content of a snapshot, in a form for all versions.

mod character;
mod columns;
mod game;
mod object;
mod player;

pub use character::{Character, Hook, HookState};
pub use columns::Column;
pub use game::{FlagState, Game, Race, TeamScores};
pub use object::{
    Damage, EventKind, ExtendedItem, Flag, Laser, Pickup, PickupKind, Projectile, Spectated, WorldEvent,
};
pub use player::{Player, PlayerStatus};

use crate::model::message::{ClientId, Input};
use crate::shared::extended::ExtendedObject;
use crate::shared::extended::object::{DdnetCharacter, DdnetPlayer};

/// The game at one tick.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct World {
    /// The tick, of 50 per second.
    pub tick: i32,
    /// The kind, state and limits of the game.
    pub game: Game,
    /// The players, ordered by id.
    pub players: Vec<Player>,
    /// The visible characters, ordered by the id of their player.
    pub characters: Vec<Character>,
    /// The visible pickups.
    pub pickups: Vec<Pickup>,
    /// The visible projectiles.
    pub projectiles: Vec<Projectile>,
    /// The visible laser beams.
    pub lasers: Vec<Laser>,
    /// The flags of capture the flag.
    pub flags: Vec<Flag>,
    /// The events since the last snapshot.
    pub events: Vec<WorldEvent>,
    /// The view of the receiver, if it is a spectator.
    pub spectated: Option<Spectated>,
    /// All objects of DDNet. Projectiles, lasers and pickups are also in the lists above.
    pub extended: Vec<ExtendedItem>,
}

impl World {
    /// Returns the character that is nearest to the character of a player.
    pub fn nearest_to(&self, id: ClientId) -> Option<&Character> {
        let own = self.character(id)?;
        self.characters.iter().filter(|other| other.id != id).min_by_key(|other| own.distance_squared(other))
    }

    /// Returns an input that walks to the nearest other character and aims at it.
    pub fn follow_nearest(&self, id: ClientId) -> Option<Input> {
        let (own, other) = (self.character(id)?, self.nearest_to(id)?);
        let (right, down) = (other.x.saturating_sub(own.x), other.y.saturating_sub(own.y));
        let direction = if right.unsigned_abs() < FOLLOW_DISTANCE { 0 } else { right.signum() };
        Some(Input { direction, target_x: right, target_y: down, ..Input::default() })
    }
}

/// Distance at which a follower stops: two tiles.
const FOLLOW_DISTANCE: u32 = 64;

/// Reserved capacity of each list, so that a few new objects do not cause an allocation.
const ROOM: usize = 16;

impl World {
    /// Empties all lists except the players, and reserves capacity in them.
    pub(crate) fn clear_lists(&mut self) {
        fn clear<T>(list: &mut Vec<T>) {
            list.clear();
            list.reserve(ROOM);
        }
        clear(&mut self.characters);
        clear(&mut self.pickups);
        clear(&mut self.projectiles);
        clear(&mut self.lasers);
        clear(&mut self.flags);
        clear(&mut self.events);
        clear(&mut self.extended);
    }

    /// Returns a player.
    pub fn player(&self, id: ClientId) -> Option<&Player> {
        self.players.iter().find(|player| player.id == id)
    }

    /// Returns the character of a player.
    pub fn character(&self, id: ClientId) -> Option<&Character> {
        self.characters.iter().find(|character| character.id == id)
    }

    /// Returns the receiver's own player.
    pub fn own(&self) -> Option<&Player> {
        self.players.iter().find(|player| player.local)
    }

    /// Returns DDNet's additions to a character.
    pub fn ddnet_character(&self, id: ClientId) -> Option<&DdnetCharacter> {
        self.extended_of(id.0.into()).find_map(|object| match object {
            ExtendedObject::DdnetCharacter(character) => Some(character),
            _ => None,
        })
    }

    /// Returns DDNet's additions to a player.
    pub fn ddnet_player(&self, id: ClientId) -> Option<&DdnetPlayer> {
        self.extended_of(id.0.into()).find_map(|object| match object {
            ExtendedObject::DdnetPlayer(player) => Some(player),
            _ => None,
        })
    }

    /// Returns the objects of DDNet with an id.
    pub fn extended_of(&self, id: u16) -> impl Iterator<Item = &ExtendedObject> {
        self.extended.iter().filter(move |item| item.id == id).map(|item| &item.object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(id: u8, x: i32) -> Character {
        Character::new(ClientId(id), 0, x, 100)
    }

    #[test]
    fn the_nearest_character_is_followed_until_it_is_close() {
        let characters = vec![standing(0, 0), standing(1, -500), standing(2, 300), standing(3, i32::MAX)];
        let mut world = World { characters, ..World::default() };
        assert_eq!(world.nearest_to(ClientId(0)).unwrap().id, ClientId(2));
        let input = world.follow_nearest(ClientId(0)).unwrap();
        assert_eq!((input.direction, input.target_x, input.target_y), (1, 300, 0));
        world.characters[0].x = 280;
        assert_eq!(world.follow_nearest(ClientId(0)).unwrap().direction, 0);
        assert_eq!(world.follow_nearest(ClientId(9)), None);
    }
}
