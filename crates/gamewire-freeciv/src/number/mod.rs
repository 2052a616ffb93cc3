//! Numbers in packets that have names in the game: activities, actions, clauses and others.
//!
//! Most types wrap the number on the wire, so a number without a name is kept as it is. Numbers that differ between
//! versions are enums: [`Action`] and [`Activity`].

mod action;
mod event;
mod kind;
mod named;
mod versioned;

pub use action::{Action, Activity};
pub use event::Event;
pub use kind::{Clause, DiplomaticState, Known, Output, Production, ProductionKind, UnitOrder};

#[cfg(test)]
mod tests;
