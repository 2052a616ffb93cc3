//! Orders of a player, named as in the game. Each function builds the packet of one order.
//!
//! The server checks the rules, and its reply shows the result. An [`OrderError`] means that no packet can express the
//! order.

mod city;
mod error;
mod player;
mod unit;
mod work;

pub use city::*;
pub use error::OrderError;
pub use player::*;
pub use unit::*;
pub use work::*;
