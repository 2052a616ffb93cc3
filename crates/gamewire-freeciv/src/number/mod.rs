//! Names for numbers in packets: activities, actions, clauses and others.
//!
//! Most types wrap the number on the wire, so a number without a name is preserved. [`Action`] and [`Activity`] are
//! enums, because their numbers differ between versions, and so are the names of rulesets: [`EffectType`] and the flags.

mod action;
mod effect;
mod event;
mod flag;
mod kind;
mod named;
mod versioned;

pub use action::{Action, Activity};
pub use effect::EffectType;
pub use event::Event;
pub use flag::{
    AdvanceFlag, BuildingFlag, ExtraFlag, RoadFlag, TerrainFlag, UnitClassFlag, UnitRole, UnitTypeFlag,
};
pub use kind::{
    AccessLevel, Clause, DiplomaticState, Known, Output, PhaseMode, Production, ProductionKind,
    SpaceshipState, UnitOrder,
};

#[cfg(test)]
mod tests;
