use crate::model::message::ClientId;
use crate::shared::definition::named;
use crate::shared::value::CoreEventFlags;
use crate::shared::value::{Emote, Weapon};

/// A tee in the world. Coordinates are in 32nds of a tile, to the right and downwards from the corner of the map.
/// Velocities are in 256ths of this unit per tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Character {
    /// The id of its player.
    pub id: ClientId,
    /// The tick of the position, velocity, hook and the other fields of the movement. In a snapshot it can be up to 150
    /// ticks before the tick of the snapshot: [`World::at`](super::World::at) advances them. 0 if the server does not
    /// send it.
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
    /// The jumps since the character left the ground, in bits: 1 for the key, 2 for the jump in the air.
    pub jumped: i32,
    /// The hook.
    pub hook: Hook,
    /// Health, 0 to 10. Real servers send 0 for the characters of others.
    pub health: i32,
    /// Armor, 0 to 10. Real servers send 0 for the characters of others.
    pub armor: i32,
    /// Shots left; -1 for no limit. With the ninja in 0.7, it is the tick at which the ninja ends.
    pub ammo: i32,
    /// The weapon in hand; -1 for none.
    pub weapon: Weapon,
    /// The expression of the eyes.
    pub emote: Emote,
    /// The tick of the last attack.
    pub attack_tick: i32,
    /// The events of the character in this tick (0.7). 0.6 sends sounds instead.
    pub triggered: CoreEventFlags,
}

/// The hook of a character.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Hook {
    /// The state.
    pub state: HookState,
    /// The player that it holds.
    pub player: Option<ClientId>,
    /// Number of ticks during which it has held a player.
    pub tick: i32,
    /// Position of its end to the right.
    pub x: i32,
    /// Position of its end downwards.
    pub y: i32,
    /// Direction to the right, in 256ths.
    pub dx: i32,
    /// Direction downwards, in 256ths.
    pub dy: i32,
}

named! {
    /// The state of a hook.
    HookState in -1..=5;
    -1 => RETRACTED "retracted", 0 => IDLE "idle", 1 => RETRACT_START "retract_start",
    2 => RETRACTING "retracting", 3 => RETRACT_END "retract_end", 4 => FLYING "flying",
    5 => GRABBED "grabbed",
}

impl Character {
    /// Creates a character at a position, with full health and a pistol.
    pub fn new(id: ClientId, tick: i32, x: i32, y: i32) -> Self {
        Self {
            id,
            tick,
            x,
            y,
            vel_x: 0,
            vel_y: 0,
            angle: 0,
            direction: 0,
            jumped: 0,
            hook: Hook { x, y, ..Hook::default() },
            health: 10,
            armor: 0,
            ammo: 10,
            weapon: Weapon::PISTOL,
            emote: Emote::NORMAL,
            attack_tick: 0,
            triggered: CoreEventFlags::default(),
        }
    }

    /// Returns the square of the distance to another character. The distance is in 32nds of a tile.
    pub fn distance_squared(&self, other: &Self) -> u64 {
        let square = |one: i32, two: i32| u64::from(one.abs_diff(two)).pow(2);
        square(self.x, other.x).saturating_add(square(self.y, other.y))
    }
}
