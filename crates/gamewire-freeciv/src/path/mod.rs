//! Movement of units: costs of steps, tiles that a unit type can enter, and paths.
//!
//! [`path`] finds the path of a unit that takes the fewest turns, over the known tiles of a
//! [`World`](crate::world::World). A [`Movement`] evaluates single steps, and a [`Survey`] describes a tile.

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
