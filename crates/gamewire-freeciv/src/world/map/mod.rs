//! Where tiles are: positions, directions and distances by the topology of the map.

mod direction;
mod path;
mod shape;
mod topology;

#[cfg(test)]
mod tests;

pub use direction::Direction8;
pub use shape::{BadMapSize, MapGeometry};
pub use topology::Topology;
