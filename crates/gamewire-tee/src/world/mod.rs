//! A world of tees that a game advances tick by tick.

mod combat;
mod ddnet_weapons;
mod laser;
mod ninja;
mod order;
mod pickup;
mod projectile;
mod state;
mod step;
mod weapons;

pub use laser::Laser;
pub use pickup::{Pickup, PickupKind};
pub use projectile::{Projectile, projectile_position};
pub use state::World;
