//! The game as a snapshot shows it, whatever the version.

use crate::session::message::ClientId;
use crate::shared::value::Team;

/// What a snapshot says of players and characters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct World {
    /// The tick that it shows; 50 are a second.
    pub tick: i32,
    /// The players, by number.
    pub players: Vec<Player>,
    /// The characters that are in sight, by number of their player.
    pub characters: Vec<Character>,
    /// Things to pick up that are in sight.
    pub pickups: Vec<Pickup>,
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

/// Something to pick up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pickup {
    /// The number of its item.
    pub id: u16,
    /// Place.
    pub x: i32,
    /// Place.
    pub y: i32,
    /// What it is: 0 health, 1 armor, then weapons in the numbers of its version.
    pub kind: i32,
}
