//! The content of a snapshot, the same for all versions.

use crate::session::message::{ClientId, Input};
use crate::shared::value::Team;

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
}

/// The kind, state and limits of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Game {
    /// First tick of the round.
    pub start_tick: i32,
    /// The round is over.
    pub is_over: bool,
    /// The next point ends the round.
    pub is_sudden_death: bool,
    /// The game is paused.
    pub is_paused: bool,
    /// There are two teams.
    pub has_teams: bool,
    /// There are flags to carry.
    pub has_flags: bool,
    /// The score that ends a round; 0 for none.
    pub score_limit: i32,
    /// The minutes that end a round; 0 for none.
    pub time_limit: i32,
}

impl World {
    /// Returns the character that is nearest to that of a player.
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

impl Character {
    /// Returns the square of the distance to another character, in 32nds of a tile.
    pub fn distance_squared(&self, other: &Self) -> u64 {
        let square = |one: i32, two: i32| u64::from(one.abs_diff(two)).pow(2);
        square(self.x, other.x).saturating_add(square(self.y, other.y))
    }
}

/// A player or spectator.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Player {
    /// The id.
    pub id: ClientId,
    /// This is the receiver's own player.
    pub local: bool,
    /// The name, which can be any bytes.
    pub name: Vec<u8>,
    /// The clan.
    pub clan: Vec<u8>,
    /// Country by ISO 3166 number; -1 for none.
    pub country: i32,
    /// The skin (0.6), or its body (0.7).
    pub skin: Vec<u8>,
    /// The team.
    pub team: Team,
    /// The score.
    pub score: i32,
    /// The ping in milliseconds.
    pub latency: i32,
}

/// A tee in the world. Coordinates are 32nds of a tile to the right of and below the corner of the map; velocities are
/// 256ths of that per tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Character {
    /// The id of its player.
    pub id: ClientId,
    /// The tick of its position.
    pub tick: i32,
    /// Position to the right.
    pub x: i32,
    /// Position downwards.
    pub y: i32,
    /// Velocity to the right.
    pub vel_x: i32,
    /// Velocity downwards.
    pub vel_y: i32,
    /// The angle of its aim in 256ths of a radian.
    pub angle: i32,
    /// -1 for left, 0 for none, 1 for right.
    pub direction: i32,
    /// Health, 0 to 10.
    pub health: i32,
    /// Armor, 0 to 10.
    pub armor: i32,
    /// The weapon in hand, 0 to 5.
    pub weapon: i32,
}

/// The kind of a pickup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum PickupKind {
    /// Adds one health.
    Health,
    /// Adds one armor.
    Armor,
    /// A hammer.
    Hammer,
    /// A pistol.
    Pistol,
    /// A shotgun.
    Shotgun,
    /// A grenade launcher.
    Grenade,
    /// A laser rifle.
    Rifle,
    /// A ninja sword.
    Ninja,
}

/// An item to pick up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pickup {
    /// The id of its snapshot item.
    pub id: u16,
    /// Position to the right.
    pub x: i32,
    /// Position downwards.
    pub y: i32,
    /// The kind.
    pub kind: PickupKind,
}

impl Player {
    /// Creates a player with only an id.
    pub const fn new(id: ClientId) -> Self {
        Self {
            id,
            local: false,
            name: Vec::new(),
            clan: Vec::new(),
            country: -1,
            skin: Vec::new(),
            team: Team::RED,
            score: 0,
            latency: 0,
        }
    }

    /// Resets everything except the allocated memory, and sets the id.
    pub(crate) fn reset(&mut self, id: ClientId) {
        for text in [&mut self.name, &mut self.clan, &mut self.skin] {
            text.clear();
        }
        (self.id, self.local, self.country, self.team) = (id, false, -1, Team::RED);
        (self.score, self.latency) = (0, 0);
    }

    /// Replaces a text and reuses its memory.
    pub(crate) fn set_text(to: &mut Vec<u8>, text: impl Iterator<Item = u8>) {
        to.clear();
        to.extend(text);
    }
}

impl World {
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
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(id: u8, x: i32) -> Character {
        Character {
            id: ClientId(id),
            tick: 0,
            x,
            y: 100,
            vel_x: 0,
            vel_y: 0,
            angle: 0,
            direction: 0,
            health: 10,
            armor: 0,
            weapon: 1,
        }
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
