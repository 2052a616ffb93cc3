//! Numbers in packets that have names in the game: activities, actions, clauses and others.
//!
//! Each type wraps the number on the wire, so a number without a name is kept as it is.

mod enums;
mod macros;

pub use enums::{
    Action, Activity, Clause, DiplomaticState, Event, Known, Output, Production, ProductionKind, UnitOrder,
};
