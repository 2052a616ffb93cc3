//! What the numbers in packets mean: activities, actions, clauses and their like, by their names in
//! the game.
//!
//! Each is a number as it stands on the wire, so that one without a name is kept as it is.

mod action;
mod activity;
mod diplomacy;
mod event;
mod macros;
mod order;
mod production;
mod tile;

pub use action::Action;
pub use activity::Activity;
pub use diplomacy::{Clause, DiplomaticState};
pub use event::Event;
pub use order::UnitOrder;
pub use production::{Output, Production, ProductionKind};
pub use tile::Known;
