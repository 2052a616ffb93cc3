//! Positions, directions and distances of tiles, which depend on the topology of the map.

mod direction;
mod geometry;

#[cfg(test)]
mod tests;

pub use direction::Direction8;
pub use geometry::{BadMapSize, MapGeometry, Topology};
