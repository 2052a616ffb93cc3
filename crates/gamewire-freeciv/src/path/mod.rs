//! How units move: costs of steps, tiles that a unit type can enter, and paths.
//!
//! [`path`] finds the way of a unit that takes the fewest turns, over what a [`World`](crate::world::World) knows. A
//! [`Movement`] answers about single steps, and [`Survey`] tells what is on a tile.

mod cost;
mod movement;
mod obstacle;
mod rate;
mod search;
mod survey;
mod zoc;

pub use movement::Movement;
pub use obstacle::Obstacle;
pub use search::{Path, Step, path};
pub use survey::{Survey, survey};
