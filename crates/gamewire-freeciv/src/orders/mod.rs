//! Orders of a player, in the game's own words. Each function makes the packet of an order.
//!
//! The server checks the rules, and its reply shows the result. An [`OrderError`] means that there is no packet for
//! the order.

mod city;
mod error;
mod player;
mod table;
mod unit;
mod work;

pub use city::*;
pub use error::OrderError;
pub use player::*;
pub use unit::*;
pub use work::*;
