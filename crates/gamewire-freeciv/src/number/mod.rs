//! Numbers in packets that have names in the game: activities, actions, clauses and others.
//!
//! Each type wraps the number on the wire, so a number without a name is kept as it is.

mod enums;
mod event;
mod macros;
mod production;

pub use enums::{Action, Activity, Clause, DiplomaticState, Known, UnitOrder};
pub use event::Event;
pub use production::{Output, Production, ProductionKind};
