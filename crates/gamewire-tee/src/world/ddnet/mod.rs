//! The tiles of DDNet.

mod freeze;
mod path;
mod skippable;
mod speedup;
mod switch_tiles;
pub(crate) mod switches;
mod teleport;
mod tick;
mod tiles;
