//! Names for numbers in packets: activities, actions, clauses and others.
//!
//! Most types wrap the number on the wire, so a number without a name is preserved. [`Action`] and [`Activity`] are
//! enums, because their numbers differ between versions.

mod action;
mod event;
mod kind;
mod named;
mod versioned;

pub use action::{Action, Activity};
pub use event::Event;
pub use kind::{
    AccessLevel, Clause, DiplomaticState, Known, Output, PhaseMode, Production, ProductionKind,
    SpaceshipState, UnitOrder,
};

#[cfg(test)]
mod tests;
