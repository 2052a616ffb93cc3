//! A world of tees that a game advances tick by tick.

mod combat;
mod ddnet;
mod ddnet_weapons;
mod entity;
mod laser;
mod ninja;
mod order;
mod pickup;
mod projectile;
mod state;
mod step;
mod weapons;

pub use entity::{Laser, Pickup, PickupKind, Projectile, projectile_position};
pub use state::World;
