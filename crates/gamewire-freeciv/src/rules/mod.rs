//! The rules of a game: requirements, effects, production, growth and research.
//!
//! An [`Evaluator`] computes the server's answers from a [`World`](crate::world::World). A client does not see
//! everything that the server knows, so an [`Answer`] can also be unknown. [`can_build`] and [`can_research`] return
//! whether an order is legal now.
//!
//! [`advances`], [`buildings`], [`governments`], [`unit_types`] and [`effects`] iterate over the rules themselves: what
//! each costs, requires and permits, by names.

mod answer;
mod building;
mod catalog;
mod context;
mod cost;
mod effect;
mod evaluator;
mod growth;
mod kind;
mod output;
mod permits;
mod places;
mod players;
mod production;
mod requirement;
mod research;
mod unit_catalog;
mod unit_type;
mod units;
mod view;

pub use answer::Answer;
pub(crate) use building::BuildingGenus;
pub use catalog::{
    AdvanceRule, BuildingRule, EffectRule, GovernmentRule, advances, buildings, effects, governments,
};
pub use context::Context;
pub use cost::{build_cost, shield_stock_after_change, turns_to_build};
pub(crate) use effect::rules_of;
pub use evaluator::Evaluator;
pub use growth::{Growth, granary_size, growth};
pub use kind::{RequirementKind, RequirementRange};
pub use output::tile_output;
pub use permits::Permitted;
pub(crate) use players::{are_allied, are_at_war};
pub use production::{can_build, productions};
pub use requirement::NamedRequirement;
pub use research::{bulbs_required, can_research, goal_bulbs, goal_steps, is_reachable, researchable};
pub use unit_catalog::{Domain, UnitTypeRule, VeteranLevel, unit_types};
