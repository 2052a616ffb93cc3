//! The tiles of DDNet.

pub(crate) mod doors;
#[cfg(feature = "movement")]
mod freeze;
#[cfg(feature = "movement")]
mod path;
#[cfg(feature = "movement")]
mod skippable;
#[cfg(feature = "movement")]
mod speedup;
#[cfg(feature = "movement")]
mod switch_tiles;
#[cfg(feature = "movement")]
pub(crate) mod switches;
#[cfg(feature = "movement")]
mod teleport;
#[cfg(feature = "movement")]
mod tick;
#[cfg(feature = "movement")]
mod tiles;
