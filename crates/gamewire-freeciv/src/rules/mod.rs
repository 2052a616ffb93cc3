//! The rules of a game: requirements, effects, production, growth and research.
//!
//! An [`Evaluator`] computes the server's answers from a [`World`](crate::world::World). A client does not see
//! everything that the server knows, so an [`Answer`] can also be unknown. [`can_build`] and [`can_research`] return
//! whether an order is legal now.

mod answer;
mod building;
mod cost;
mod effect;
mod evaluator;
mod flag;
mod growth;
mod kind;
mod output;
mod places;
mod players;
mod production;
mod research;
mod unit_type;

pub use answer::Answer;
pub use cost::{build_cost, shield_stock_after_change, turns_to_build};
pub use effect::Effect;
pub use evaluator::{Context, Evaluator};
pub(crate) use flag::{ExtraFlag, RoadFlag, TerrainFlag, UnitClassFlag, UnitFlag};
pub use growth::{Growth, granary_size, growth};
pub use kind::{RequirementKind, RequirementRange};
pub use output::tile_output;
pub(crate) use players::{are_allied, are_at_war};
pub use production::{can_build, productions};
pub use research::{bulbs_required, can_research, goal_bulbs, goal_steps, researchable};
