//! Where tiles are: positions, directions and distances by the topology of the map.

mod direction;
mod path;
mod shape;
mod topology;

#[cfg(test)]
mod tests;

pub use direction::Direction;
pub use shape::{BadMapSize, MapShape};
pub use topology::Topology;
