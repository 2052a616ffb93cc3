//! The movement of a tee.

mod collision;
pub mod core;
mod ddnet;
pub mod elementary;
pub mod grid;
pub mod input;
#[cfg(feature = "map")]
pub mod map;
pub mod number;
pub mod rules;
pub mod tee;
pub mod tile;
pub mod tuning;
pub mod vector;
pub mod weapon;
pub mod world;
