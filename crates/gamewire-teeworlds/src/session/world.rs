//! The game as a snapshot shows it, whatever the version.

use crate::session::message::{ClientId, Input};
use crate::shared::value::Team;

/// What a snapshot says of players and characters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct World {
    /// The tick that it shows; 50 are a second.
    pub tick: i32,
    /// Kind, state and limits of the game.
    pub game: Game,
    /// The players, by number.
    pub players: Vec<Player>,
    /// The characters that are in sight, by number of their player.
    pub characters: Vec<Character>,
    /// Things to pick up that are in sight.
    pub pickups: Vec<Pickup>,
}

/// Kind, state and limits of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Game {
    /// The tick that the round began with.
    pub start_tick: i32,
    /// Whether the round is over.
    pub is_over: bool,
    /// Whether the next point decides.
    pub is_sudden_death: bool,
    /// Whether the game is paused.
    pub is_paused: bool,
    /// Whether there are two teams.
    pub has_teams: bool,
    /// Whether flags are carried.
    pub has_flags: bool,
    /// The score that ends a round; 0 for none.
    pub score_limit: i32,
    /// The minutes that end a round; 0 for none.
    pub time_limit: i32,
}

impl World {
    /// The character nearest to that of a player, of those of others.
    #[must_use]
    pub fn nearest_to(&self, id: ClientId) -> Option<&Character> {
        let own = self.character(id)?;
        self.characters.iter().filter(|other| other.id != id).min_by_key(|other| own.distance_squared(other))
    }

    /// What a player does to walk up to the nearest other character, and aim at it.
    #[must_use]
    pub fn follow_nearest(&self, id: ClientId) -> Option<Input> {
        let (own, other) = (self.character(id)?, self.nearest_to(id)?);
        let (right, down) = (other.x.saturating_sub(own.x), other.y.saturating_sub(own.y));
        let direction = if right.unsigned_abs() < CLOSE { 0 } else { right.signum() };
        Some(Input { direction, target_x: right, target_y: down, ..Input::default() })
    }
}

/// As near as a follower comes: two tiles.
const CLOSE: u32 = 64;

impl Character {
    /// The square of the distance to another character, in 32nds of a tile.
    #[must_use]
    pub fn distance_squared(&self, other: &Self) -> u64 {
        let square = |one: i32, two: i32| u64::from(one.abs_diff(two)).pow(2);
        square(self.x, other.x).saturating_add(square(self.y, other.y))
    }
}

/// Somebody in the game, playing or watching.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// The number.
    pub id: ClientId,
    /// Whether it is this client's own player.
    pub local: bool,
    /// The name, as bytes that may be anything.
    pub name: Vec<u8>,
    /// The clan.
    pub clan: Vec<u8>,
    /// Country by ISO 3166 number; -1 for none.
    pub country: i32,
    /// The skin (0.6), or the body of it (0.7).
    pub skin: Vec<u8>,
    /// The team.
    pub team: Team,
    /// The score.
    pub score: i32,
    /// The ping in milliseconds.
    pub latency: i32,
}

/// A tee in the world. Places are 32nds of a tile, right and down from the map's corner;
/// velocities are 256ths of that a tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Character {
    /// The number of its player.
    pub id: ClientId,
    /// The tick that its place is of.
    pub tick: i32,
    /// Place.
    pub x: i32,
    /// Place.
    pub y: i32,
    /// Velocity.
    pub vel_x: i32,
    /// Velocity.
    pub vel_y: i32,
    /// Where it aims: 256ths of a radian.
    pub angle: i32,
    /// -1 left, 0 nowhere, 1 right.
    pub direction: i32,
    /// Health, 0 to 10.
    pub health: i32,
    /// Armor, 0 to 10.
    pub armor: i32,
    /// The weapon in hand, 0 to 5.
    pub weapon: i32,
}

/// What can be picked up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PickupKind {
    /// One more of health.
    Health,
    /// One more of armor.
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

/// Something to pick up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pickup {
    /// The number of its item.
    pub id: u16,
    /// Place.
    pub x: i32,
    /// Place.
    pub y: i32,
    /// What it is.
    pub kind: PickupKind,
}

impl Player {
    /// Somebody of whom nothing is known but the number.
    #[must_use]
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

    /// Becomes somebody of whom nothing is known but the number, and keeps its memory.
    pub(crate) fn begin(&mut self, id: ClientId) {
        for text in [&mut self.name, &mut self.clan, &mut self.skin] {
            text.clear();
        }
        (self.id, self.local, self.country, self.team) = (id, false, -1, Team::RED);
        (self.score, self.latency) = (0, 0);
    }

    /// Takes the bytes of `text`, in the memory that is there.
    pub(crate) fn put(place: &mut Vec<u8>, text: impl Iterator<Item = u8>) {
        place.clear();
        place.extend(text);
    }
}

impl World {
    /// The player with this number.
    #[must_use]
    pub fn player(&self, id: ClientId) -> Option<&Player> {
        self.players.iter().find(|player| player.id == id)
    }

    /// The character of the player with this number.
    #[must_use]
    pub fn character(&self, id: ClientId) -> Option<&Character> {
        self.characters.iter().find(|character| character.id == id)
    }

    /// This client's own player.
    #[must_use]
    pub fn own(&self) -> Option<&Player> {
        self.players.iter().find(|player| player.local)
    }

    /// The place in `players` that comes at `at`, emptied for a player.
    pub(crate) fn seat(&mut self, at: usize, id: ClientId) -> Option<&mut Player> {
        if self.players.len() <= at {
            self.players.push(Player::new(id));
        }
        let player = self.players.get_mut(at)?;
        player.begin(id);
        Some(player)
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
    fn the_nearest_of_the_others_is_followed_until_it_is_close() {
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
