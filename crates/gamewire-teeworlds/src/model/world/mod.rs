//! The content of a snapshot, in a form for all versions.

mod character;
mod game;
mod object;
mod player;
#[expect(clippy::module_inception, reason = "the struct of the module")]
mod world;

pub use character::{Character, Hook, HookState};
pub use game::{FlagState, Game, Race, TeamScores};
pub use object::{
    Damage, EventKind, ExtendedItem, Flag, Laser, Pickup, PickupKind, Projectile, Spectated, WorldEvent,
};
pub use player::{Player, PlayerStatus};
pub use world::World;
